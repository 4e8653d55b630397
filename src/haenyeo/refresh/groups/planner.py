"""The planner of Cho, Lee & Choi 2013: groups by weekly changes, visited by a table of weekday and hour.

For the first four weeks all pages are visited in turn, as often as the budget allows (the paper visits each every 20
minutes). Then each page gets its group and its hour, and again every four weeks, from all that has been found until
then. A page is due when its hour in the table has come since its last visit. Hours are UTC.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from haenyeo.refresh.address_book import Numbers
from haenyeo.refresh.choosing import NOT_NOW, Floats
from haenyeo.refresh.columns import Array
from haenyeo.refresh.groups.cycles import DAYS_A_WEEK, Cycle, cycles
from haenyeo.refresh.groups.table import by_day, latest_slot
from haenyeo.refresh.roster import Flags
from haenyeo.refresh.urgency import DAY, HOUR, UrgencyPlanner

LEARNING_DAYS = 28
_UNGROUPED = 255


class Groups(UrgencyPlanner):
    """Visits each page when the table says so; with a budget too small for the table, the page furthest behind."""

    name: ClassVar[str] = "groups"
    columns: ClassVar[Mapping[str, npt.DTypeLike]] = {
        "added": np.uint32,
        "changes": np.uint32,
        "changes_by_day": np.uint32,
        "cycle": np.uint8,
    }
    _grouped_at = 0

    def _greet(self, pages: Numbers, urls: Sequence[str], sites: Sequence[str], now: int) -> None:
        self._roster["added"][pages] = now
        self._roster["cycle"][pages] = _UNGROUPED

    def _urgency(self, now: int) -> Floats:
        page = self._roster
        if now - self._grouped_at >= LEARNING_DAYS * DAY:
            self._group(now)
        waited: Floats = (now - page["visited"].astype(np.float64)) / DAY
        urgency = np.where(page["cycle"] == _UNGROUPED, waited, NOT_NOW)
        day_page = 2 * page["changes_by_day"] >= page["changes"]
        for cycle in Cycle:
            for changes_by_day in (True, False):
                slot = latest_slot(cycle, changes_by_day, now)
                due = (page["cycle"] == cycle) & (day_page == changes_by_day) & (page["visited"] < slot)
                urgency[due] = waited[due] * cycle.visits_a_week / DAYS_A_WEEK
        return urgency

    def _learn(self, pages: Numbers, days: Floats, changed: Flags, now: int) -> None:
        self._roster["changes"][pages] += changed
        if by_day(now // HOUR % 24):
            self._roster["changes_by_day"][pages] += changed

    def _group(self, now: int) -> None:
        """Compute the groups anew for all pages that were watched long enough."""
        page = self._roster
        weeks = (now - page["added"].astype(np.float64)) / (DAYS_A_WEEK * DAY)
        watched = weeks >= LEARNING_DAYS / DAYS_A_WEEK
        rates = page["changes"][watched] / weeks[watched]
        page["cycle"][watched] = cycles(rates)
        self._grouped_at = now

    def _state(self) -> tuple[dict[str, Array], dict[str, list[str]]]:
        return {"grouped_at": np.array([self._grouped_at], np.int64)}, {}

    def _restore(self, arrays: Mapping[str, Array], texts: Mapping[str, list[str]]) -> None:
        self._grouped_at = int(arrays["grouped_at"][0])
