"""Was this hash met lately? A sketch that may say yes by mistake now and then, and forgets what is long past."""

from __future__ import annotations

from typing import Self

import msgspec
import numpy as np

from haenyeo import native
from haenyeo.find.traps.fingerprint import Hashes

COMPILED = native.load("fingerprint")

_FIRST_SIZE = 1 << 12
_GROWTH = 4
_FULL = 0.125  # of a generation; with both generations full, a hash never met is taken for known in 23 % of cases


class RecentState(msgspec.Struct, frozen=True, array_like=True):
    """A sketch as bytes, eight marks to each."""

    largest: int
    now: bytes
    before: bytes


class RecentHashes:
    """Marks in two generations: when the younger is full, it becomes the older and a larger or equal one begins.

    `largest` is the size in bytes of a generation that no longer grows, a power of two.
    """

    def __init__(self, *, largest: int) -> None:
        self.largest = largest
        self._now = bytearray(min(_FIRST_SIZE, largest))
        self._before = bytearray(1)
        self._marks = 0

    def __contains__(self, value: int) -> bool:
        return bool(self._now[value & (len(self._now) - 1)] or self._before[value & (len(self._before) - 1)])

    def add(self, hashes: Hashes) -> int:
        """Mark these hashes; returns how many were not marked before, repeats in this call included."""
        new: int = (mark_in_python if COMPILED is None else COMPILED.mark)(self._now, self._before, hashes)
        self._marks += new
        if self._marks > _FULL * len(self._now):
            self._before = self._now
            self._now = bytearray(min(self.largest, _GROWTH * len(self._now)))
            self._marks = 0
        return new

    def dump(self) -> RecentState:
        """The sketch as plain values, for `load`."""
        return RecentState(self.largest, _packed(self._now), _packed(self._before))

    @classmethod
    def load(cls, state: RecentState) -> Self:
        """The sketch that was dumped."""
        recent = cls(largest=state.largest)
        recent._now, recent._before = _marks(state.now), _marks(state.before)
        recent._marks = recent._now.count(1)
        return recent


def mark_in_python(now: bytearray, before: bytearray, hashes: Hashes) -> int:
    """Mark hashes in a sketch, without compiled code; how many were not marked."""
    marks, older = np.frombuffer(now, np.bool_), np.frombuffer(before, np.bool_)
    places = (hashes & np.uint64(len(now) - 1)).view(np.int64)
    known = marks[places] | older[(hashes & np.uint64(len(before) - 1)).view(np.int64)]
    marks[places] = True
    return len(hashes) - int(np.count_nonzero(known))


def _packed(marks: bytearray) -> bytes:
    return np.packbits(np.frombuffer(marks, np.bool_)).tobytes()


def _marks(packed: bytes) -> bytearray:
    marks = bytearray(np.unpackbits(np.frombuffer(packed, np.uint8)))
    return marks if len(packed) > 1 else marks[:1]
