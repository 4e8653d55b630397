"""Pages as short vectors: words weighed by how rare they are, folded into a few hundred numbers.

Each word adds to one of the numbers or subtracts from it, by its hash; the product of two such vectors is in the mean
that of the pages' whole vectors. K. Weinberger et al., "Feature hashing for large scale multitask learning" (2009).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from haenyeo import native
from haenyeo.find.learned.columns import Numbers
from haenyeo.find.learned.features import TABLE, PageWords
from haenyeo.find.learned.memory import Floats, Indexes
from haenyeo.find.learned.tables import match

COMPILED = native.load("weighing")

DIMENSIONS = 512
NEIGHBOURS = 20
POOL = 600
"""Pages, evenly taken out of all, among which neighbours are looked for."""

Sketches = npt.NDArray[np.float32]

_SPREAD = 2_654_435_761  # Knuth's multiplicative hash
_BITS = 32
_TINY = 1e-9
_AT_ONCE = 500  # pages whose nearest ones are looked for together


def _hashed(bits: int) -> npt.NDArray[np.uint32]:
    """The first bits of the hash of each place of the table."""
    return np.arange(TABLE, dtype=np.uint32) * np.uint32(_SPREAD) >> np.uint32(_BITS - bits)


@cache
def _numbers() -> npt.NDArray[np.int16]:
    """Which number of a sketch each place of the table adds to."""
    return _hashed(9).astype(np.int16)


@cache
def _signs() -> npt.NDArray[np.int8]:
    """Whether it is added or subtracted."""
    return np.where(_hashed(10) & np.uint32(1), 1, -1).astype(np.int8)


class PageVectors(NamedTuple):
    """A row for each page: its sketch of length 1, and how far it goes in the direction of the topic's words."""

    sketches: Sketches
    named: Floats

    def joined(self, more: PageVectors) -> PageVectors:
        """These pages, and then more."""
        return PageVectors(np.concatenate([self.sketches, more.sketches]), np.concatenate([self.named, more.named]))


class WordWeights(NamedTuple):
    """How much words count: `idf` of each place, and the topic's words as a vector of length 1."""

    idf: Numbers
    asked: Numbers
    signed: Numbers
    """The idf with the sign that each place has in a sketch."""

    @classmethod
    def of(cls, pages: Sequence[PageWords], asked: Numbers) -> WordWeights:
        """The weights of words by how many of these pages have them; `asked` are the places of the topic's words."""
        ids = np.concatenate([np.zeros(0, np.int32), *(page.ids for page in pages)])
        counts = np.bincount(ids, minlength=TABLE)
        of_count = np.log((len(pages) + 1) / (np.arange(int(counts.max()) + 1) + 0.5)).clip(0).astype(np.float32)
        idf = of_count[counts]
        topic = np.zeros(TABLE, np.float32)
        topic[asked] = idf[asked]
        return cls(idf, topic / (np.linalg.norm(topic) + _TINY), idf * _signs())

    def vectors(self, pages: Sequence[PageWords]) -> PageVectors:
        """Pages as vectors."""
        found = PageVectors(np.empty((len(pages), DIMENSIONS), np.float32), np.empty(len(pages)))
        for row, page in enumerate(pages):
            fold(page, self.signed, found.sketches[row])
            found.named[row] = match(page, self.idf, self.asked)
        return found

    def along(self, direction: Floats, page: PageWords) -> Floats:
        """What each word of a page adds to the product of its vector and a direction."""
        values = page.weights * self.idf[page.ids]
        values = values / (np.linalg.norm(values) + _TINY)
        found: Floats = values * _signs()[page.ids] * direction[_numbers()[page.ids]]
        return found


def fold(page: PageWords, signed: Numbers, sketch: Sketches) -> None:
    """Write the sketch of a page; `signed` is the idf with the sign that each place has in a sketch."""
    if COMPILED is None:
        fold_in_python(page, signed, sketch)
    else:
        COMPILED.sketch(page.ids, page.weights, signed, sketch)


def fold_in_python(page: PageWords, signed: Numbers, sketch: Sketches) -> None:
    """The same without compiled code."""
    values = page.weights * signed[page.ids]
    length = math.sqrt(float(values @ values)) + _TINY
    sketch[:] = np.bincount(_numbers()[page.ids], values, DIMENSIONS) / length


class Pool(NamedTuple):
    """Pages among which those nearest to another, so many at most, are looked for; `values` has two of each."""

    sketches: Sketches
    values: Floats
    most: int


def measure(page: PageWords, signed: Numbers, direction: Floats, pool: Pool) -> tuple[Sketches, float, list[float]]:
    """The sketch of a page, how far it goes in a direction, and the mean of the values of the pages nearest to it."""
    if COMPILED is None or not len(pool.sketches):
        return measure_in_python(page, signed, direction, pool)
    sketch = np.empty(DIMENSIONS, np.float32)
    along, *nearby = COMPILED.measure(page.ids, page.weights, signed, direction, *pool, sketch)
    return sketch, along, nearby


def measure_in_python(
    page: PageWords, signed: Numbers, direction: Floats, pool: Pool
) -> tuple[Sketches, float, list[float]]:
    """The same without compiled code."""
    sketch = np.empty(DIMENSIONS, np.float32)
    fold_in_python(page, signed, sketch)
    near = nearest(sketch[None], pool.sketches, most=pool.most)[0]
    nearby: list[float] = pool.values[near].mean(axis=0).tolist() if len(near) else [0.0, 0.0]
    return sketch, float(sketch @ direction), nearby


def unit(vectors: Sketches) -> Sketches:
    """The vectors with length 1."""
    lengths: Sketches = np.linalg.norm(vectors, axis=-1, keepdims=True) + np.float32(_TINY)
    return vectors / lengths


def pool_of(pages: int) -> Indexes:
    """The pages among which neighbours are looked for."""
    step = -(-pages // POOL) if pages else 1
    return np.arange(0, pages, step)


def nearest(sketches: Sketches, pool: Sketches, own: Indexes | None = None, most: int = NEIGHBOURS) -> Indexes:
    """For each page the places in the pool of its nearest pages; `own` says at which place it is itself, or -1."""
    if len(sketches) > _AT_ONCE:
        starts = range(0, len(sketches), _AT_ONCE)
        parts = [slice(start, start + _AT_ONCE) for start in starts]
        owns = [own if own is None else own[part] for part in parts]
        return np.concatenate([nearest(sketches[at], pool, mine, most) for at, mine in zip(parts, owns, strict=True)])
    similar = sketches @ pool.T
    if own is not None:
        inside = np.flatnonzero(own >= 0)
        similar[inside, own[inside]] = -np.inf
    count = min(most, similar.shape[1] - (own is not None))
    if count < 1:
        return np.zeros((len(sketches), 0), np.int64)
    return np.argpartition(-similar, count - 1, axis=1)[:, :count].copy()  # or all the others would be kept as well
