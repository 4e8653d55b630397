"""The page's own title: the heading that its title element repeats, or that element without the name of the site."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from haenyeo.html.blocks import PathLevels, numbers_at
from haenyeo.model.pages import Block
from haenyeo.read.dates import MONTH
from haenyeo.read.page.places import is_heading

_SHORTEST = 3  # characters
_LONGEST = 300
_LEVELS = {"h1": 1, "h2": 2}
_LIKE = 0.7  # of a heading's words and the title's: what makes it the title in other words
_ENOUGH = 0.5  # of the title: a heading that repeats less is that of a part, or the site's
_WORD = re.compile(r"\w+")
_MOST_PATHS = 1 << 13
_LONGEST_SIGN = 4  # characters between two parts of a title
_MOST_WORDS = 4  # of a site's name behind a dash
# Signs that only part a title from a site's name, and the dash, which also stands in titles.
_PARTING = re.compile("\\s+(?:[|\u00b7\u00bb\u00ab\u2022]+|[\u2014\u2013])\\s+")
_DASH = re.compile(r"\s+(?:-|::+)\s+|\s?:\s+")
MARKS = "\u00b6\u00a7#\U0001f517\uf0c1\u200b"
"""Signs that link to a heading from itself."""
_DAY = rf"^\d{{1,2}}\.?\s(?:{MONTH})\b\.?,?\s(?:\d{{4}}\s)?(?=\S)"
_SHORTEST_LABEL = 4  # letters of a host that are a name
_MARK = re.compile(rf"(?:\s*[{MARKS}])+\s*$|^(?:[{MARKS}]\s*)+(?=\S)")


class _Heading(NamedTuple):
    """A heading: the number of its block, its level, its text, and that in small letters."""

    number: int
    level: int
    text: str
    plain: str


def _level_of(path: str) -> int:
    """The level of the heading at the end of a path, or 0."""
    start = path.rfind(">") + 1  # no other element that is a step of a path begins like a heading
    return _LEVELS.get(path[start : start + 2], 0)


_HEADING_LEVEL = PathLevels(_level_of, most=_MOST_PATHS)


def without_mark(text: str) -> str:
    """A heading without the sign that links to it.

    >>> without_mark("Tides\u00b6"), without_mark("# Tides")
    ('Tides', 'Tides')
    """
    if text[:1] not in MARKS and text.rstrip()[-1:] not in MARKS:
        return text
    return _MARK.sub("", text) or text


@lru_cache(maxsize=4)  # a page's is asked for by all who look at its title
def title_parts(whole: str) -> frozenset[str]:
    """What a title element may consist of: its pieces between signs that part titles from names, in small letters.

    >>> sorted(title_parts("Low tide: a diary | Reef News"))
    ['a diary', 'a diary | reef news', 'low tide', 'low tide: a diary', 'reef news']
    """
    if not _is_parted(whole):
        return frozenset()
    pieces = [piece for pattern in (_PARTING, _DASH) for piece in pattern.split(whole)]
    inner = [part for piece in pieces for pattern in (_PARTING, _DASH) for part in pattern.split(piece)]
    return frozenset(map(_plain, (*pieces, *inner))) - {"", _plain(whole)}


def names_beside_headings(whole: str, parts: Iterable[str], own: set[str], blocks: Sequence[Block]) -> frozenset[str]:
    """Which of some parts of a title element make it up together with one of the page's `own` that is a heading, too.

    >>> page = [Block("2.4 Lute", "h2")]
    >>> sorted(names_beside_headings("Reference: 2.4 Lute", ["reference"], {"2.4 lute"}, page))
    ['reference']
    """
    headings = own & {_plain(without_mark(block.text)) for block in blocks if is_heading(block.path)}
    size = len(_plain(whole)) - _LONGEST_SIGN
    return frozenset(
        part for part in parts if any(part not in heading and len(part) + len(heading) >= size for heading in headings)
    )


def title_of(  # noqa: PLR0913 - all that says what the title is, or is not
    whole: str,
    blocks: Sequence[Block],
    *,
    said: str = "",
    site: str = "",
    common: Iterable[int] = (),
    repeated: Collection[str] = (),
    host: str = "",
) -> str:
    """The title of a page whose title element is `whole`.

    `said` is what the page calls itself for machines, `site` what it calls its site; the blocks of the numbers in
    `common` stand on most pages of the site, and are nobody's own title, unless only this page's title element has
    them; `repeated` are the parts of the title element that those of most pages have. `host` is that of the page's
    address: a part of the title element that says it again is the site's name.
    """
    found = _headings(blocks)
    hidden = _hidden(found, common, title_parts(whole).difference(repeated) if repeated else ()) if common else set()
    if site and _is_misnamed(site, whole, {heading.plain for heading in found if heading.number not in hidden}):
        site = ""
    names = {
        _plain(site),
        *repeated,
        *(heading.plain for heading in found if heading.number in hidden and heading.level == 1),
        *_banners(whole, blocks, [heading for heading in found if heading.level == 1]),
    } - {""}
    called = _called_like(host, whole) if host else set()
    headings = [heading for heading in found if heading.number not in hidden and heading.plain not in names | called]
    cut, rest = _parted(whole, names)
    if rest and any(_plain(whole).startswith(name) and _squeezed(name) in host.replace("-", "") for name in called):
        cut, rest = _parted(whole, names | called)  # the name stands first, so the last part is the page's own
    inside = _inside(headings, whole, cut, rest) if headings else []
    if inside:
        return max(inside, key=lambda heading: (_plain(whole).startswith(heading.plain), len(heading.text))).text
    first = list(dict.fromkeys(_own_part(heading.text, names) for heading in headings if heading.level == 1))
    if len(first) == 1 and len(first[0]) >= _LIKE * len(cut) and _likeness(first[0], cut) >= _LIKE:
        return first[0]
    if said and (_plain(said) in _plain(whole) or not whole):
        return without_site(said, site)
    return cut


def naming_host(url: str) -> str:
    """The host of an address, by which names of the site are known; empty for start pages, which may be called so."""
    host, _, path = url.partition("://")[2].partition("/")
    return host.partition(":")[0] if path else ""


def _called_like(host: str, whole: str) -> set[str]:
    """The parts of a title element that say the name in the page's host again, if another part does not.

    >>> _called_like("www.reef-news.example", "Low tide | Reef News"), _called_like("tides.example", "Tides")
    ({'reef news'}, set())
    """
    label = max(host.lower().split(".")[:-1] or [""], key=len).replace("-", "")
    if len(label) < _SHORTEST_LABEL:
        return set()
    parts = {_plain(piece) for pattern in (_PARTING, _DASH) for piece in pattern.split(whole)}
    like = {part for part in parts if _squeezed(part).startswith(label)}
    return {part for part in like if len(part) < len(whole) - len(part)}


def _squeezed(text: str) -> str:
    return "".join(_WORD.findall(text))


def _own_part(heading: str, names: set[str]) -> str:
    """A heading without the site's name, and without the day that some pages show in it before the title."""
    own = _without_names(heading, names)
    return re.sub(_DAY, "", own, count=1, flags=re.IGNORECASE) if own[:1].isdigit() else own


