"""The 18 edits of Park, Oh & Lee 2002 (tables 3 and 4), made in a page's own source.

Every occurrence of the page's main pattern is edited: formatting tags between two of its tags (Is), structural tags
around its first text (I); both taken away again (Ds, D); formatting tags around the text replaced by structural ones
(Us) and the other way round (U). In three classes: the tags alone, with <br>, with <a>.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from haenyeo.watch.vilo import FORMATTING, TIMES, Pattern, find_patterns

KINDS = ("Is", "I", "Ds", "D", "Us", "U")
Tags = tuple[str, str]
CLASSES: dict[int, tuple[Tags, Tags]] = {
    1: (("<i>", "</i>"), ("<table>", "</table>")),
    2: (("<i><br>", "</i>"), ("<table><br>", "</table>")),
    3: (("<i><a>", "</a></i>"), ("<table><a>", "</a></table>")),
}
"""Formatting and structural tags, what stands before and what behind."""

_PIECE = re.compile(
    r"<!--.*?-->|<script\b.*?</script\s*>|<style\b.*?</style\s*>|<(/?[a-z][a-z0-9]*)[^>]*>|[^<]+|<", re.DOTALL
)


class Token(NamedTuple):
    """A tag or TEXT as the paper writes it, and where it stands in the source."""

    name: str
    start: int
    end: int


class Edit(NamedTuple):
    """A page before and after an edit of a class and a kind."""

    number: int
    kind: str
    before: str
    after: str


def tokens_of(html: str) -> list[Token]:
    """The tokens of the body; formatting tags and the text next to them are one TEXT."""
    lowered = html.lower()
    if len(lowered) != len(html):  # a few letters change their length with their case
        lowered = html
    found: list[Token] = []
    for piece in _PIECE.finditer(lowered, max(lowered.find("<body"), 0)):
        tag, text = piece[1], piece[0]
        if tag and tag.removeprefix("/") not in FORMATTING:
            found.append(Token(f"<{tag.upper()}>", *piece.span()))
        elif (tag or text[0] != "<") and (tag or text.strip()):
            if found and found[-1].name == "TEXT":
                found[-1] = found[-1]._replace(end=piece.end())
            else:
                found.append(Token("TEXT", *piece.span()))
    return found


def main_pattern(names: Sequence[str], times: int = TIMES) -> Pattern | None:
    """The pattern that covers most of the page, of those with a text and with two tags next to each other.

    The longest repeats of a list are several records long; one record is what is edited.
    """
    found = {_one_period(pattern) for pattern in find_patterns(names, times)}
    editable = (pattern for pattern in found if "TEXT" in pattern and _seam(pattern) is not None)
    covering = {pattern: len(_places(names, pattern)) for pattern in editable}
    often = [pattern for pattern, places in covering.items() if places >= times]
    return max(often, key=lambda pattern: (covering[pattern] * len(pattern), pattern), default=None)


def edits(html: str) -> Iterator[Edit]:
    """The 18 edits of a page; none when nothing with text repeats often enough."""
    tokens = tokens_of(html)
    names = [token.name for token in tokens]
    pattern = main_pattern(names)
    if pattern is None:
        return
    seam = _seam(pattern)
    assert seam is not None
    places = _places(names, pattern)
    seams = [(tokens[place + seam].end,) * 2 for place in places]
    texts = [
        (tokens[place + pattern.index("TEXT")].start, tokens[place + pattern.index("TEXT")].end) for place in places
    ]
    for number, (formatting, structural) in CLASSES.items():
        between, around = _edited(html, seams, formatting), _edited(html, texts, structural)
        italic = _edited(html, texts, formatting)
        sides = ((html, between), (html, around), (between, html), (around, html), (italic, around), (around, italic))
        yield from (Edit(number, kind, *side) for kind, side in zip(KINDS, sides, strict=True))


def _one_period(pattern: Pattern) -> Pattern:
    """The shortest beginning of which the pattern is a repetition."""
    for period in range(1, len(pattern) // 2 + 1):
        if pattern[period:] == pattern[:-period]:
            return pattern[:period]
    return pattern


def _seam(pattern: Pattern) -> int | None:
    """The place of a tag that another tag follows."""
    return next((place for place, (one, two) in enumerate(pairwise(pattern)) if "TEXT" not in (one, two)), None)


def _places(names: Sequence[str], pattern: Pattern) -> list[int]:
    """Where the pattern begins, overlaps left out."""
    found, place = [], 0
    while place <= len(names) - len(pattern):
        if tuple(names[place : place + len(pattern)]) == pattern:
            found.append(place)
            place += len(pattern)
        else:
            place += 1
    return found


def _edited(html: str, spans: Sequence[tuple[int, int]], tags: Tags) -> str:
    """The source with tags before and behind each span."""
    parts, position = [], 0
    for start, end in spans:
        parts += [html[position:start], tags[0], html[start:end], tags[1]]
        position = end
    return "".join([*parts, html[position:]])
