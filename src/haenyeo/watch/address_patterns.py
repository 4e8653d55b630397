"""Which addresses of a site show pages of one kind? Templates of addresses, and patterns learned from some of them.

A template leaves out what varies from page to page: numbers, names made for one page, values of parameters. It is made
from one address alone, so it is cheap and may be too wide; pages of one template can still have several layouts.
A pattern is made from several addresses (Cho, Lee & Choi 2013 describe a site by the patterns of its lists and items).
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from urllib.parse import unquote

MOST_SEGMENTS = 30
"""Folders of an address that are looked at."""
QUERY = "{query}"
"""Stands for a query in the address of a result list."""

_LONG_NAME = 24
_DIGITS = re.compile(r"\d+")
_NAME = re.compile(r"[-_%,+:]|[A-Z]|[^\x00-\x7f]|~")


class _Parts(NamedTuple):
    origin: str
    folders: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]  # names with their sign of equality, values; (("", ""),) for a bare `?`


def _parts(url: str) -> _Parts:
    front, mark, query = url.partition("#")[0].partition("?")
    scheme, _, rest = front.partition("://")
    host, _, path = rest.partition("/")
    pairs = (pair.partition("=") for pair in query.split("&")) if mark else ()
    return _Parts(
        f"{scheme}://{host}",
        tuple(path.split("/", MOST_SEGMENTS)),
        tuple((name + equals, value) for name, equals, value in pairs),
    )


@functools.lru_cache(maxsize=1 << 12)
def template_of(url: str) -> str:
    """The address with what varies from page to page left out.

    >>> template_of("https://a.example/2024/03/05/red-coral.html?ref=9")
    'a.example/{n}/{n}/{n}/{name}.html?ref'
    >>> template_of("https://a.example/goods?cat=all&page=2")
    'a.example/goods?cat&page'
    """
    front, _, query = url.partition("#")[0].partition("?")
    folder, _, name = front.rpartition("/")
    place = _place(folder)
    path = place + _name(name) if place else _path(front)
    names = "&".join(sorted({pair.partition("=")[0] for pair in query.split("&")})) if query else ""
    return f"{path}{'?' if names else ''}{names}"


def _path(front: str) -> str:
    """The template of an address without parameters."""
    origin, folders, _ = _parts(front)
    return f"{origin.partition('://')[2]}/{'/'.join(map(_name, folders))}"


@functools.lru_cache(maxsize=1 << 12)
def _place(folder: str) -> str:
    """The template of a folder, as far as that of its pages; nothing if there are too many folders in it, or none."""
    host, *folders = folder.partition("://")[2].split("/")
    return "/".join([host, *map(_name, folders), ""]) if host and len(folders) <= MOST_SEGMENTS else ""


def _name(folder: str) -> str:
    stem, dot, suffix = folder.rpartition(".")
    if not dot or not suffix.isalpha():
        stem, dot, suffix = folder, "", ""
    if stem.isdigit():
        return f"{{n}}{dot}{suffix}"
    if _NAME.search(stem) or len(stem) > _LONG_NAME:
        return f"{{name}}{dot}{suffix}"
    return _DIGITS.sub("{n}", stem) + dot + suffix


def patterns_of(urls: Iterable[str]) -> tuple[str, ...]:
    r"""Regular expressions for the addresses and their like, one for each way they are built; the commonest first.

    >>> patterns_of(["https://a.example/item/17", "https://a.example/item/4"])
    ('https://a\\.example/item/\\d+',)
    """
    groups: defaultdict[tuple[str, str, tuple[str, ...]], list[_Parts]] = defaultdict(list)
    for url in dict.fromkeys(urls):
        parts = _parts(url)
        groups[parts.origin, template_of(url), tuple(name for name, _ in parts.parameters)].append(parts)
    merged = _merged(list(groups.values()))
    return tuple(dict.fromkeys(_pattern(group) for group in sorted(merged, key=len, reverse=True)))


def _merged(groups: Sequence[list[_Parts]]) -> list[list[_Parts]]:
    """Groups whose addresses differ in numbers and in one folder at most, such as plain words for names, are one."""
    merged: list[list[_Parts]] = []
    for group in groups:
        home = next((other for other in merged if _one_apart(other[0], group[0])), None)
        if home is None:
            merged.append(group)
        else:
            home += group
    return merged


def _one_apart(one: _Parts, other: _Parts) -> bool:
    if one.origin != other.origin or len(one.folders) != len(other.folders):
        return False
    if [name for name, _ in one.parameters] != [name for name, _ in other.parameters]:
        return False
    pairs = zip(one.folders, other.folders, strict=True)
    return sum(_DIGITS.sub("0", a) != _DIGITS.sub("0", b) for a, b in pairs) <= 1 < len(one.folders)


def _pattern(group: Sequence[_Parts]) -> str:
    folders = [_varying([parts.folders[place] for parts in group], "/") for place in range(len(group[0].folders))]
    parameters = [
        f"{re.escape(name)}{_varying([parts.parameters[place][1] for parts in group], '&')}"
        for place, (name, _) in enumerate(group[0].parameters)
    ]
    query = r"\?" + "&".join(parameters) if parameters else ""
    return f"{re.escape(group[0].origin)}/{'/'.join(folders)}{query}"


def _varying(values: Sequence[str], border: str) -> str:
    """What the values have in common: the same text, a number, or anything up to the border."""
    if len(set(values)) == 1:
        return re.escape(values[0])
    skeletons = {_DIGITS.sub("0", value) for value in values}
    if len(skeletons) == 1:
        return r"\d+".join(map(re.escape, _DIGITS.split(values[0])))
    return f"[^{border}?#]{'*' if border == '&' or '' in values else '+'}"


def list_patterns(url: str, further: Iterable[str] = ()) -> tuple[str, ...]:
    """Patterns of a list page's addresses: its own, that of its further pages, and any query in place of `{query}`."""
    own = re.escape(url).replace(re.escape(QUERY), "[^&#/]*")
    return tuple(dict.fromkeys((own, *(_numbered(url, page) for page in further))))


def _numbered(first: str, further: str) -> str:
    """The pattern of a further page: the numbers that the first page has not are left open."""
    kept = set(_DIGITS.findall(unquote(first)))
    pieces = re.split(r"(\d+)", further)
    return "".join(r"\d+" if piece.isdigit() and piece not in kept else re.escape(piece) for piece in pieces)


def matches(patterns: Iterable[str], url: str) -> bool:
    """Whether one of the patterns describes the whole address."""
    return any(_compiled(pattern).fullmatch(url) for pattern in patterns)


@functools.lru_cache(maxsize=1 << 10)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
