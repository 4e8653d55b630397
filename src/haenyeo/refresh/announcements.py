"""What does a list say about the pages it leads to? If an item was edited, its entry has often changed too.

A list of goods shows their prices, a board the number of replies, a list of latest changes puts what was edited first.
So two versions of a list are compared entry by entry: what stands between the link to an item and the link to the next,
and the order of the links. Where more than half of the entries differ it is the list that was made anew and says
nothing about its items.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate, pairwise

from haenyeo.model.pages import Markup, Outlink

LONGEST_ENTRY = 400  # characters; what stands behind the last link of a list is mostly no part of it
MOST_ENTRIES = 2000
SPECIFIC = 0.5  # of the entries; if more of them differ, none of them says anything


def entries_of(markup: Markup, items: Collection[str]) -> dict[str, str]:
    """What the main list of a page says of these items, in its order; the main list is where most of them are linked.

    An entry goes from its link to the next link of the list; the last one has no more lines than the longest other.
    """
    path = _main_path(markup, items)
    starts = [0, *accumulate(len(block.text) + 1 for block in markup.blocks)]
    places = [(starts[link.block] + link.start, link.url) for link in markup.links if _path(markup, link) == path]
    firsts = [place for place, before in zip(places, [(0, ""), *places], strict=False) if place[1] != before[1]]
    firsts = firsts[:MOST_ENTRIES]
    text, said, lines = markup.text, dict[str, str](), 1
    for (start, url), (end, _) in pairwise([*firsts, (len(text), "")]):
        entry = text[start : min(end, start + LONGEST_ENTRY)].rstrip().split("\n")
        if end == len(text):
            entry = entry[:lines]
        lines = max(lines, len(entry))
        if url in items:
            said.setdefault(url, "\n".join(entry))
    return said


def _main_path(markup: Markup, items: Collection[str]) -> str | None:
    """Where in the page most of the items are linked."""
    paths = Counter(path for link in markup.links if link.url in items and (path := _path(markup, link)) is not None)
    return max(paths, key=paths.__getitem__, default=None)


def _path(markup: Markup, link: Outlink) -> str | None:
    return markup.blocks[link.block].path if link.block >= 0 else None


def announced(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    """The items in both versions of a list whose entry or place in the order has changed.

    >>> announced({"/a": "A 3.00", "/b": "B 5.00", "/c": "C 1.00"}, {"/a": "A 3.00", "/b": "B 4.50", "/c": "C 1.00"})
    ['/b']
    """
    common = [url for url in new if url in old]
    ranks = {url: rank for rank, url in enumerate(old)}
    edited = {url for url in common if old[url] != new[url]}
    moved = _moved(common, [ranks[url] for url in common])
    told = {url for found in (edited, moved) if len(found) <= SPECIFIC * len(common) for url in found}
    return [url for url in common if url in told]


def _moved(urls: Sequence[str], ranks: Sequence[int]) -> set[str]:
    """The fewest items that must have moved: all but the longest row that kept its order (patience sorting)."""
    tops, lengths = list[int](), list[int]()
    for rank in ranks:
        place = bisect_left(tops, rank)
        tops[place : place + 1] = [rank]
        lengths.append(place + 1)
    moved, length = set[str](), len(tops)
    for url, size in zip(reversed(urls), reversed(lengths), strict=True):
        if size == length:
            length -= 1
        else:
            moved.add(url)
    return moved
