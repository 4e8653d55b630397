"""Which addresses have been met before? An exact set of 64-bit hashes at 10 to 15 bytes each.

A hash may lie in one of two buckets of eight slots and goes into the emptier one, which keeps buckets evenly filled
(Azar, Broder, Karlin & Upfal 1999, "Balanced Allocations"). A whole page of links is looked up by one gather of its
buckets. The few hashes that find both buckets full, by chance or by somebody's aim, go into a plain set.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from types import ModuleType

import numpy as np
import numpy.typing as npt

from haenyeo import native
from haenyeo.html.urls import url_hash

COMPILED = native.load("seen")

Hashes = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

_SLOTS = 8
_FIRST_BUCKETS = 1 << 10
_GROWTH = 1.5
_FULL = 0.8  # of all slots; above it the plain set would fill noticeably
_CHUNK = 1 << 16  # hashes placed at a time, so that the choice of the emptier bucket rests on fresh counts
_FEW = 256  # up to here a set of Python numbers is quicker than sorting
_MIX = np.uint64(0x9E3779B97F4A7C15)  # spreads keys that are no good hashes, such as small numbers
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_ZERO = np.uint64(0)
_ONE = np.uint8(1)


def url_hashes(urls: Iterable[str]) -> Hashes:
    """The hashes of many addresses, as `SeenSet.add` takes them."""
    return np.fromiter(map(url_hash, urls), np.uint64)


class SeenSet:
    """All hashes ever added; asking for a page's fifty links at once costs little more than asking for one.

    `expected` makes room for that many from the start, which saves growing while a collection is opened.
    """

    def __init__(self, expected: int = 0) -> None:
        self._size = 0
        self._spilled: set[int] = set()
        self._clear(max(_FIRST_BUCKETS, int(expected / (_FULL * _SLOTS)) + 1))

    def __len__(self) -> int:
        return self._size

    def __contains__(self, url_hash: int) -> bool:
        hashes = np.array([url_hash], np.uint64)
        return bool(self._contains(hashes, self._choices(hashes))[0])

    def new_places(self, hashes: Sequence[int]) -> list[int]:
        """Remember these hashes; returns the places of new ones, and of a repeated one only the first."""
        if COMPILED is None:
            new = self.add_in_python(np.array(hashes, np.uint64))
            return np.flatnonzero(new).tolist()
        marks = self._marks(COMPILED, array("Q", hashes))
        return [place for place, is_new in enumerate(marks) if is_new] if 1 in marks else []

    def add(self, hashes: Hashes) -> Flags:
        """Remember these hashes; returns True where a hash is new, for a repeated one only at its first place."""
        if COMPILED is None:
            return self.add_in_python(hashes)
        return np.frombuffer(self._marks(COMPILED, np.ascontiguousarray(hashes, np.uint64)), np.bool_)

    def _marks(self, compiled: ModuleType, hashes: array[int] | Hashes) -> bytes:
        self._reserve(len(hashes))
        marks: bytes = compiled.add(self._table, self._filled, hashes, self._spilled)
        self._size += marks.count(1)
        return marks

    def add_in_python(self, hashes: Hashes) -> Flags:
        """The same as `add`, without compiled code."""
        if len(hashes) <= _CHUNK:
            return self._add(hashes)
        return np.concatenate([self._add(hashes[start : start + _CHUNK]) for start in range(0, len(hashes), _CHUNK)])

    def _add(self, hashes: Hashes) -> Flags:
        self._reserve(len(hashes))
        choices = self._choices(hashes)
        new = ~self._contains(hashes, choices)
        fresh = hashes[new]
        if _repeats(fresh):
            places = np.flatnonzero(new)[_first_places(fresh)]
            new[:] = False
            new[places] = True
            fresh = hashes[places]
        if len(fresh):
            self._insert(fresh, choices[:, new])
            self._size += len(fresh)
        return new

    def _contains(self, hashes: Hashes, choices: Places) -> Flags:
        equal = self._table[choices] == hashes[:, None]
        eights = equal.view(np.uint64)  # a bucket's eight truth values as one number: a quicker `any`
        found: Flags = (eights[0, :, 0] | eights[1, :, 0]) != _ZERO
        if self._spilled:
            found |= np.fromiter(map(self._spilled.__contains__, hashes.tolist()), np.bool_, len(hashes))
        return found

    def _choices(self, hashes: Hashes) -> Places:
        """The two buckets of each hash, as two rows: each half of the mixed hash scaled to the number of buckets."""
        mixed = hashes * _MIX
        halves = np.empty((2, len(hashes)), np.uint64)
        np.right_shift(mixed, _HALF, out=halves[0])
        np.bitwise_and(mixed, _LOW, out=halves[1])
        halves *= np.uint64(len(self._filled))
        halves >>= _HALF
        return halves.view(np.intp)

    def _insert(self, hashes: Hashes, choices: Places) -> None:
        """Place hashes that are not in the table and do not repeat; of those that want one bucket, one a round."""
        while len(hashes):
            first, second = self._filled[choices]
            buckets = np.where(first <= second, choices[0], choices[1])
            slots = np.minimum(first, second)
            if slots.max() == _SLOTS:
                room = slots < _SLOTS
                self._spilled.update(hashes[~room].tolist())
                hashes, choices, buckets, slots = hashes[room], choices[:, room], buckets[room], slots[room]
            if not _repeats(buckets):
                self._table[buckets, slots] = hashes
                self._filled[buckets] = slots + _ONE
                return
            turn = _first_places(buckets)
            self._table[buckets[turn], slots[turn]] = hashes[turn]
            self._filled[buckets[turn]] = slots[turn] + _ONE
            hashes, choices = np.delete(hashes, turn), np.delete(choices, turn, axis=1)

    def _clear(self, buckets: int) -> None:
        """An empty table; 0 marks an empty slot, but 1 in the first bucket, where hash 0 belongs and 1 never does."""
        self._table: Hashes = np.zeros((buckets, _SLOTS), np.uint64)
        self._table[0] = 1
        self._filled = np.zeros(buckets, np.uint8)
        self._spilled.clear()

    def _reserve(self, more: int) -> None:
        """Grow the table, if need be, until `more` hashes fit."""
        buckets = len(self._filled)
        while self._size + more > _FULL * _SLOTS * buckets:
            buckets = int(buckets * _GROWTH)
        if buckets == len(self._filled):
            return
        spilled = np.fromiter(self._spilled, np.uint64, len(self._spilled))
        rest = self._table[1:]
        kept = np.concatenate([self._table[0, : self._filled[0]], rest[rest != _ZERO], spilled])
        self._clear(buckets)
        for start in range(0, len(kept), _CHUNK):
            part = kept[start : start + _CHUNK]
            self._insert(part, self._choices(part))


def _repeats(values: npt.NDArray[np.generic]) -> bool:
    """Whether a value may occur twice; for many values always True, because sorting them finds it out anyway."""
    return len(values) > _FEW or len(set(values.tolist())) < len(values)


def _first_places(values: npt.NDArray[np.generic]) -> Places:
    """Where each different value stands first, in order."""
    places: Places = np.unique(values, return_index=True)[1]
    places.sort()
    return places
