"""The page's own title: the heading that its title element repeats, or that element without the name of the site."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from haenyeo.model.pages import Block
from haenyeo.read.page.places import is_heading, tag_of

_SHORTEST = 3  # characters
_LONGEST = 300
_LEVELS = {"h1": 1, "h2": 2}
_LIKE = 0.7  # of a heading's words and the title's: what makes it the title in other words
_ENOUGH = 0.5  # of the title: a heading that repeats less is that of a part, or the site's
_WORD = re.compile(r"\w+")
_MOST_PATHS = 1 << 13
_MOST_WORDS = 4  # of a site's name behind a dash
# Signs that only part a title from a site's name, and the dash, which also stands in titles.
_PARTING = re.compile("\\s+(?:[|\u00b7\u00bb\u00ab\u2022]+|[\u2014\u2013])\\s+")
_DASH = re.compile(r"\s+(?:-|::+)\s+|:\s+")
MARKS = "\u00b6\u00a7#\U0001f517\uf0c1"
"""Signs that link to a heading from itself."""
_MARK = re.compile(rf"(?:\s*[{MARKS}])+\s*$|^(?:[{MARKS}]\s*)+(?=\S)")
_HEADING_LEVEL: dict[str, int] = {}


def without_mark(text: str) -> str:
    """A heading without the sign that links to it.

    >>> without_mark("Tides\u00b6"), without_mark("# Tides")
    ('Tides', 'Tides')
    """
    return _MARK.sub("", text) or text


def title_parts(whole: str) -> frozenset[str]:
    """What a title element may consist of: its pieces between signs that part titles from names, in small letters.

    >>> sorted(title_parts("Low tide: a diary | Reef News"))
    ['a diary', 'a diary | reef news', 'low tide', 'low tide: a diary', 'reef news']
    """
    pieces = [piece for pattern in (_PARTING, _DASH) for piece in pattern.split(whole)]
    inner = [part for piece in pieces for pattern in (_PARTING, _DASH) for part in pattern.split(piece)]
    return frozenset(map(_plain, (*pieces, *inner))) - {"", _plain(whole)}


def title_of(
    whole: str,
    blocks: Sequence[Block],
    *,
    said: str = "",
    site: str = "",
    common: Iterable[int] = (),
    repeated: Collection[str] = (),
) -> str:
    """The title of a page whose title element is `whole`.

    `said` is what the page calls itself for machines, `site` what it calls its site; the blocks of the numbers in
    `common` stand on most pages of the site, and are nobody's own title, unless only this page's title element has
    them; `repeated` are the parts of the title element that those of most pages have.
    """
    own = title_parts(whole).difference(repeated) if repeated else ()
    found = list(_headings(blocks))
    hidden = set(common) - {number for number, _, text in found if _plain(text) in own}
    site = (
        "" if _is_misnamed(site, whole, {_plain(text) for number, _, text in found if number not in hidden}) else site
    )
    names = {
        _plain(site),
        *repeated,
        *(_plain(text) for number, level, text in found if number in hidden and level == 1),
        *_banners(whole, blocks, [blocks[number] for number, level, _ in found if level == 1]),
    } - {""}
    headings = [(level, text) for number, level, text in found if number not in hidden and _plain(text) not in names]
    cut, rest = _parted(whole, names)
    parts = {_plain(part) for pattern in (_PARTING, _DASH) for part in pattern.split(whole)[:1]}
    inside = [text for _, text in headings if _plain(text) in parts or _repeats(text, whole, cut, rest)]
    if inside:
        return max(inside, key=lambda text: (_plain(whole).startswith(_plain(text)), len(text)))
    first = list(dict.fromkeys(text for level, text in headings if level == 1))
    if len(first) == 1 and len(first[0]) >= _LIKE * len(cut) and _likeness(first[0], cut) >= _LIKE:
        return first[0]
    if said and (_plain(said) in _plain(whole) or not whole):
        return without_site(said, site)
    return cut


def _banners(whole: str, blocks: Sequence[Block], headings: Sequence[Block]) -> set[str]:
    """Which of the headings are names that lead to the start page: one link each, and one part of the title element.

    Another part of that element must be a heading as well.
    """
    linked = {_plain(without_mark(block.text)) for block in headings if block.linked >= len(block.text) - 1}
    parts = title_parts(whole) if linked else frozenset[str]()
    names = {text for text in linked & parts if 2 * len(text) < len(whole)}
    if not names:
        return names
    others = {_plain(without_mark(block.text)) for block in blocks if is_heading(block.path)} - names
    return names if parts & others else set()


def _is_misnamed(site: str, whole: str, own: set[str]) -> bool:
    """Whether what is said to be the site's name is the page's own title, which one of its `own` headings repeats."""
    name = _plain(site)
    rest = [_plain(part) for pattern in (_PARTING, _DASH) for part in pattern.split(whole)[1:]]
    return bool(rest) and name in own and own.isdisjoint(rest)


def without_site(whole: str, site: str = "") -> str:
    """A title element's text without the name of the site at its end, or at its beginning if the site says its name.

    >>> without_site("Low tide | Reef News"), without_site("Reef News - Low tide", "Reef News"), without_site("A - B")
    ('Low tide', 'Low tide', 'A - B')
    """
    return _parted(whole, {_plain(site)} - {""})[0]


def _parted(whole: str, names: set[str]) -> tuple[str, str]:
    """The title, and the site's name if a sign that stands in no title parts it from the title."""
    own = _without_names(whole, names)
    if own != whole:
        return own, ""
    for pattern in (_PARTING, _DASH):
        borders = [(found.start(), found.end()) for found in pattern.finditer(whole)]
        if not borders:
            continue
        last = borders[-1]
        own, rest = whole[: last[0]], whole[last[1] :]
        if len(own) >= _SHORTEST and (pattern is _PARTING or _is_name(rest, own)):
            return own, rest if pattern is _PARTING else ""
    return whole, ""


