"""The groups of Cho, Lee & Choi 2013, learnt again from what visits of the table can tell.

A visit tells whether a page changed since the last one, not how often. A page that the table visits once a week can
show one change a week at most, so rates counted from visits can hardly rise. Here a rate is estimated from intervals
with and without a change: of a Poisson page with X changed intervals of mean length L and U days in unchanged ones the
likeliest rate is log(1 + XL/U) / L (Cho & Garcia-Molina 2003, section 5, for intervals of one length). Half an interval
is added to U, older intervals count less and less, and groups are computed anew every week.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from haenyeo.refresh.address_book import Numbers
from haenyeo.refresh.choosing import Floats
from haenyeo.refresh.groups.cycles import DAYS_A_WEEK
from haenyeo.refresh.groups.planner import Groups
from haenyeo.refresh.roster import Flags

GROUPING_DAYS = 7.0
HALF_LIFE_DAYS = 56.0
"""After so many days an interval counts half."""
_LEAST_INTERVAL = 1 / 72  # days


class RelearntGroups(Groups):
    """As `groups`, with rates from intervals between visits; see there for the options."""

    name: ClassVar[str] = "groups-plus"
    columns: ClassVar[Mapping[str, npt.DTypeLike]] = {
        **Groups.columns,
        "changed": np.float32,
        "days_changed": np.float32,
        "days_unchanged": np.float32,
    }

    def _learn(self, pages: Numbers, days: Floats, changed: Flags, now: int) -> None:
        super()._learn(pages, days, changed, now)
        page = self._roster
        kept = 0.5 ** (days / HALF_LIFE_DAYS)
        page["changed"][pages] = page["changed"][pages] * kept + changed
        page["days_changed"][pages] = page["days_changed"][pages] * kept + np.where(changed, days, 0.0)
        page["days_unchanged"][pages] = page["days_unchanged"][pages] * kept + np.where(changed, 0.0, days)

    def _grouping_days(self) -> float:
        return GROUPING_DAYS

    def _changes_a_week(self, watched: Flags, weeks: Floats) -> Floats:
        page = self._roster
        total = page["days_changed"][watched].astype(np.float64)
        length = np.maximum(total / np.maximum(page["changed"][watched], 1e-6), _LEAST_INTERVAL)
        rates: Floats = np.log1p(total / (page["days_unchanged"][watched] + length / 2)) / length
        return DAYS_A_WEEK * rates
