"""The coming week: when revisits are planned, when changes are expected, and what a larger budget would buy.

A copy of the planner is taken through the week hour by hour. Nothing is learned on the way, so what it says is what it
believes now.
"""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

import msgspec
import numpy as np

from haenyeo.collect.service.planning import planner_of
from haenyeo.collect.visit.bucket import Bucket
from haenyeo.model.config import Settings
from haenyeo.model.parts import RevisitPlanner
from haenyeo.model.zones import zone_named

HOUR = 3600
HOURS = 168
LOOKS_EVERY = 6  # hours between two estimates of freshness
BUDGETS = {"half": 0.5, "whole": 1.0, "double": 2.0}
FURTHER = (0.125, 0.25, 0.75, 1.5, 3.0, 4.0)  # further shares of the budget for a whole curve

Heat = tuple[tuple[float, ...], ...]
"""Seven days of 24 hours, Monday first, in the time zone of the settings."""


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """The coming week; `changes` and `freshness` are empty when the planner has no idea of them.

    `freshness` is the mean share of copies that are up to date, for half, the whole and double the budget.
    """

    at: datetime
    pages: int
    per_day: float
    planner: str
    time_zone: str = "UTC"
    visits: Heat
    changes: Heat = ()
    freshness: dict[str, float] = {}
    first: tuple[str, ...] = ()


class Forecaster:
    """Looks ahead from what a planner knows at a moment."""

    def __init__(self, settings: Settings, state: bytes, per_day: float) -> None:
        self._settings, self._state, self._per_day = settings, state, per_day

    def week(self, now: float) -> Forecast:
        """The week that begins with the next full hour."""
        start = int(now // HOUR + 1) * HOUR
        weeks = {name: self._simulated(start, self._per_day * factor) for name, factor in BUDGETS.items()}
        visits, _ = weeks["whole"]
        planner = self._planner(self._per_day)
        return Forecast(
            at=datetime.fromtimestamp(now, UTC),
            pages=planner.planned(),
            per_day=self._per_day,
            planner=self._settings.strategy.planner,
            time_zone=self._settings.refresh.time_zone,
            visits=self._heat(start, visits),
            changes=self._heat(start, self._changes(start)),
            freshness={name: fresh for name, (_, fresh) in weeks.items() if fresh is not None},
            first=tuple(planner.due(start, 10)),
        )

    def freshness_by_budget(self, now: float, forecast: Forecast) -> tuple[tuple[float, float], ...]:
        """Pairs of requests a day and the mean freshness they buy, from an eighth to four times the budget.

        Empty when the planner has no idea of freshness.
        """
        if not forecast.freshness:
            return ()
        start = int(now // HOUR + 1) * HOUR
        known = {BUDGETS[name]: fresh for name, fresh in forecast.freshness.items()}
        further = {factor: self._simulated(start, self._per_day * factor)[1] for factor in FURTHER}
        shares = sorted((known | further).items())
        return tuple((self._per_day * factor, fresh) for factor, fresh in shares if fresh is not None)

    def _planner(self, per_day: float) -> RevisitPlanner:
        planner = planner_of(self._settings, per_day)
        planner.load(self._state)
        return planner

    def _simulated(self, start: int, per_day: float) -> tuple[list[float], float | None]:
        """Visits by hour, and the mean freshness, with this budget."""
        planner, bucket = self._planner(per_day), Bucket(per_day)
        bucket.available(start - HOUR)
        visits, looks = list[float](), list[float]()
        for moment in range(start, start + HOURS * HOUR, HOUR):
            due = planner.due(moment, bucket.available(moment))
            planner.touch(due, moment)
            bucket.spend(len(due))
            visits.append(float(len(due)))
            chances = planner.chances(moment) if len(visits) % LOOKS_EVERY == 0 else None
            if chances is not None and len(chances):
                looks.append(float(np.mean(chances)))
        return visits, float(np.mean(looks)) if looks else None

    def _changes(self, start: int) -> list[float]:
        """The changes expected in each hour."""
        planner = self._planner(self._per_day)
        expected = []
        for moment in range(start, start + (HOURS + 1) * HOUR, HOUR):
            chances = planner.chances(moment)
            if chances is None:
                return []
            expected.append(-float(np.log(np.maximum(chances, 1e-12)).sum()))
        return [max(0.0, later - sooner) for sooner, later in pairwise(expected)]

    def _heat(self, start: int, hours: list[float]) -> Heat:
        """Hours from a moment on, laid out as a week from Monday."""
        week = np.zeros(HOURS)
        begun = datetime.fromtimestamp(start, zone_named(self._settings.refresh.time_zone))
        first = 24 * begun.weekday() + begun.hour
        for place, value in enumerate(hours):
            week[(first + place) % HOURS] += value
        return tuple(tuple(day) for day in week.reshape(7, 24).tolist()) if hours else ()