def _without_names(whole: str, names: set[str]) -> str:
    """The title without the names at its beginning and its end."""
    for pattern in (_PARTING, _DASH):
        borders = [(found.start(), found.end()) for found in pattern.finditer(whole)]
        while borders and _plain(whole[: borders[0][0]]) in names:
            start = borders[0][1]
            whole, borders = whole[start:], [(before - start, behind - start) for before, behind in borders[1:]]
        while borders and _plain(whole[borders[-1][1] :]) in names and borders[-1][0] >= _SHORTEST:
            whole = whole[: borders.pop()[0]]
    return whole


def _is_name(rest: str, own: str) -> bool:
    """Whether what stands behind a dash is likelier a site's name than a part of the title: short, and in capitals."""
    words = rest.split()
    return len(words) <= min(_MOST_WORDS, len(own.split()) - 1) and all(not word[0].islower() for word in words[:1])


def _repeats(text: str, whole: str, cut: str, rest: str) -> bool:
    """Whether a heading says enough of the title element again, and not the site's name."""
    return len(text) >= _ENOUGH * len(cut) and _plain(text) in _plain(whole) and _plain(text) not in _plain(rest)


def _likeness(text: str, whole: str) -> float:
    """How many words two titles share, of those of the shorter one."""
    words, others = set(_WORD.findall(text.lower())), set(_WORD.findall(whole.lower()))
    return len(words & others) / max(1, min(len(words), len(others)))


def _headings(blocks: Sequence[Block]) -> Iterator[tuple[int, int, str]]:
    """Number, level and text of the headings."""
    known = _HEADING_LEVEL.get
    for number, block in enumerate(blocks):
        level = known(block.path)
        if level is None:
            level = _level(block.path)
        if level and _SHORTEST <= len(block.text) <= _LONGEST:
            yield number, level, without_mark(block.text)


def _level(path: str) -> int:
    """The level of the heading at the end of a path, or 0; cached, because it is asked for every block."""
    if len(_HEADING_LEVEL) >= _MOST_PATHS:
        _HEADING_LEVEL.clear()
    level = _HEADING_LEVEL[path] = _LEVELS.get(tag_of(path.rpartition(">")[2]), 0)
    return level


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
