"""Where blocks stand between the headings and labels of a page, and how they belong to its title."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from haenyeo import native
from haenyeo.model.pages import Block
from haenyeo.read.labels import KINDS as LABELLED
from haenyeo.read.labels import LONGEST, MOST_WORDS, TELLING, kinds_in, kinds_in_line
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.texts import Bools, Floats

COMPILED = native.load("reading")

_FAR = 50.0
_LONGEST = 300  # characters of a block that may be the title
_MOST_WORDS = 64  # of a title
_OVERLAP = 0.3  # of the words: what makes a block the title
_FOR_HEADING = 1.5  # times as much
_NOWHERE = -999.0
_LINKED = 0.5  # of the characters: what is a link
_BELOW_ALL = 9.0  # the level of a label that is no heading
_WORD = re.compile(r"\w+")
_CHAPTER_NUMBER = re.compile(r"[0-9][0-9.)]{0,20}\s+|\W+")
_ENTRY = 0.8  # of the characters of an entry of a list of contents: a link
_ENTRIES = 3  # of such a list
_MOSTLY = 0.8  # of the entries: headings that follow


def heading_levels(outline: PageOutline) -> Floats:
    """The level of each block that is a heading, 0 of others."""
    return outline.levels


def section_rows(outline: PageOutline, core: Floats, levels: Floats) -> list[Floats]:
    """Of each block: the text in its section, how much of it is linked, and the section's heading."""
    section = np.cumsum(levels > 0)
    size = int(section[-1]) + 1

    def inside(values: Floats) -> Floats:
        return np.bincount(section, values, size).astype(np.float32)[section]

    characters = inside(outline.characters)
    linked = inside(outline.characters * outline.link_share)
    places = np.arange(len(outline), dtype=np.float32)
    last = np.maximum.accumulate(np.where(levels > 0, places, -_FAR))
    level = np.where(last >= 0, levels[np.maximum(last, 0).astype(np.intp)], 0)
    since = np.minimum(places - last, _FAR)
    return [np.log1p(inside(core)), np.log1p(characters), linked / np.maximum(characters, 1), since, level]


def label_rows(outline: PageOutline, levels: Floats) -> Floats:
    """Of each block, whether it stands below a label of each kind (`read.labels`), or is one.

    A heading speaks for all up to the next of its level or above, a label that is no heading for what stands between it
    and the next heading or label; none for what is outside of the element around it. `levels` are those of headings.
    """
    rows = np.zeros((len(LABELLED), len(outline)), np.float32)
    labels = _labels(outline, levels)
    for place, (start, level, kinds) in enumerate(labels if any(kinds for _, _, kinds in labels) else ()):
        if kinds:
            following = (number for number, other, _ in labels[place + 1 :] if other <= level)
            end = end_around(outline.blocks, start, next(following, len(outline)))
            for bit in range(len(LABELLED)):
                if kinds >> bit & 1:
                    rows[bit, start:end] = 1
    return rows


def _labels(outline: PageOutline, levels: Floats) -> list[tuple[int, float, int]]:
    """The headings of a page, and other labels that name a kind: number, level and kinds."""
    may_be = (levels > 0) | ((outline.characters <= LONGEST) & (outline.link_share < _LINKED))
    found = labels_among(outline.blocks, levels, may_be)
    return [(number, level or _BELOW_ALL, kinds) for number, level, kinds in found]


def labels_among(blocks: tuple[Block, ...], levels: Floats, may_be: Bools) -> list[tuple[int, float, int]]:
    """Of the blocks that may be labels, the headings, and those that name a kind: number, level of a heading, kinds."""
    if COMPILED is None:
        return labels_in_python(blocks, levels, may_be)
    given = (blocks, np.ascontiguousarray(levels, np.float32), may_be, TELLING, LONGEST, MOST_WORDS, _kinds_of)
    found: list[tuple[int, float, int]] = COMPILED.labels(*given)
    return found


def labels_in_python(blocks: Sequence[Block], levels: Floats, may_be: Bools) -> list[tuple[int, float, int]]:
    """The same as `labels_among`, without compiled code."""
    labels = []
    for number in np.flatnonzero(may_be).tolist():
        level = float(levels[number])
        kinds = _kinds_of(blocks[number].text, level > 0)
        if kinds or level:
            labels.append((number, level, kinds))
    return labels


