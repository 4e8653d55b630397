"""Tables that grow at the end: one number a row, or a few lists of numbers a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from haenyeo.find.learned.features.words import TABLE

_FIRST_ROOM = 256

Numbers = npt.NDArray[Any]
Rows = npt.NDArray[np.int64]


class Column:
    """One number a row, or a few when `shape` says so."""

    def __init__(self, dtype: npt.DTypeLike, shape: tuple[int, ...] = ()) -> None:
        self._room: Numbers = np.zeros((_FIRST_ROOM, *shape), dtype)  # zeros behind the rows
        self.values: Numbers = self._room[:0]
        """All rows; writing to them changes them, until the column grows."""

    def __len__(self) -> int:
        return len(self.values)

    def extend(self, values: Sequence[float] | Numbers) -> None:
        """Add rows."""
        self.grow(len(values))[:] = values

    def grow(self, rows: int) -> Numbers:
        """Add rows of zeros and return them, to be written to."""
        room, start = self._room, len(self.values)
        end = start + rows
        if end > len(room):
            more = np.zeros((max(end, len(room)), *room.shape[1:]), room.dtype)
            room = self._room = np.concatenate([room, more])
        self.values = room[:end]
        return room[start:end]

    def replace(self, values: Numbers) -> None:
        """Replace all rows by these."""
        self._room = np.array(values, self._room.dtype, order="C")
        self.values = self._room[:]


class Lists:
    """Lists of places in a table of weights; a row has one of each of its `kinds`, all of them end to end."""

    def __init__(self, kinds: int = 1) -> None:
        self.kinds = kinds
        self._flat = Column(np.int32)
        self._ends = Column(np.int64, (kinds,))

    def __len__(self) -> int:
        return len(self._ends)

    @property
    def flat(self) -> Numbers:
        """All places, row after row and kind after kind."""
        return self._flat.values

    @property
    def ends(self) -> Numbers:
        """Where in `flat` each list ends: a row for each row, a column for each kind."""
        return self._ends.values

    def extend(self, flat: Numbers, ends: Numbers) -> None:
        """Add rows, whose ends count from the first of the new places."""
        self._ends.extend(ends.reshape(-1, self.kinds) + len(self._flat))
        self._flat.extend(flat)

    def row(self, number: int, kind: int = 0) -> list[int]:
        """The places of one list."""
        ends = self._ends.values.reshape(-1)
        last = number * self.kinds + kind
        places: list[int] = self.flat[int(ends[last - 1]) if last else 0 : int(ends[last])].tolist()
        return places

    def bounds(self, kind: int) -> tuple[Rows, Rows]:
        """Where the lists of a kind begin and end."""
        ends = self._ends.values.reshape(-1)
        starts = np.concatenate([np.zeros(1, np.int64), ends])[kind :: self.kinds][: len(self)]
        return starts, ends[kind :: self.kinds]

    def keep(self, rows: Rows) -> None:
        """Forget all rows but these, which are given in order and numbered anew."""
        kept = np.zeros(len(self), np.bool_)
        kept[rows] = True
        starts = self.bounds(0)[0]
        counts = self.ends[:, -1] - starts
        ends = (self.ends - starts[:, None])[rows]
        before = counts[rows].cumsum() - counts[rows]
        self._flat.replace(self.flat[kept.repeat(counts)])
        self._ends.replace(ends + before[:, None])

    def state(self) -> dict[str, Numbers]:
        """What `restore` needs."""
        return {"flat": self.flat, "lengths": np.diff(self.ends.reshape(-1), prepend=0)}

    def restore(self, state: dict[str, Numbers]) -> None:
        """Become what another one was when it gave its state; raises `ValueError` if that does not fit together."""
        flat, lengths = state["flat"], state["lengths"]
        if int(lengths.min(initial=0)) < 0 or int(lengths.sum(dtype=np.int64)) != len(flat):
            raise ValueError("lists are not as long as they should be together")
        if len(flat) and not 0 <= int(flat.min()) <= int(flat.max()) < TABLE:
            raise ValueError("a list has a place that is none of the table")
        self._flat.replace(flat)
        self._ends.replace(lengths.cumsum(dtype=np.int64).reshape(-1, self.kinds))
