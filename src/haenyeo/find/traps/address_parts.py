"""An address cut into the parts that may vary from page to page."""

from __future__ import annotations

import re
from typing import NamedTuple

_MARK = re.compile(r"([/;,=~_.\-])")
_DIGIT = re.compile(r"[0-9]")
_DIGIT_BEHIND_HOST = re.compile(r"[^:]*+://[^/?]*+[^0-9]*+[0-9]")
_MOST_PIECES = 128  # of a path; what follows is left whole


class AddressPart(NamedTuple):
    """A place in addresses, and what an address must be like for the place to mean the same there.

    `word` must be the last word of the folder before it; without one, the address must be made up of the same parts, as
    `shape` says. If `numeric`, there must be a digit in the part.
    """

    name: str
    word: str = ""
    shape: str = ""
    numeric: bool = False


AddressParts = tuple[AddressPart, ...]


class SplitAddress:
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

    def has(self, parts: AddressParts) -> bool:
        """Whether all these parts are there and mean the same."""
        return all(self._has(part) for part in parts)

    def _has(self, part: AddressPart) -> bool:
        value = self._parts.get(part.name)
        if value is None or (part.numeric and not _DIGIT.search(value)):
            return False
        return self._shape == part.shape if part.shape else self._word_before(part.name) == part.word

    def values(self, parts: AddressParts) -> str:
        """What stands in these parts."""
        return "/".join(self._parts[part.name] for part in parts)

    def without(self, parts: AddressParts) -> str:
        """The address with a star in place of these parts."""
        names = {part.name for part in parts}
        return "".join("*" if name in names else piece for name, piece in self._pieces)

    def differing(self, other: SplitAddress) -> AddressParts:
        """The parts in which two addresses differ; none if they are not made up of the same parts."""
        if self._parts.keys() != other._parts.keys():
            return ()
        return tuple(
            self._part(name, numeric=bool(_DIGIT.search(value) and _DIGIT.search(other._parts[name])))
            for name, value in self._parts.items()
            if value != other._parts[name]
        )

    def _part(self, name: str, *, numeric: bool) -> AddressPart:
        word = self._word_before(name)
        if name[0] == "?" or (word and not _DIGIT.search(word)):
            return AddressPart(name, word=word, numeric=numeric)
        return AddressPart(name, shape=self._shape, numeric=numeric)

    @property
    def _shape(self) -> str:
        return " ".join(self._parts)

    def _word_before(self, name: str) -> str:
        """The last word of the folder before a word of the path; nothing for other parts."""
        segment = name.partition(".")[0]
        if not segment.isdigit():
            return ""
        before = f"{int(segment) - 1}."
        return next((value for part, value in reversed(self._parts.items()) if part.startswith(before)), "")


def may_have(url: str, parts: AddressParts) -> bool:
    """Whether an absolute address can have these parts, as far as that is seen before it is cut; most cannot."""
    for part in parts:
        if part.word not in url:
            return False
        if part.numeric and not (_DIGIT.search(url) if part.name == "host" else _DIGIT_BEHIND_HOST.match(url)):
            return False
    return True


def _path_pieces(path: str) -> list[tuple[str, str]]:
    pieces: list[tuple[str, str]] = []
    segment = place = end = 0
    for number, piece in enumerate(_MARK.split(path, _MOST_PIECES)):
        if len(pieces) == _MOST_PIECES:
            break
        end += len(piece)
        if number % 2:
            pieces.append(("", piece))
            segment, place = (segment + 1, 0) if piece == "/" else (segment, place)
        elif piece:
            pieces.append((f"{segment}.{place}", piece))
            place += 1
    return [*pieces, ("", path[end:])]
