"""In which order are the links of one site worth a visit? A priority queue at 8 bytes a link.

A link is one 64-bit *key*: 20 bits of score above 44 bits of reference, so that the largest key is the best link and of
equal scores the smallest reference comes first. The score keeps 5 bits of exponent and 15 of mantissa: 1 part in 32,768
anywhere between 1 and 2**-31.

The queue has two parts. The *front* is a short sorted array that holds the best links; taking one and adding one are
cheap there. All others are in the *stock*: unsorted arrivals and a few sorted runs whose sizes fall
geometrically. No key of the stock is larger than one of the front. When the front runs empty, the arrivals are sorted
into a run and the best links of all runs become the new front; when it grows too long, its worse half goes to the
stock. Most sites never have enough links to need a stock.
"""

from __future__ import annotations

import math
from array import array
from bisect import insort
from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint64]
Numbers = Sequence[float] | npt.NDArray[np.float64]
References = Sequence[int] | npt.NDArray[np.int64]

REFERENCE_BITS = 44
_FRONT = 512  # links moved at a time; the front is at most twice as long
_FEW = 12  # up to here single insertions are quicker than sorting the front anew
_REFERENCE_MASK = (1 << REFERENCE_BITS) - 1
_MANTISSA_SHIFT = 52 - 15
_LOWEST = 2.0**-31
_HIGHEST = 1.0
_LOWEST_BITS = (1023 - 31) << 15  # what the float _LOWEST looks like after the shift


def encode(refs: References, scores: Numbers) -> Keys:
    """The keys of links; scores beyond [2**-31, 1] are taken for the nearest end, NaN for the lowest."""
    bounded = np.fmin(np.fmax(np.asarray(scores, np.float64), _LOWEST), _HIGHEST)
    keys = bounded.view(np.uint64) >> np.uint64(_MANTISSA_SHIFT)
    keys -= np.uint64(_LOWEST_BITS)
    keys <<= np.uint64(REFERENCE_BITS)
    keys |= np.uint64(_REFERENCE_MASK) - np.asarray(refs, np.uint64)
    return keys


def encode_one(ref: int, score: float) -> int:
    """The key of one link, quicker than `encode`."""
    if not _LOWEST <= score <= _HIGHEST:
        score = _HIGHEST if score > _HIGHEST else _LOWEST
    mantissa, exponent = math.frexp(score)
    return (exponent + 30 << 15) + int((2 * mantissa - 1) * 32768) << REFERENCE_BITS | _REFERENCE_MASK - ref


def reference_of(key: int) -> int:
    """The reference in a key."""
    return _REFERENCE_MASK - (key & _REFERENCE_MASK)


def score_of(key: int) -> float:
    """The score in a key, as far as it was kept."""
    exponent, mantissa = divmod(key >> REFERENCE_BITS, 1 << 15)
    return math.ldexp(1 + mantissa / 32768, exponent - 31)


def decode(keys: Keys) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """The references and scores of many keys."""
    refs = np.uint64(_REFERENCE_MASK) - (keys & np.uint64(_REFERENCE_MASK))
    bits = ((keys >> np.uint64(REFERENCE_BITS)) + np.uint64(_LOWEST_BITS)) << np.uint64(_MANTISSA_SHIFT)
    return refs.astype(np.int64), bits.view(np.float64)


class LinkQueue(msgspec.Struct, gc=False):
    """The waiting links of one site, best first.

    A struct, because there may be a million of them and the garbage collector need not look at any.
    """

    _front: array[int] = msgspec.field(default_factory=lambda: array("Q"))
    _stock: _Stock | None = None

    def __len__(self) -> int:
        return len(self._front) + (len(self._stock) if self._stock else 0)

    @property
    def best(self) -> int:
        """The largest key; 0 when there is none."""
        return self._front[-1] if self._front else 0

    def add(self, keys: list[int]) -> None:
        """Add the links of one page."""
        front = self._front
        if self._stock:
            worst = front[0]
            self._stock.add([key for key in keys if key < worst])
            keys = [key for key in keys if key >= worst]
        if front and len(keys) <= _FEW:
            for key in keys:
                insort(front, key)
        else:
            front = self._front = array("Q", sorted([*front, *keys]))
        if len(front) > 2 * _FRONT:
            self._shorten()

    def add_many(self, keys: Keys) -> None:
        """Add any number of links, sorted ascending; the quickest way to fill a new queue."""
        if self._front or len(keys) > _FRONT:
            stock = self._stock or _Stock()
            stock.add_run(np.sort(np.concatenate([keys, np.array(self._front, np.uint64)])))
            self._front, self._stock = stock.take_best(), stock or None
        else:
            self._front = array("Q", keys.tobytes())

    def pop(self) -> int:
        """Remove the best link and return its key."""
        front = self._front
        key = front.pop()
        if not front and self._stock:
            self._front = self._stock.take_best()
            if not self._stock:
                self._stock = None
        return key

    def keys(self) -> Keys:
        """All keys, in no order."""
        front = np.array(self._front, np.uint64)
        return np.concatenate([front, *self._stock.parts()]) if self._stock else front

    def first(self, count: int) -> list[int]:
        """The best keys, best first, left in place."""
        if count <= len(self._front) or not self._stock:
            return list(reversed(self._front[-count:]))
        ordered: list[int] = np.sort(self.keys())[::-1][:count].tolist()
        return ordered

    def _shorten(self) -> None:
        """Move the worse half of the front to the stock."""
        if self._stock is None:
            self._stock = _Stock()
        self._stock.add(self._front[:_FRONT])
        self._front = self._front[_FRONT:]


class _Stock:
    """Links behind the front: unsorted arrivals, and sorted runs each less than half as long as the one before."""

    __slots__ = ("_arrivals", "_runs")

    def __init__(self) -> None:
        self._arrivals: array[int] = array("Q")
        self._runs: list[Keys] = []

    def __len__(self) -> int:
        return len(self._arrivals) + sum(map(len, self._runs))

    def add(self, keys: Sequence[int]) -> None:
        """Add links in any order."""
        self._arrivals.extend(keys)

    def add_run(self, keys: Keys) -> None:
        """Add links that are sorted ascending."""
        self._runs.append(keys)
        while len(self._runs) > 1 and len(self._runs[-2]) < 2 * len(self._runs[-1]):
            merged = np.concatenate([self._runs.pop(), self._runs.pop()])
            merged.sort()
            self._runs.append(merged)

    def parts(self) -> list[Keys]:
        """All keys, in a few arrays."""
        return [np.array(self._arrivals, np.uint64), *self._runs]

    def take_best(self) -> array[int]:
        """Remove the best links and return them as a new front."""
        if self._arrivals:
            arrivals = np.array(self._arrivals, np.uint64)
            arrivals.sort()
            self._arrivals = array("Q")
            self.add_run(arrivals)
        candidates = np.concatenate([run[-_FRONT:] for run in self._runs])
        bound = np.sort(candidates)[-_FRONT:][0]
        cuts = [int(np.searchsorted(run, bound)) for run in self._runs]
        best = np.concatenate([run[cut:] for run, cut in zip(self._runs, cuts, strict=True)])
        best.sort()
        self._runs = [_shortened(run, cut) for run, cut in zip(self._runs, cuts, strict=True) if cut]
        return array("Q", best.tobytes())


def _shortened(run: Keys, length: int) -> Keys:
    """The run's beginning, copied once most of the memory behind it would lie idle."""
    rest = run[:length]
    behind = rest.base
    return rest.copy() if isinstance(behind, np.ndarray) and len(behind) > 2 * length else rest
