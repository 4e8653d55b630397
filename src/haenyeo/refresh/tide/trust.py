"""How far is what is expected of a place true? The changes that visits to it found, for each that was expected.

The causes of change are learned one by one, and where they add up to too much the planner would visit a place for
changes that never come: one whose pages were all redone once, and then rest for months, may be expected to change five
times as often as it does. So all that is expected of a place is multiplied by what its visits of the last weeks have
found for each change that was expected of them. A section leans on its site and a site on 1, as long as little was
expected of them. What is learned of the causes themselves is not touched by it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from haenyeo.refresh.choosing import Floats
from haenyeo.refresh.columns import Array, GrowingColumns
from haenyeo.refresh.roster import Flags
from haenyeo.refresh.tide.places import POOL
from haenyeo.refresh.tide.tables import Rows, Table, add_by_row, drawn

_HOURS_A_DAY = 24
_MEMORY_DAYS = 60.0
_SITE_CHANGES = 5.0  # changes that the planner's own word counts for at a site
_SECTION_CHANGES = 10.0  # changes that the site's factor counts for in a section


class PlaceTrust:
    """A factor for each row, 1 where the planner is right."""

    def __init__(self) -> None:
        self._table = GrowingColumns({"expected": np.float32, "found": np.float32})
        self._factors: Table = np.ones(0, np.float32)

    def add_rows(self, count: int) -> None:
        """Add rows for more places."""
        self._table.extend(count)
        self._factors = np.r_[self._factors, np.ones(count, np.float32)]

    def fade(self, hours: int) -> None:
        """Let so many hours go by."""
        kept = np.float32(np.exp(-max(hours, 0) / (_HOURS_A_DAY * _MEMORY_DAYS)))
        for name in ("expected", "found"):
            self._table[name][:] *= kept

    def refresh(self, parents: Rows) -> None:
        """Compute the factors anew; `parents` names the row each row leans on, for a site's row the row itself."""
        expected, found = self._table["expected"], self._table["found"]
        factors = drawn(found, expected, _SITE_CHANGES, 1.0)
        inner = parents != np.arange(len(parents))
        factors[inner] = drawn(found[inner], expected[inner], _SECTION_CHANGES, factors[parents[inner]])
        factors[POOL] = 1  # strangers say nothing about each other
        self._factors = factors.astype(np.float32)

    def of(self, rows: Rows) -> Floats:
        """The factors of these rows."""
        factors: Floats = self._factors[rows]
        return factors

    def learn(self, rows: Rows, parents: Rows, chance: Floats, changed: Flags) -> None:
        """Learn from visits to pages of these rows that had changed with this chance, the factor left aside."""
        inner = parents != rows
        for name, values in (("expected", chance), ("found", changed.astype(np.float64))):
            add_by_row(self._table[name], rows, values)
            add_by_row(self._table[name], parents[inner], values[inner])

    def state(self) -> dict[str, Array]:
        """What is kept, by name."""
        return self._table.state()

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take over what `state` gave."""
        self._table.restore(arrays)
