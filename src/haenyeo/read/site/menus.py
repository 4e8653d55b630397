"""Which links are a menu? Long runs of them that other pages of the site have as well.

A site of several manuals has the contents of each on that manual's pages only, so they stand on few pages of all, and
there is no telling them from text by how common they are. That so many links stand together and are met again together
gives them away. On a page that is nothing but such a list the list is the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from haenyeo import native
from haenyeo.model.pages import Block
from haenyeo.read.page.texts import Bools, Floats, Numbers

COMPILED = native.load("reading")

LONG = 10
"""Links in a row that no text has, unless they are what a page is about."""

LINKED = 0.5
"""Of a block: what makes it a link; the same in compiled code."""

MANY_WORDS = 12
"""Words beside all links that make a page one with a text of its own."""

_LOOKED_AT = 16  # links of a run, at the least
_MET = 1.0  # pages, of which this may be one; what stands on more is known from others
_MOST = 0.8  # of a run: what must be known from other pages
_MOSTLY = 0.5  # of a text: what must stand in long runs of links

Counts = Callable[[Numbers], Floats]
"""On how many pages the texts of blocks were met, given their numbers."""


def are_links(blocks: Iterable[Block]) -> list[bool]:
    """Which of some blocks are links."""
    return [block.linked > LINKED * len(block.text) for block in blocks]


def has_long_run(blocks: Sequence[Block], kept: list[int]) -> bool:
    """Whether so many of the blocks of these numbers in a row are links that they may be a menu."""
    if COMPILED is None:
        return has_long_run_in_python(blocks, kept)
    found: bool = COMPILED.has_link_run(blocks, kept, LONG)
    return found


def has_long_run_in_python(blocks: Sequence[Block], kept: list[int]) -> bool:
    """The same without compiled code."""
    is_link = are_links(map(blocks.__getitem__, kept))
    return sum(is_link) >= LONG and any(_long_runs(np.array(is_link, np.bool_)))


def menus(is_link: Bools, words: Numbers, counts: Counts) -> Bools:
    """Which blocks belong to menus; those of 0 words are no text, whatever else they are."""
    found = np.zeros(len(words), np.bool_)
    if np.where(is_link, 0, words).sum() < MANY_WORDS:
        return found
    for start, end in _long_runs(is_link):
        some = np.arange(start, end)[:: max(1, (end - start) // _LOOKED_AT)]
        found[start:end] = (counts(some) > _MET).mean() >= _MOST
    return found


def is_mostly_links(is_link: Bools, sizes: Numbers) -> bool:
    """Whether most of a text of blocks of these sizes stands in long runs of links.

    It may be a menu that no other page has shown yet.
    """
    in_runs = sum([int(sizes[start:end].sum()) for start, end in _long_runs(is_link)])
    return in_runs > _MOSTLY * int(sizes.sum())


def _long_runs(is_link: Bools) -> Iterator[tuple[int, int]]:
    """Where so many links follow each other that they may be a menu: from which block on, and before which."""
    linked = np.concatenate([[False], is_link, [False]])
    (borders,) = np.nonzero(linked[1:] != linked[:-1])
    for start, end in zip(borders[::2].tolist(), borders[1::2].tolist(), strict=True):
        if end - start >= LONG:
            yield start, end
