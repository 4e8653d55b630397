"""The planner of Cho, Lee & Choi 2013: groups by weekly changes, visited by a table of weekday and hour.

For the first four weeks all pages are visited in turn, as often as the budget allows (the paper visits each every 20
minutes). Then each page gets its group and its hour, and again every four weeks, from all that has been found until
then. A page is due when its hour in the table has come since its last visit.

A change is found at a visit, but it happened somewhere between that visit and the one before. While the paper looks
every 20 minutes that is the same; once the table is in force, a page of the day is looked at by night alone. So a
change counts for day or night as far as the time between the two visits tells them apart, and not by when it was found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import ClassVar

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.model.errors import UsageError
from haenyeo.model.parts import Goal
from haenyeo.model.zones import zone_named
from haenyeo.refresh.address_book import Numbers
from haenyeo.refresh.choosing import NOT_NOW, Floats
from haenyeo.refresh.columns import Array
from haenyeo.refresh.groups.cycles import DAYS_A_WEEK, Cycle, cycles, fine_group
from haenyeo.refresh.groups.table import DAY_BREAKS, MIDNIGHT, NIGHT_FALLS, NOON, DayHours, latest_slot, local_seconds
from haenyeo.refresh.roster import Flags
from haenyeo.refresh.urgency import DAY, UrgencyPlanner

LEARNING_DAYS = 28
_UNGROUPED = 255


class GroupedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page and its group: one of sixteen by its changes a week, one of six by which it is visited.

    `cycle` is None while the page is still watched in turn.
    """

    url: str
    changes: int
    changes_a_week: float
    group: str
    cycle: Cycle | None
    by_day: bool


class Groups(UrgencyPlanner):
    """Visits each page when the table says so; with a budget too small for the table, the page furthest behind.

    `time_zone` is that of day and night and of the table. `learning_days` pass before a page has its group, and before
    all groups are computed anew. It is day from `day_breaks` to `night_falls`; pages that change by day are visited at
    `visit_day_pages`, those that change by night at `visit_night_pages`, in hours of the named day.
    """

    name: ClassVar[str] = "groups"
    columns: ClassVar[Mapping[str, npt.DTypeLike]] = {
        "added": np.uint32,
        "changes": np.uint32,
        "evidence": np.float32,
        "by_day": np.uint8,
        "cycle": np.uint8,
    }
    _grouped_at = 0

    def __init__(  # noqa: PLR0913 - the constants of the paper
        self,
        *,
        per_day: float,
        goal: Goal = "fresh",
        max_age: timedelta | None = None,
        time_zone: str = "UTC",
        learning_days: float = LEARNING_DAYS,
        day_breaks: int = DAY_BREAKS,
        night_falls: int = NIGHT_FALLS,
        visit_night_pages: int = NOON,
        visit_day_pages: int = MIDNIGHT,
    ) -> None:
        super().__init__(per_day=per_day, goal=goal, max_age=max_age)
        if not (
            0 <= day_breaks < night_falls <= MIDNIGHT and night_falls - day_breaks < MIDNIGHT and learning_days > 0
        ):
            raise UsageError(f"a day from {day_breaks} to {night_falls} o'clock, or learning in {learning_days} days")
        self.learning_days = learning_days
        self.zone = zone_named(time_zone)
        self.hours = DayHours(
            breaks=day_breaks, falls=night_falls, for_night=visit_night_pages, for_day=visit_day_pages
        )

    def pages(self, now: float) -> list[GroupedPage]:
        """Every page with the group it has by now; the pages that changed most often first."""
        page, moment = self._roster, self._turn_to(now)
        self._group_if_due(moment)
        weeks = np.maximum(self._weeks_watched(moment), 1 / DAYS_A_WEEK)
        rates = self._changes_a_week(np.ones(len(page), np.bool_), weeks)
        order = np.lexsort((np.arange(len(page)), -rates))
        order = order[self._alive()[order]]
        return [
            GroupedPage(
                url=url,
                changes=int(page["changes"][number]),
                changes_a_week=float(rates[number]),
                group=fine_group(float(rates[number])),
                cycle=None if page["cycle"][number] == _UNGROUPED else Cycle(int(page["cycle"][number])),
                by_day=bool(page["evidence"][number] >= 0),
            )
            for url, number in zip(page.addresses.urls(order), order.tolist(), strict=True)
        ]

    def _greet(self, pages: Numbers, urls: Sequence[str], sites: Sequence[str], now: int) -> None:
        self._roster["added"][pages] = now
        self._roster["cycle"][pages] = _UNGROUPED

    def _urgency(self, now: int) -> Floats:
        page = self._roster
        self._group_if_due(now)
        waited: Floats = (now - page["visited"].astype(np.float64)) / DAY
        urgency = np.where(page["cycle"] == _UNGROUPED, waited, NOT_NOW)
        for cycle in Cycle:
            for by_day in (True, False):
                slot = latest_slot(cycle, now, by_day=by_day, hours=self.hours, zone=self.zone)
                due = (page["cycle"] == cycle) & (page["by_day"] == by_day) & (page["visited"] < slot)
                urgency[due] = waited[due] * cycle.visits_a_week / DAYS_A_WEEK
        return urgency

    def _learn(self, pages: Numbers, days: Floats, changed: Flags, now: int) -> None:
        found, ended = pages[changed], np.full(int(changed.sum()), float(local_seconds(now, self.zone)))
        self._roster["changes"][found] += 1
        self._roster["evidence"][found] += self.hours.evidence(ended - days[changed] * DAY, ended)

    def _group_if_due(self, now: int) -> None:
        if now - self._grouped_at >= self._grouping_days() * DAY:
            self._group(now)

    def _weeks_watched(self, now: int) -> Floats:
        """For how long each page was watched: to its last visit, what is unseen since then may have changed.

        As long as it is learned, it is watched all the time.
        """
        page = self._roster
        added = page["added"].astype(np.float64)
        learned = np.minimum(now - added, self.learning_days * DAY)
        watched: Floats = np.maximum(np.minimum(page["visited"], now) - added, learned) / (DAYS_A_WEEK * DAY)
        return watched

    def _group(self, now: int) -> None:
        """Compute the groups anew for all pages that were watched long enough."""
        page = self._roster
        weeks = self._weeks_watched(now)
        watched = weeks >= self.learning_days / DAYS_A_WEEK
        page["cycle"][watched] = cycles(self._changes_a_week(watched, weeks[watched]))
        page["by_day"][watched] = page["evidence"][watched] >= 0
        self._grouped_at = now

    def _grouping_days(self) -> float:
        """The days between two groupings."""
        return self.learning_days

    def _changes_a_week(self, watched: Flags, weeks: Floats) -> Floats:
        """How often these pages change, which were watched for so many weeks: as often as visits have found it."""
        rates: Floats = self._roster["changes"][watched] / weeks
        return rates

    def _state(self) -> tuple[dict[str, Array], dict[str, list[str]]]:
        return {"grouped_at": np.array([self._grouped_at], np.int64)}, {}

    def _restore(self, arrays: Mapping[str, Array], texts: Mapping[str, list[str]]) -> None:
        self._grouped_at = int(arrays["grouped_at"][0])