def _kinds_of(text: str, is_heading: bool) -> int:  # noqa: FBT001 - asked by compiled code
    """The kinds that a heading of this text names, or another label."""
    return kinds_in(text)[0] if is_heading else kinds_in_line(text)


def end_around(blocks: Sequence[Block], start: int, end: int) -> int:
    """The first block up to `end` that does not stand in the element around that of a label."""
    around = blocks[start].path.rpartition(">")[0].rpartition(">")[0]
    return next((number for number in range(start, end) if not blocks[number].path.startswith(around)), end)


def title_rows(outline: PageOutline, title: str, levels: Floats) -> list[Floats]:
    """Of each block: how much of the title it is, how far behind the title it stands, and headings like it between."""
    overlap = overlaps([block.text for block in outline.blocks], title)
    size = len(overlap)
    weighed = np.where(levels > 0, _FOR_HEADING * overlap, overlap)
    at = int(weighed.argmax())
    if weighed[at] <= _OVERLAP:
        return [overlap, np.full(size, _NOWHERE, np.float32), np.zeros(size, np.float32)]
    alike: Bools = (levels == levels[at]) & (levels > 0)
    before = np.cumsum(alike, dtype=np.float32)
    return [overlap, np.arange(size, dtype=np.float32) - at, before - before[at]]


def overlaps(texts: list[str], title: str) -> Floats:
    """The words that each short text shares with the title, of all words of both; of a title only the first count."""
    if COMPILED is None:
        return overlaps_in_python(texts, title)
    shares = np.empty(len(texts), np.float32)
    COMPILED.overlaps(texts, title, _LONGEST, shares)
    return shares


def overlaps_in_python(texts: list[str], title: str) -> Floats:
    """The same as `overlaps`, without compiled code."""
    wanted = set(list(dict.fromkeys(_WORD.findall(title.lower())))[:_MOST_WORDS])
    shares = np.zeros(len(texts), np.float32)
    for number, text in enumerate(texts if wanted else ()):
        small = text.lower() if len(text) < _LONGEST else ""
        if any(map(small.__contains__, wanted)):  # most share nothing, and this is quicker than to part their words
            words = set(_WORD.findall(small))
            shares[number] = len(words & wanted) / len(words | wanted)
    return shares


def contents_of(blocks: Sequence[Block], link_share: Floats, levels: Floats) -> Bools | None:
    """Which blocks are the page's own list of contents; None if it has none. `levels` are those of headings.

    It is a run of links of which nearly all say what headings below them say.
    """
    headings = np.flatnonzero(levels > 0).tolist()
    if len(headings) < _ENTRIES:
        return None
    runs = [run for run in _runs(link_share > _ENTRY) if run[1] - run[0] >= _ENTRIES and run[1] <= headings[-1]]
    last = {_named(blocks[number].text): number for number in headings} if runs else {}
    found = np.zeros(len(blocks), np.bool_)
    for start, end in runs:
        found[start:end] = _tell(blocks, range(start, end), last)
    return found if found.any() else None


def _tell(blocks: Sequence[Block], entries: range, last: dict[str, int]) -> bool:
    """Whether nearly all entries say what a heading below all of them says; given up when too many do not."""
    allowed = len(entries) - max(_ENTRIES, _MOSTLY * len(entries))
    for number in entries:
        if last.get(_named(blocks[number].text), -1) < entries.stop:
            allowed -= 1
            if allowed < 0:
                return False
    return True


def _named(text: str) -> str:
    """The name of a chapter without its number and signs.

    >>> _named("2.1 Tides\u00b6"), _named("10. Tides"), _named("Tides")
    ('tides', 'tides', 'tides')
    """
    found = _CHAPTER_NUMBER.match(text)
    return " ".join((text[found.end() :] if found else text).strip(" \u00b6#").lower().split())


def _runs(marked: Bools) -> list[tuple[int, int]]:
    """Where marked blocks stand together: the first of each run, and the one behind it."""
    borders = np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]]).astype(np.int8)))
    return list(zip(borders[::2].tolist(), borders[1::2].tolist(), strict=True))
