"""At which hours and weekdays do pages change? A factor for each hour of the week, by place.

The factor is that of the hour of the day times that of the weekday. Every day each of them moves by what visits found
more, or less, than was expected with the factors as they are: a change that was found is shared out among the hours in
which it may have happened (expectation maximisation). Most of these hours say nothing, so that such steps are far too
short, and ones four times as long are taken (over-relaxed; Salakhutdinov & Roweis 2003): a site that changes at
midnight is known for it sooner. A section leans on its site, a site on the even week. Only visits that follow each
other within three days teach it; longer intervals say too little about the hour.
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
_MEMORY_DAYS = 30.0
_DOUBT = 3.0  # changes at an hour that the even week, or the site's in a section, counts for
_STRIDE = 4.0  # how much longer than by expectation maximisation a step is
_LONGEST = 0.7  # step, of a factor's logarithm
_SHARPEST = 4.0  # the largest logarithm of a factor


class Week:
    """The rhythm of all places; hours count from a Monday 00:00."""

    def __init__(self) -> None:
        row = np.dtype((np.float32, (_PARTS,)))
        self._table = GrowingColumns({"found": row, "expected": row, "weight": row, "logs": row})
        self._sums: Table = np.zeros((0, HOURS + 1), np.float32)

    def add_rows(self, count: int) -> None:
        """Add rows for more places; their weeks are even until `refresh`."""
        self._table.extend(count)
        even = np.arange(HOURS + 1, dtype=np.float32) / np.float32(_HOURS_A_DAY)
        self._sums = np.r_[self._sums, np.tile(even, (count, 1))]

    def refresh(self, parents: Rows) -> None:
        """Move the factors by what was found and expected since the last time, a day ago."""
        table = self._table
        table["weight"][:] = table["weight"] * np.float32(np.exp(-1 / _MEMORY_DAYS)) + table["expected"]
        stride = _STRIDE / (table["weight"] + _DOUBT)
        logs = table["logs"]
        logs += np.clip(stride * (table["found"] - table["expected"]), -_LONGEST, _LONGEST)
        table["found"][:], table["expected"][:] = 0, 0
        new = table["weight"].sum(axis=1, keepdims=True) == 0
        lean = np.where(new, 1, np.minimum(stride * _DOUBT / _MEMORY_DAYS, 1))
        inner = parents != np.arange(len(parents))
        logs[~inner] *= 1 - lean[~inner]
        logs[inner] += lean[inner] * (logs[parents[inner]] - logs[inner])
        np.clip(logs, -_SHARPEST, _SHARPEST, out=logs)
        for start in range(0, len(logs), _PIECE):
            piece = slice(start, start + _PIECE)
            np.cumsum(_spans(np.exp(logs[piece])), axis=1, out=self._sums[piece, 1:])

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

    def learn(self, rows: Rows, parents: Rows, hours: npt.NDArray[np.int64], found: Table, even: Table) -> None:
        """Count the changes found in these hours, and those expected if an even week has `even`; one line a row."""
        part = np.zeros((len(hours), _PARTS))
        part[np.arange(len(hours)), hours % _HOURS_A_DAY] = 1
        part[np.arange(len(hours)), _HOURS_A_DAY + hours // _HOURS_A_DAY % 7] = 1
        inner = parents != rows
        for places, lines in ((rows, slice(None)), (parents[inner], inner)):
            add_by_row(self._table["found"], places, found[lines] @ part)
            add_by_row(self._table["expected"], places, (even[lines] * self.during(places, hours)) @ part)

    def state(self) -> dict[str, Array]:
        """What is kept, by name."""
        return {**self._table.state(), "sums": self._sums}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take over what `state` gave."""
        self._sums = arrays["sums"]
        if "logs" not in arrays:  # kept when the factors were the changes found over those expected
            found, expected = arrays["found"], arrays["expected"]
            none = np.zeros_like(found)
            logs = np.log(drawn(found, expected, _DOUBT, 1.0))
            arrays = {"found": none, "expected": none, "weight": expected, "logs": logs}
        self._table.restore(arrays)


def _spans(parts: Table) -> Table:
    """How long each hour of the week is, in days, from the factors of its hour of the day and its weekday."""
    hour = np.arange(HOURS)
    factors = parts[:, hour % _HOURS_A_DAY] * parts[:, _HOURS_A_DAY + hour // _HOURS_A_DAY]
    spans: Table = factors / (factors.mean(axis=1, keepdims=True) * _HOURS_A_DAY)
    return spans
