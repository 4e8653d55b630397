"""The list of what a page itself says: links above its chapters that are called as their headings are."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from haenyeo.model.pages import Block
from haenyeo.read.page.texts import Bools, Floats

_NUMBER = re.compile(r"[0-9][0-9.)]{0,20}\s+|\W+")
_LINKED = 0.8  # of an entry's characters
_FEWEST = 3  # entries of a list
_MOSTLY = 0.8  # of the entries: headings that follow


def contents_of(blocks: Sequence[Block], link_share: Floats, levels: Floats) -> Bools | None:
    """Which blocks are the page's own list of contents; None if it has none. `levels` are those of headings.

    It is a run of links of which nearly all say what headings below them say.
    """
    headings = np.flatnonzero(levels > 0).tolist()
    if len(headings) < _FEWEST:
        return None
    last = {_named(blocks[number].text): number for number in headings}
    found = np.zeros(len(blocks), np.bool_)
    for start, end in _runs(link_share > _LINKED):
        if end - start >= _FEWEST:
            told = [last.get(_named(blocks[number].text), -1) >= end for number in range(start, end)]
            if sum(told) >= max(_FEWEST, _MOSTLY * len(told)):
                found[start:end] = True
    return found if found.any() else None


def _named(text: str) -> str:
    """The name of a chapter without its number and signs.

    >>> _named("2.1 Tides\u00b6"), _named("10. Tides"), _named("Tides")
    ('tides', 'tides', 'tides')
    """
    found = _NUMBER.match(text)
    return " ".join((text[found.end() :] if found else text).strip(" \u00b6#").lower().split())


def _runs(marked: Bools) -> list[tuple[int, int]]:
    """Where marked blocks stand together: the first of each run, and the one behind it."""
    borders = np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]]).astype(np.int8)))
    return list(zip(borders[::2].tolist(), borders[1::2].tolist(), strict=True))
