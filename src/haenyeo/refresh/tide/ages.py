"""How does a page's age count? Extra changes by the time since some event, learned by place.

Pages are edited soon after they are born and soon after an edit, and each site has its own habit: a page of a day's
news changes for a day and never again. A habit is a rate of change for each stretch of age, the stretches doubling from
one hour on. It is learned from visits by expectation maximisation: a change that was found is shared out among all that
may have caused it, in proportion. A section leans on its site, a site on all sites, as long as little was seen.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from haenyeo.refresh.choosing import Floats
from haenyeo.refresh.columns import Array, GrowingColumns
from haenyeo.refresh.tide.tables import Rows, add_by_row, drawn

_EDGES = np.array([0, *(2**power for power in range(13)), 1 << 24], np.int64)  # hours
_HOURS_A_DAY = 24
_STRETCHES = len(_EDGES) - 1
_WIDTHS = (np.diff(_EDGES) / _HOURS_A_DAY).astype(np.float32)
_STRETCH_OF = np.repeat(np.arange(_STRETCHES, dtype=np.int8), np.minimum(np.diff(_EDGES), 4096))
_OLDEST = len(_STRETCH_OF) - 1
_SLOPE = 1.12  # the prior falls with age, a little faster than its inverse


class Ages:
    """One habit for each row; `first_rate` is what is expected on the first day before anything was seen.

    `weights` are the page-days that the prior of all sites, of a site and of a section each count for.
    """

    def __init__(self, first_rate: float, weights: tuple[float, float, float]) -> None:
        ages = np.maximum(1.0, np.r_[_EDGES[1:-1], 300 * _HOURS_A_DAY] / _HOURS_A_DAY)
        self._prior = first_rate * ages**-_SLOPE
        self._weights = weights
        row = np.dtype((np.float32, (_STRETCHES,)))
        self._table = GrowingColumns({"counts": row, "days": row})
        self._rates: npt.NDArray[np.float32] = np.empty((0, _STRETCHES), np.float32)
        self._sums: npt.NDArray[np.float32] = np.empty((0, _STRETCHES), np.float32)

    def add_rows(self, count: int) -> None:
        """Add rows for more places."""
        self._table.extend(count)

    def refresh(self, parents: Rows) -> None:
        """Compute the rates anew; `parents` names the row each row leans on, for a site's row the row itself."""
        counts, days = self._table["counts"].astype(np.float64), self._table["days"].astype(np.float64)
        everywhere, at_site, at_section = self._weights
        sites = parents == np.arange(len(parents))
        usual = drawn(counts[sites].sum(axis=0), days[sites].sum(axis=0), everywhere, self._prior)
        rates = drawn(counts, days, at_site, usual)
        rates[~sites] = drawn(counts[~sites], days[~sites], at_section, rates[parents[~sites]])
        self._rates = rates.astype(np.float32)
        self._sums = np.zeros_like(self._rates)
        np.cumsum(self._rates[:, :-1] * _WIDTHS[:-1], axis=1, out=self._sums[:, 1:])

    def expected(self, rows: Rows, ages: Rows) -> Floats:
        """The changes expected up to these ages, in hours."""
        stretch = _STRETCH_OF[np.minimum(ages, _OLDEST)]
        within = (ages - _EDGES[stretch]).astype(np.float32) / np.float32(_HOURS_A_DAY)
        result: Floats = self._sums[rows, stretch] + self._rates[rows, stretch] * within
        return result

    def rate(self, rows: Rows, ages: Rows) -> Floats:
        """The changes expected a day at these ages."""
        return self._rates[rows, _STRETCH_OF[np.minimum(ages, _OLDEST)]]

    def learn(self, rows: Rows, parents: Rows, ages: tuple[Rows, Rows], found: Floats) -> None:
        """Learn from pages of these rows watched from one age to another.

        `found` is 1 / chance where a change was found, and 0 elsewhere.
        """
        begun, ended = ages[0][:, None], ages[1][:, None]
        days = np.maximum(np.minimum(ended, _EDGES[1:]) - np.maximum(begun, _EDGES[:-1]), 0) / _HOURS_A_DAY
        counts = days * self._rates[rows] * found[:, None]
        inner = parents != rows
        for table, values in ((self._table["counts"], counts), (self._table["days"], days)):
            add_by_row(table, rows, values)
            add_by_row(table, parents[inner], values[inner])

    def state(self) -> dict[str, Array]:
        """What is kept, by name."""
        return self._table.state()

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take over what `state` gave."""
        self._table.restore(arrays)
