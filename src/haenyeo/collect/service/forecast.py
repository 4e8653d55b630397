"""The coming week: when revisits are planned, when changes are expected, and what a larger budget would buy.

A copy of the planner is taken through the week hour by hour. Nothing is learned on the way, so what it says is what it
believes now.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from itertools import pairwise

import msgspec
import numpy as np

from haenyeo.collect.service.planning import planner_of
from haenyeo.collect.visit.bucket import Bucket
from haenyeo.model.config import Settings
from haenyeo.model.parts import RevisitPlanner
from haenyeo.model.zones import zone_named
from haenyeo.refresh.urgency import UrgencyPlanner

HOUR = 3600
HOURS, DAYS = 168, 7
HALVINGS = 8  # steps in which the requests of visiting in turn are found
LOOKS_EVERY = 6  # hours between two estimates of freshness
BUDGETS = {"half": 0.5, "whole": 1.0, "double": 2.0}
FURTHER = (0.125, 0.25, 0.75, 1.5, 3.0, 4.0)  # further shares of the budget for a whole curve

Heat = tuple[tuple[float, ...], ...]
"""Seven days of 24 hours, Monday first, in the time zone of the settings."""


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """The coming week; `changes` and `freshness` are empty when the planner has no idea of them.

    `freshness` is the mean share of copies that are up to date, for half, the whole and double the budget. Where a
    share `wanted` is kept up to date with as few requests as that needs, these are `needed` a day, `reached` is the
    share that is expected then, and `uniform` what visiting all pages in turn would need for the same.
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
    wanted: float | None = None
    needed: float | None = None
    reached: float | None = None
    uniform: float | None = None


class Forecaster:
    """Looks ahead from what a planner knows at a moment."""

    def __init__(self, settings: Settings, state: bytes, per_day: float, fresh: float | None = None) -> None:
        self._settings, self._state, self._per_day, self._wanted = settings, state, per_day, fresh

    def week(self, now: float) -> Forecast:
        """The week that begins with the next full hour."""
        start = int(now // HOUR + 1) * HOUR
        weeks = {name: self._simulated(start, self._per_day * factor) for name, factor in BUDGETS.items()}
        visits, reached = weeks["whole"]
        planner = self._planner(self._per_day)
        if self._wanted is not None:
            visits, reached = self._simulated(start, self._per_day, self._wanted)
            planner = self._planner(self._per_day, self._wanted)
        forecast = Forecast(
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
        if self._wanted is None or reached is None:
            return forecast
        return msgspec.structs.replace(
            forecast,
            wanted=self._wanted,
            needed=sum(visits) / DAYS,
            reached=reached,
            uniform=self._uniform(start, reached, planner.planned()),
        )

    def freshness_by_budget(self, now: float, forecast: Forecast) -> tuple[tuple[float, float], ...]:
        """Pairs of requests a day and the mean freshness they buy, from an eighth to four times those of the plan.

        Empty when the planner has no idea of freshness.
        """
        if not forecast.freshness:
            return ()
        start, planned = int(now // HOUR + 1) * HOUR, forecast.needed or self._per_day
        budgets = {BUDGETS[name] * self._per_day: fresh for name, fresh in forecast.freshness.items()}
        known = budgets if planned == self._per_day else {}
        amounts = {planned * factor for factor in (*BUDGETS.values(), *FURTHER)} - known.keys()
        further = {amount: self._simulated(start, amount)[1] for amount in amounts}
        return tuple((amount, fresh) for amount, fresh in sorted((known | further).items()) if fresh is not None)

    def _planner(self, per_day: float, fresh: float | None = None) -> RevisitPlanner:
        planner = planner_of(self._settings, per_day, fresh)
        planner.load(self._state)
        return planner

    def _uniform(self, start: int, reached: float, pages: int) -> float | None:
        """The requests a day that visiting all pages in turn needs to keep this share of copies up to date.

        More than one request a page and hour is not looked at. None when the planner cannot tell.
        """
        less, more = 0.0, 24.0 * max(pages, 1)
        for _ in range(HALVINGS):
            middle = math.sqrt(max(less, pages / 1000, 0.01) * more)
            fresh = self._in_turn(start, middle)
            if fresh is None:
                return None
            less, more = (less, middle) if fresh >= reached else (middle, more)
        return more

    def _in_turn(self, start: int, per_day: float) -> float | None:
        """The mean freshness if all pages are visited in turn."""
        planner, left = self._planner(per_day), 0.0
        if not isinstance(planner, UrgencyPlanner):
            return None
        looks = []
        for hour in range(HOURS):
            moment = start + hour * HOUR
            left += per_day / 24
            due = planner.oldest(moment, int(left))
            left = min(left - len(due), 1.0)
            planner.touch(due, moment)
            chances = planner.chances(moment) if (hour + 1) % LOOKS_EVERY == 0 else None
            if chances is not None and len(chances):
                looks.append(float(np.mean(chances)))
        return float(np.mean(looks)) if looks else None

    def _simulated(self, start: int, per_day: float, fresh: float | None = None) -> tuple[list[float], float | None]:
        """Visits by hour, and the mean freshness, with this budget and, if one is given, this wanted freshness."""
        planner, bucket = self._planner(per_day, fresh), Bucket(per_day)
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