def _hidden(found: Sequence[_Heading], common: Iterable[int], own: Collection[str]) -> set[int]:
    """The numbers of the blocks that stand on most pages, without headings that only this page's title has."""
    return set(common) - {heading.number for heading in found if heading.plain in own}


def _inside(headings: Sequence[_Heading], whole: str, cut: str, rest: str) -> list[_Heading]:
    """The headings that are the first part of the title element, or say enough of it again, and not the site's name."""
    parts = {_plain(pattern.split(whole, 1)[0]) for pattern in (_PARTING, _DASH)}
    plain_whole, plain_rest = _plain(whole), _plain(rest)
    return [
        heading
        for heading in headings
        if heading.plain in parts
        or (
            len(heading.text) >= _ENOUGH * len(cut) and heading.plain in plain_whole and heading.plain not in plain_rest
        )
    ]


def _banners(whole: str, blocks: Sequence[Block], headings: Sequence[_Heading]) -> set[str]:
    """Which of the headings are names that lead to the start page: one link each, and one part of the title element.

    Another part of that element must be a heading as well.
    """
    linked = {one.plain for one in headings if blocks[one.number].linked >= len(blocks[one.number].text) - 1}
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
    if not _is_parted(whole):
        return whole, ""
    own = _without_names(whole, names)
    if own != whole:
        return own, ""
    for pattern in (_PARTING, _DASH):
        borders = [(found.start(), found.end()) for found in pattern.finditer(whole)]
        if not borders:
            continue
        last = borders[-1]
        own, rest = whole[: last[0]], whole[last[1] :]
        if whole[last[0] : last[1]].strip() == ":":  # what the page says, more often than who says it
            break
        if len(own) >= _SHORTEST and (pattern is _PARTING or _is_name(rest, own)):
            return own, rest if pattern is _PARTING else ""
    return whole, ""


def _is_parted(whole: str) -> bool:
    return _PARTING.search(whole) is not None or _DASH.search(whole) is not None


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


def _likeness(text: str, whole: str) -> float:
    """How many words two titles share, of those of the shorter one."""
    words, others = set(_WORD.findall(text.lower())), set(_WORD.findall(whole.lower()))
    return len(words & others) / max(1, min(len(words), len(others)))


def _headings(blocks: Sequence[Block]) -> list[_Heading]:
    """The headings of the first two levels that are no longer and no shorter than titles."""
    levels = _HEADING_LEVEL
    return [
        _Heading(number, levels[blocks[number].path], text := without_mark(blocks[number].text), _plain(text))
        for number in numbers_at(blocks, levels)
        if _SHORTEST <= len(blocks[number].text) <= _LONGEST
    ]


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
