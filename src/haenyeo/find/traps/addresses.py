"""An address cut into the parts that may vary from page to page."""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

_PIECE = re.compile(r"[/;,=~_.\-]|[^/;,=~_.\-]+")
_MARKS = frozenset("/;,=~_.-")
_MOST_PIECES = 128  # of a path; what follows is left whole


class Part(NamedTuple):
    """A place in addresses: its name, and the word of the path that must stand right before it, if any."""

    name: str
    after: str = ""
    word: str = ""


Parts = tuple[Part, ...]


class Address:
    """Host, words of the path and values of the parameters, each under a name.

    In `/s/81af/item-3?page=2` the word `81af` is named `1.0`, the 3 is named `2.1` and the 2 is named `?page`.
    """

    def __init__(self, url: str) -> None:
        front, _, query = url.partition("?")
        scheme, _, rest = front.partition("://")
        host, slash, path = rest.partition("/")
        self._pieces: list[tuple[str, str]] = [("", scheme + "://"), ("host", host), ("", slash), *_path_pieces(path)]
        for number, parameter in enumerate(query.split("&") if query else ()):
            name, equals, value = parameter.partition("=")
            self._pieces += [("", ("&" if number else "?") + name + equals), ("?" + name, value)]
        self._parts = {name: value for name, value in self._pieces if name}

    def has(self, parts: Parts) -> bool:
        """Whether all these parts are there, each behind the word it belongs behind."""
        own = self._parts
        return all(part.name in own and (not part.after or own.get(part.after) == part.word) for part in parts)

    def values(self, parts: Parts) -> str:
        """What stands in these parts."""
        return "/".join(self._parts[part.name] for part in parts)

    def without(self, parts: Parts) -> str:
        """The address with a star in place of these parts."""
        names = {part.name for part in parts}
        return "".join("*" if name in names else piece for name, piece in self._pieces)

    def differing(self, other: Address) -> Parts:
        """The parts in which two addresses differ; none if they are not made of the same parts."""
        if self._parts.keys() != other._parts.keys():
            return ()
        parts: list[Part] = []
        after = ""
        for name, value in self._parts.items():
            same = value == other._parts[name]
            if not same:
                parts.append(Part(name, after, self._parts[after]) if after and name[0] != "?" else Part(name))
            after = name if same and name != "host" else ""
        return tuple(parts)


def _path_pieces(path: str) -> list[tuple[str, str]]:
    pieces: list[tuple[str, str]] = []
    segment = place = end = 0
    for match in islice(_PIECE.finditer(path), _MOST_PIECES):
        piece, end = match[0], match.end()
        if piece not in _MARKS:
            pieces.append((f"{segment}.{place}", piece))
            place += 1
            continue
        pieces.append(("", piece))
        if piece == "/":
            segment, place = segment + 1, 0
    return [*pieces, ("", path[end:])]
