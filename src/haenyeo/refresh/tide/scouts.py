"""When is a page worth a visit for what it tells of its siblings? Scouts.

Pages that a place changes together are found changed together, so they are visited at the same moments, and after that
for days not one of them is: a change of all of them stays unseen as long. One page of the place, visited in between,
would tell. If a place's pages change together `usual` times a day, and so much as `together` of them at a time, then a
visit to one of `size` pages, t days after the last visit to any, is worth

    size * usual * together * t² / 2        days of freshness

which is what a visit to a page is worth that changes so often (see `worth`; for short waits). It is added to what the
most urgent page of the place is worth by itself. `together` is learned from visits made at the same time: where one was
found changed, the share of the others that were too.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from haenyeo.refresh.choosing import Floats
from haenyeo.refresh.columns import Array, GrowingColumns
from haenyeo.refresh.roster import Flags
from haenyeo.refresh.tide.places import POOL
from haenyeo.refresh.tide.tables import Rows, Table, drawn

_HOURS_A_DAY = 24
_TOGETHER = 0.3  # of a place's pages that change when one does, before anything was seen
_TOGETHER_CHANGES = 10.0  # changes that this counts for


class Scouts:
    """When each place was last looked at, and how far its pages change together; hours count from some beginning."""

    def __init__(self) -> None:
        self._table = GrowingColumns({"seen": np.int32, "both": np.float32, "changes": np.float32})

    def add_rows(self, count: int, hour: int) -> None:
        """Add rows for more places, met at this hour."""
        self._table.extend(count, seen=hour)

    def look(self, rows: Rows, hour: int) -> None:
        """Note that pages of these rows were visited."""
        self._table["seen"][rows] = hour

    def learn(self, rows: Rows, changed: Flags) -> None:
        """Learn from visits made at the same time to pages of these rows."""
        size = len(self._table)
        visits = np.bincount(rows, minlength=size)
        changes = np.bincount(rows, weights=changed, minlength=size)
        several = (visits > 1) & (changes > 0)
        self._table["changes"][several] += changes[several]
        self._table["both"][several] += (changes * (changes - 1))[several] / (visits - 1)[several]

    def worth(self, sizes: Floats, usual: Table, hour: int) -> Floats:
        """What a visit to any page of each row is worth for its siblings, in days of freshness."""
        together = drawn(self._table["both"], self._table["changes"], _TOGETHER_CHANGES, _TOGETHER)
        days = np.maximum(hour - self._table["seen"], 0) / _HOURS_A_DAY
        worth: Floats = sizes * usual * together * days**2 / 2
        worth[sizes < 2] = 0  # noqa: PLR2004  a page alone has no siblings
        worth[POOL] = 0
        return worth

    def rebase(self, hours: int) -> None:
        """Count hours from a later beginning."""
        self._table["seen"][:] -= hours

    def state(self) -> dict[str, Array]:
        """What is kept, by name."""
        return self._table.state()

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take over what `state` gave."""
        self._table.restore(arrays)


class MostUrgent:
    """The most urgent page of each row, and how many pages it has, found piece by piece."""

    def __init__(self, rows: int) -> None:
        self.sizes = np.zeros(rows)
        self.pages: npt.NDArray[np.int64] = np.full(rows, -1, np.int64)
        self._urgency = np.full(rows, -np.inf, np.float32)

    def take(self, rows: Rows, share: Floats, urgency: Floats, start: int) -> None:
        """Take in the pages from this number on."""
        self.sizes += np.bincount(rows, weights=share, minlength=len(self.sizes))
        best = self._urgency.copy()
        np.maximum.at(best, rows, urgency)
        better = np.flatnonzero((urgency >= best[rows]) & (urgency > self._urgency[rows]))[::-1]
        self.pages[rows[better]] = better + start  # of equals the first
        self._urgency = best
