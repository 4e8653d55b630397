"""What does the head of an answer say? Its headers, by name."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import msgspec

RawHeaders = Sequence[tuple[bytes, bytes]]

_MOST_NAMES = 256


class Fields:
    """An answer's headers by name in small letters; bytes that are no UTF-8 stand in them as lone surrogates.

    `shown` are the same in their order and as they came, each character standing for one byte (latin-1).
    """

    __slots__ = ("_values", "shown")

    def __init__(self, headers: RawHeaders) -> None:
        shown: list[tuple[str, str]] = []
        values: dict[str, tuple[str, ...]] = {}
        for name, value in headers:
            written, small = _names(name)
            text = value.decode("latin-1")
            shown.append((written, text))
            if not text.isascii():
                text = value.decode("utf-8", "surrogateescape")
            values[small] = (*values[small], text) if small in values else (text,)
        self.shown = tuple(shown)
        self._values = values

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def get(self, name: str) -> str:
        """The first of this name, or nothing."""
        values = self._values.get(name)
        return values[0] if values else ""

    def all(self, name: str) -> tuple[str, ...]:
        """All of this name."""
        return self._values.get(name, ())


@functools.lru_cache(maxsize=_MOST_NAMES)
def _names(name: bytes) -> tuple[str, str]:
    """The name of a header as it came, and in small letters; servers use few."""
    written = name.decode("latin-1")
    return written, written.lower()


class AnswerHead(msgspec.Struct, frozen=True):
    """The beginning of an answer."""

    status: int
    reason: bytes
    fields: Fields
