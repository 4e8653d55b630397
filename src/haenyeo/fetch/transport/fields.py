"""What does the head of an answer say? Its headers, by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

RawHeaders = Sequence[tuple[bytes, bytes]]


class Fields:
    """An answer's headers by name in small letters; bytes that are no UTF-8 stand in them as lone surrogates.

    `shown` are the same in their order and as they came, each character standing for one byte (latin-1).
    """

    __slots__ = ("_values", "shown")

    def __init__(self, headers: RawHeaders) -> None:
        self.shown = tuple([(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers])
        self._values: dict[str, list[str]] = {}
        for (name, text), (_, value) in zip(self.shown, headers, strict=True):
            read = text if text.isascii() else value.decode("utf-8", "surrogateescape")
            self._values.setdefault(name.lower(), []).append(read)

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def get(self, name: str) -> str:
        """The first of this name, or nothing."""
        values = self._values.get(name)
        return values[0] if values else ""

    def all(self, name: str) -> Sequence[str]:
        """All of this name."""
        return self._values.get(name, ())


class Head(NamedTuple):
    """The beginning of an answer."""

    status: int
    reason: bytes
    fields: Fields
