"""On how many pages of a site did a text stand? Remembered for any number of texts in little room.

A count-min sketch (Cormode and Muthukrishnan 2005) with conservative update (Estan and Varghese 2002): counts may come
out too high when texts share cells, never too low. When it has taken in as much as it can tell apart, all counts are
halved: texts met once are forgotten, those of the template stay, and a new template takes over in time.
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from haenyeo.model.compression import zstd
from haenyeo.read.page.texts import Floats, Keys

ROWS, WIDTH = 3, 1 << 15
MOST_PAGES = 250
"""Pages after which counts are halved; a cell holds one byte."""
MOST_TEXTS = 30_000
"""Different texts after which counts are halved; about one in ten thousand then wrongly gets a count of 3."""

_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)[:, None]
_SHIFT = np.uint64(64 - 15)
_FULL = 255


class TextSketch:
    """Counts pages per text; `pages` is how many pages the counts stand for."""

    def __init__(self) -> None:
        self.pages = 0.0
        self.texts = 0.0
        self._folded = b""

    @functools.cached_property
    def cells(self) -> npt.NDArray[np.uint8]:
        """The counts; allocated with the second page, because most sites show only one."""
        folded, self._folded = self._folded, b""
        return _shaped(zstd.decompress(folded)) if folded else np.zeros((ROWS, WIDTH), np.uint8)

    def fold(self) -> int:
        """Take as little room as will do until it is asked again; returns how many bytes that are."""
        if "cells" in self.__dict__:
            self._folded = zstd.compress(self.cells.tobytes(), 1)
            del self.cells
        return len(self._folded)

    def add(self, keys: Keys) -> None:
        """Count one page with these texts, each once."""
        places = _places(_different(keys))
        counts = self._at(places)
        self.texts += float((counts == 0).sum())
        for row, columns in zip(self.cells, places, strict=True):
            np.maximum.at(row, columns, np.minimum(counts + 1, _FULL).astype(np.uint8))
        self.pages += 1
        if self.pages >= MOST_PAGES or self.texts >= MOST_TEXTS:
            self.cells >>= 1
            self.pages /= 2
            self.texts = float(np.count_nonzero(self.cells[0]))

    def count(self, keys: Keys) -> Floats:
        """For each text, the number of pages it stood on."""
        return self._at(_places(keys)).astype(np.float32)

    def to_bytes(self) -> bytes:
        """All that is remembered."""
        return self.cells.tobytes()

    @classmethod
    def from_bytes(cls, cells: bytes, pages: float, texts: float) -> TextSketch:
        """The sketch that was written."""
        sketch = cls()
        sketch.cells = _shaped(cells)
        sketch.pages, sketch.texts = pages, texts
        return sketch

    def _at(self, places: npt.NDArray[np.intp]) -> npt.NDArray[np.int64]:
        rows = np.arange(ROWS)[:, None]
        counts: npt.NDArray[np.int64] = self.cells[rows, places].min(axis=0).astype(np.int64)
        return counts


def _shaped(cells: bytes) -> npt.NDArray[np.uint8]:
    return np.frombuffer(cells, np.uint8).reshape(ROWS, WIDTH).copy()


def _different(keys: Keys) -> Keys:
    """Each key once; numpy's own way would load all of its masked arrays first."""
    in_order = np.sort(keys)
    is_first = np.ones(len(keys), np.bool_)
    is_first[1:] = in_order[1:] != in_order[:-1]
    return in_order[is_first]


def _places(keys: Keys) -> npt.NDArray[np.intp]:
    with np.errstate(over="ignore"):
        places: npt.NDArray[np.intp] = ((keys * _FACTORS) >> _SHIFT).astype(np.intp)
        return places
