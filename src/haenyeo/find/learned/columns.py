"""Tables that grow at the end: one number a row, or a list of numbers a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

_FIRST_ROOM = 256

Numbers = npt.NDArray[Any]
Rows = npt.NDArray[np.int64]


class Column:
    """One number a row, or a few when `shape` says so."""

    def __init__(self, dtype: npt.DTypeLike, shape: tuple[int, ...] = ()) -> None:
        self._room: Numbers = np.zeros((_FIRST_ROOM, *shape), dtype)
        self._rows = 0

    def __len__(self) -> int:
        return self._rows

    @property
    def values(self) -> Numbers:
        """All rows; writing to them changes them, until the column grows."""
        return self._room[: self._rows]

    def extend(self, values: Sequence[float] | Numbers) -> None:
        """Add rows."""
        end = self._rows + len(values)
        if end > len(self._room):
            self._room = np.concatenate(
                [self._room, np.zeros((max(end, len(self._room)), *self._room.shape[1:]), self._room.dtype)]
            )
        self._room[self._rows : end] = values
        self._rows = end

    def replace(self, values: Numbers) -> None:
        """Have these rows instead."""
        self._room, self._rows = values.astype(self._room.dtype), len(values)


class Lists:
    """A list of places in a table of weights, a row."""

    def __init__(self) -> None:
        self._flat = Column(np.int32)
        self._ends = Column(np.int64)

    def __len__(self) -> int:
        return len(self._ends)

    @property
    def lengths(self) -> Rows:
        """How many places each row has."""
        return np.diff(self._ends.values, prepend=0)

    def extend(self, lists: Iterable[Sequence[int]]) -> None:
        """Add rows."""
        start = len(self._flat)
        flat: list[int] = []
        ends = []
        for places in lists:
            flat += places
            ends.append(start + len(flat))
        self._flat.extend(flat)
        self._ends.extend(ends)

    def row(self, number: int) -> list[int]:
        """The places of one row."""
        start = int(self._ends.values[number - 1]) if number else 0
        places: list[int] = self._flat.values[start : int(self._ends.values[number])].tolist()
        return places

    def sums(self, weights: Numbers, *, first: int = 0, mask: int = 0) -> npt.NDArray[np.float64]:
        """The sum of the weights of each row from row `first` on; `mask` turns a place into that of another kind."""
        ends = self._ends.values[first:]
        start = int(self._ends.values[first - 1]) if first else 0
        places = self._flat.values[start:]
        running = np.zeros(len(places) + 1)
        np.cumsum(weights[places ^ mask if mask else places], out=running[1:])
        totals = running[ends - start]
        return np.diff(totals, prepend=0.0)

    def taken(self, rows: Rows) -> tuple[npt.NDArray[np.int32], Rows]:
        """The places of some rows, one after the other, and for each the number of its row within `rows`."""
        ends = self._ends.values
        counts = ends[rows] - np.where(rows > 0, ends[rows - 1], 0)
        owners = np.repeat(np.arange(len(rows)), counts)
        begins = ends[rows] - np.cumsum(counts)
        return self._flat.values[np.arange(len(owners)) + begins[owners]], owners

    def keep(self, rows: Rows) -> None:
        """Forget all rows but these, which are numbered anew in this order."""
        places, owners = self.taken(rows)
        self._flat.replace(places)
        self._ends.replace(np.cumsum(np.bincount(owners, minlength=len(rows))))

    def state(self) -> dict[str, Numbers]:
        """What `restore` needs."""
        return {"flat": self._flat.values, "ends": self._ends.values}

    def restore(self, state: dict[str, Numbers]) -> None:
        """Become what another one was when it gave its state."""
        self._flat.replace(state["flat"])
        self._ends.replace(state["ends"])
