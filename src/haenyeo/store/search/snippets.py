"""The place of a text that answers a query best, with the words found marked."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

import msgspec

from haenyeo.store.search.terms import IS_CJK, QueryPart

WIDTH = 240  # characters
LEAD = 40  # characters before the first word found
MOST_PLACES = 500  # of the query's words in one text that are weighed


class Snippet(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a text; `marks` are the places (start, end) of the words that were asked for."""

    text: str = ""
    marks: tuple[tuple[int, int], ...] = ()

    def pieces(self) -> list[tuple[str, bool]]:
        """The text cut at its marks, each piece with whether it is marked."""
        cut, place = [], 0
        for start, end in self.marks:
            cut += [(self.text[place:start], False), (self.text[start:end], True)]
            place = end
        return [piece for piece in (*cut, (self.text[place:], False)) if piece[0]]


def snippet_of(text: str, parts: Sequence[QueryPart]) -> Snippet:
    """The window of the text with the most different words asked for; its beginning if there are none."""
    finder = _finder(parts)
    places = (
        [match.span() for match, _ in zip(finder.finditer(text), range(MOST_PLACES), strict=False)] if finder else []
    )
    begin = _best_begin(text, places)
    end = min(len(text), begin + WIDTH)
    shown = text[begin:end].replace("\n", " ")
    marks = tuple((start - begin, stop - begin) for start, stop in places if start >= begin and stop <= end)
    front, back = "… " if begin else "", " …" if end < len(text) else ""
    moved = tuple((start + len(front), stop + len(front)) for start, stop in marks)
    return Snippet(text=f"{front}{shown}{back}", marks=moved)


def _finder(parts: Sequence[QueryPart]) -> re.Pattern[str] | None:
    patterns = dict.fromkeys(
        _pattern(word, prefix=part.prefix) for part in parts if not part.unwanted for word in part.words
    )
    return re.compile("|".join(patterns), re.IGNORECASE) if patterns else None


def _pattern(word: str, *, prefix: bool) -> str:
    escaped = re.escape(word)
    if IS_CJK.match(word):
        return escaped
    return rf"\b{escaped}\w*" if prefix else rf"\b{escaped}\b"


def _best_begin(text: str, places: Sequence[tuple[int, int]]) -> int:
    """Where the window begins: shortly before the place from which most different words follow, at a word's start."""
    if not places:
        return 0
    starts = [start for start, _ in places]
    worth = [
        len({text[start:end].casefold() for start, end in places[number : bisect_right(starts, begin + WIDTH - LEAD)]})
        for number, begin in enumerate(starts)
    ]
    first = starts[worth.index(max(worth))]
    if first <= LEAD:
        return 0
    blank = re.search(r"\s", text[first - LEAD : first])
    return first - LEAD + blank.end() if blank else first
