"""At which hours and weekdays do pages change? A factor for each hour of the week, by place.

The factor is that of the hour of the day times that of the weekday, each the changes found over those expected, drawn
towards the site's and that towards 1. Only visits that follow each other within three days teach it; longer intervals
say too little about the hour.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from haenyeo.refresh.choosing import Floats
from haenyeo.refresh.columns import Array, GrowingColumns
from haenyeo.refresh.tide.tables import Rows, Table, add_by_row, drawn

HOURS = 168
TELLING_HOURS = 72
_HOURS_A_DAY = 24
_PARTS = 24 + 7  # hours of the day, then weekdays
_PIECE = 1024  # rows computed at a time
_SITE_CHANGES = 3.0  # changes that the even week counts for at a site
_SECTION_CHANGES = 10.0  # changes that the site's week counts for in a section


class Week:
    """The rhythm of all places; hours count from a Monday 00:00."""

    def __init__(self) -> None:
        row = np.dtype((np.float32, (_PARTS,)))
        self._table = GrowingColumns({"found": row, "expected": row})
        self._sums: Table = np.zeros((0, HOURS + 1), np.float32)

    def add_rows(self, count: int) -> None:
        """Add rows for more places; their weeks are even until `refresh`."""
        self._table.extend(count)
        even = np.arange(HOURS + 1, dtype=np.float32) / np.float32(_HOURS_A_DAY)
        self._sums = np.r_[self._sums, np.tile(even, (count, 1))]

    def refresh(self, parents: Rows) -> None:
        """Compute the factors anew."""
        found, expected = self._table["found"], self._table["expected"]
        sites = parents == np.arange(len(parents))
        parts = drawn(found, expected, _SITE_CHANGES, 1.0)
        parts[~sites] = drawn(found[~sites], expected[~sites], _SECTION_CHANGES, parts[parents[~sites]])
        for start in range(0, len(parts), _PIECE):
            piece = slice(start, start + _PIECE)
            np.cumsum(_spans(parts[piece]), axis=1, out=self._sums[piece, 1:])

    def during(self, rows: Rows, hours: npt.NDArray[np.int64]) -> Table:
        """The factors of these hours, one line a row."""
        sums, hour = self._sums[rows], hours % HOURS
        factors: Table = (sums[:, hour + 1] - sums[:, hour]) * np.float32(_HOURS_A_DAY)
        return factors

    def everywhere(self, hours: npt.NDArray[np.int64]) -> Table:
        """The factors of these hours for all rows."""
        hour = hours % HOURS
        factors: Table = (self._sums[:, hour + 1] - self._sums[:, hour]) * np.float32(_HOURS_A_DAY)
        return factors

    def days(self, rows: Rows, since: Rows, now: int) -> Floats:
        """The days from these hours to now, each hour counted by its factor."""
        weeks, hours = np.divmod(since, HOURS)
        week, hour = divmod(now, HOURS)
        flat = rows * np.int64(HOURS + 1)
        sums = self._sums.ravel()
        result: Floats = sums[flat + hour] - sums[flat + hours] + np.float32(7) * (week - weeks).astype(np.float32)
        return result

    def learn(self, rows: Rows, parents: Rows, hours: npt.NDArray[np.int64], found: Table, expected: Table) -> None:
        """Count the changes found in these hours, and those an even week would have; one line a row."""
        part = np.zeros((len(hours), _PARTS))
        part[np.arange(len(hours)), hours % _HOURS_A_DAY] = 1
        part[np.arange(len(hours)), _HOURS_A_DAY + hours // _HOURS_A_DAY % 7] = 1
        inner = parents != rows
        for table, values in ((self._table["found"], found @ part), (self._table["expected"], expected @ part)):
            add_by_row(table, rows, values)
            add_by_row(table, parents[inner], values[inner])

    def state(self) -> dict[str, Array]:
        """What is kept, by name."""
        return {**self._table.state(), "sums": self._sums}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take over what `state` gave."""
        self._table.restore(arrays)
        self._sums = arrays["sums"]


def _spans(parts: Table) -> Table:
    """How long each hour of the week is, in days, from the factors of its hour of the day and its weekday."""
    hour = np.arange(HOURS)
    factors = parts[:, hour % _HOURS_A_DAY] * parts[:, _HOURS_A_DAY + hour // _HOURS_A_DAY]
    spans: Table = factors / (factors.mean(axis=1, keepdims=True) * _HOURS_A_DAY)
    return spans
