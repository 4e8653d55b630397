"""What became of each line of a text: the same, moved, edited word by word, gone or new."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import msgspec

LEAST_ALIKE = 0.5
"""Share of the words that two lines must have in common, in order, for one to be the other edited."""
MOST_PAIRED = 40
"""Lines of each side that are looked at for edits."""
MOST_ORDERED = 1_000
"""Lines of each side whose order is looked at."""
MOST_WORDS = 300
"""Words of a line that are compared."""

_PIECE = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*|\s+|[^\w\s]|_+")


class LineEdit(msgspec.Struct, frozen=True, kw_only=True):
    """A line that was edited; `marked` has what went as [-words-] and what came as {+words+}."""

    before: str
    after: str
    marked: str


class LineDifferences(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the lines that are not the same in both texts, each in the order of its text."""

    edited: tuple[LineEdit, ...] = ()
    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()


def line_differences(gone: Sequence[str], new: Sequence[str]) -> LineDifferences:
    """Lines that went and lines that came, those taken together that are one line edited; each is used once."""
    left = list(new)
    edits, lost = list[LineEdit](), list[str]()
    for line in gone:
        partner = _partner(line, left[:MOST_PAIRED]) if len(edits) < MOST_PAIRED else None
        if partner is None:
            lost.append(line)
        else:
            left.remove(partner)
            edits.append(LineEdit(before=line, after=partner, marked=marked(line, partner)))
    return LineDifferences(edited=tuple(edits), gone=tuple(lost), new=tuple(left))


def moved_lines(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """The lines that both texts have in another order: as few as possible, in the order of the new text."""
    both = Counter(old[:MOST_ORDERED]) & Counter(new[:MOST_ORDERED])
    before, after = _only(old[:MOST_ORDERED], both), _only(new[:MOST_ORDERED], both)
    if before == after:
        return []
    places: dict[str, list[int]] = {}
    for place in reversed(range(len(before))):
        places.setdefault(before[place], []).append(place)
    stayed = _longest_rising([places[line].pop() for line in after])
    return [line for place, line in enumerate(after) if place not in stayed]


def marked(before: str, after: str) -> str:
    """The new line with the words that went as [-words-] and those that came as {+words+}.

    >>> marked("The mask costs 20 euros", "The mask costs 25 euros now")
    'The mask costs [-20-]{+25+} euros{+ now+}'
    """
    old, new = _PIECE.findall(before)[:MOST_WORDS], _PIECE.findall(after)[:MOST_WORDS]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    parts = []
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        went, came = "".join(old[start:end]), "".join(new[new_start:new_end])
        parts.append(came if kind == "equal" else (f"[-{went}-]" if went else "") + (f"{{+{came}+}}" if came else ""))
    return "".join(parts)


def _partner(line: str, others: Sequence[str]) -> str | None:
    """The line that this one has become; None when none is alike enough."""
    words = line.split()[:MOST_WORDS]
    matcher = SequenceMatcher(None, autojunk=False)
    matcher.set_seq2(words)
    best, found = LEAST_ALIKE, None
    for other in others:
        matcher.set_seq1(other.split()[:MOST_WORDS])
        if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best and matcher.ratio() > best:
            best, found = matcher.ratio(), other
    return found


def _longest_rising(numbers: Sequence[int]) -> set[int]:
    """The places of as many of these numbers as possible that rise from each to the next (Fredman 1975)."""
    ends, heads = list[int](), list[int]()  # the least number that ends a sequence of each length, and its place
    before = [-1] * len(numbers)
    for place, number in enumerate(numbers):
        length = bisect_left(ends, number)
        before[place] = heads[length - 1] if length else -1
        ends[length : length + 1], heads[length : length + 1] = [number], [place]
    found, place = set[int](), heads[-1] if heads else -1
    while place >= 0:
        found.add(place)
        place = before[place]
    return found


def _only(lines: Sequence[str], wanted: Counter[str]) -> list[str]:
    return list(_taken(lines, wanted.copy()))


def _taken(lines: Sequence[str], left: Counter[str]) -> Iterator[str]:
    for line in lines:
        if left[line] > 0:
            left[line] -= 1
            yield line
