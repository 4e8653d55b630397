"""How far is what is expected of a place true? The changes that visits to it found, for each that was expected.

The causes of change are learned one by one, and where they add up to too much the planner would visit a place for
changes that never come: one whose pages were all redone once, and then rest for months, may be expected to change five
times as often as it does. So all that is expected of a place is multiplied by what its visits of the last weeks have
found for each change that was expected of them. A section leans on its site and a site on 1, as long as little was
expected of them. What is learned of the causes themselves is not touched by it.

Pages that were never seen to change, those that changed within the last week and all others are judged apart: where the
causes give too much to the quiet pages of a place, they give too little to its lively ones. A sort of pages leans on
its place, and on how that sort is judged everywhere. That there are three was chosen on every second site of a change
log (copies 4 % less stale at 0.2 requests a page and day) and checked on the others (0.4 %).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from haenyeo.refresh.choosing import Floats
from haenyeo.refresh.columns import Array, GrowingColumns
from haenyeo.refresh.roster import Flags
from haenyeo.refresh.tide.places import POOL
from haenyeo.refresh.tide.tables import Rows, Table, add_by_row, drawn

_HOURS_A_DAY = 24
_MEMORY_DAYS = 60.0
_SITE_CHANGES = 5.0  # changes that the planner's own word counts for at a site
_SECTION_CHANGES = 10.0  # changes that the site's factor counts for in a section
_SORT_CHANGES = 10.0  # changes that this counts for where pages of one sort are judged
_EVERYWHERE_CHANGES = 50.0  # changes that an even judgement counts for among all sites
_SORTS = 3  # of pages: never changed, changed, changed lately
_LATELY = 168  # hours

Hours = npt.NDArray[np.int64]
Sorts = npt.NDArray[np.int8]


def sorts_of(changed: Hours, now: int) -> Sorts:
    """Which sort pages are of that were last seen to change at these hours, negative if they never were."""
    sorts: Sorts = (changed >= 0).astype(np.int8) + ((changed >= 0) & (now - changed < _LATELY))
    return sorts


class PlaceTrust:
    """A factor for each row and sort of pages, 1 where the planner is right."""

    def __init__(self) -> None:
        row = np.dtype((np.float32, (_SORTS,)))
        self._table = GrowingColumns({"expected": row, "found": row})
        self._factors: Table = np.ones((0, _SORTS), np.float32)

    def add_rows(self, count: int) -> None:
        """Add rows for more places."""
        self._table.extend(count)
        self._factors = np.r_[self._factors, np.ones((count, _SORTS), np.float32)]

    def fade(self, hours: int) -> None:
        """Let so many hours go by."""
        kept = np.float32(np.exp(-max(hours, 0) / (_HOURS_A_DAY * _MEMORY_DAYS)))
        for name in ("expected", "found"):
            self._table[name][:] *= kept

    def refresh(self, parents: Rows) -> None:
        """Compute the factors anew; `parents` names the row each row leans on, for a site's row the row itself."""
        expected, found = self._table["expected"], self._table["found"]
        inner = parents != np.arange(len(parents))
        above = parents[inner]
        places = _by_place(expected.sum(axis=1), found.sum(axis=1), inner, above)
        judged = (expected[~inner] * places[~inner]).sum(axis=0)
        everywhere = drawn(found[~inner].sum(axis=0), judged, _EVERYWHERE_CHANGES, 1.0)
        factors = drawn(found, expected, _SORT_CHANGES, places * everywhere)
        wider = factors[above] * places[inner] / places[above]
        factors[inner] = drawn(found[inner], expected[inner], _SORT_CHANGES, wider)
        factors[POOL] = 1  # strangers say nothing about each other
        self._factors = factors.astype(np.float32)

    def of(self, rows: Rows, sorts: Sorts) -> Floats:
        """The factors of pages of these rows and sorts."""
        factors: Floats = self._factors[rows, sorts]
        return factors

    def learn(self, rows: Rows, parents: Rows, sorts: Sorts, chance: Floats, changed: Flags) -> None:
        """Learn from visits to pages that had changed with this chance, the factor left aside."""
        inner = parents != rows
        sort = np.eye(_SORTS)[sorts]
        for name, values in (("expected", chance[:, None] * sort), ("found", changed[:, None] * sort)):
            add_by_row(self._table[name], rows, values)
            add_by_row(self._table[name], parents[inner], values[inner])

    def state(self) -> dict[str, Array]:
        """What is kept, by name."""
        return self._table.state()

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take over what `state` gave; what was kept before pages were sorted is shared out."""
        kept = {name: arrays[name] for name in ("expected", "found")}
        if kept["found"].ndim == 1:
            kept = {name: np.repeat(each[:, None] / _SORTS, _SORTS, axis=1) for name, each in kept.items()}
        self._table.restore(kept)


def _by_place(expected: Table, found: Table, inner: Flags, above: Rows) -> Table:
    """The factor of each place as a whole, as a column."""
    factors = drawn(found, expected, _SITE_CHANGES, 1.0)
    factors[inner] = drawn(found[inner], expected[inner], _SECTION_CHANGES, factors[above])
    return factors[:, None]
