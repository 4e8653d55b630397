"""The 18 edits of Park, Oh & Lee 2002 (tables 3 and 4), made in a page's own source.

At each place that is chosen, formatting tags come between two tags (Is) and structural tags around a text (I); both are
taken away again (Ds, D); formatting tags around the text are replaced by structural ones (Us) and the other way round
(U). In three classes: the tags alone, with <br>, with <a>. The paper edits what its own search has found, so that the
pattern must change; places can also be chosen without it.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
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

_NEAR = 20  # tokens behind a tag among which its text is looked for
_PIECE = re.compile(
    r"<!--.*?-->|<script\b.*?</script\s*>|<style\b.*?</style\s*>|<(/?[a-z][a-z0-9]*)[^>]*>|[^<]+|<", re.DOTALL
)


class Token(NamedTuple):
    """A tag or TEXT as the paper writes it, and where it stands in the source."""

    name: str
    start: int
    end: int

    @property
    def is_start(self) -> bool:
        """Whether it is a start tag."""
        return self.name[0] == "<" and self.name[1] != "/"


class EditedPlaces(NamedTuple):
    """Where a page is edited: behind these tags, which other tags follow, and around these texts."""

    seams: Sequence[Token]
    texts: Sequence[Token]


Where = Callable[[Sequence[Token]], EditedPlaces | None]
"""Chooses the places; None if there are none."""


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


def in_pattern(tokens: Sequence[Token]) -> EditedPlaces | None:
    """Every occurrence of the main pattern, as in the paper; None when nothing with text repeats often enough."""
    names = [token.name for token in tokens]
    pattern = main_pattern(names)
    seam = _seam(pattern) if pattern else None
    if pattern is None or seam is None:
        return None
    places, text = _places(names, pattern), pattern.index("TEXT")
    return EditedPlaces([tokens[place + seam] for place in places], [tokens[place + text] for place in places])


def at_commonest_tag(tokens: Sequence[Token]) -> EditedPlaces | None:
    """Behind each start tag of the commonest name that another tag follows, and around the next text behind it."""
    starts = [place for place, (one, two) in enumerate(pairwise(tokens)) if one.is_start and two.name != "TEXT"]
    if not starts:
        return None
    name, _ = Counter(tokens[place].name for place in starts).most_common(1)[0]
    own = [place for place in starts if tokens[place].name == name]
    texts = (next((token for token in tokens[place : place + _NEAR] if token.name == "TEXT"), None) for place in own)
    behind = list(dict.fromkeys(token for token in texts if token is not None))
    return EditedPlaces([tokens[place] for place in own], behind) if behind else None


def at_one_place(tokens: Sequence[Token]) -> EditedPlaces | None:
    """One place between two tags and one text, by chance; the same for the same page."""
    seams = [one for one, two in pairwise(tokens) if "TEXT" not in (one.name, two.name)]
    texts = [token for token in tokens if token.name == "TEXT"]
    chance = random.Random(len(tokens))
    return EditedPlaces([chance.choice(seams)], [chance.choice(texts)]) if seams and texts else None


def edits(html: str, where: Where = in_pattern) -> Iterator[Edit]:
    """The 18 edits of a page; none when there is no place for them."""
    chosen = where(tokens_of(html))
    if chosen is None:
        return
    seams = [(token.end, token.end) for token in chosen.seams]
    texts = [(token.start, token.end) for token in chosen.texts]
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
