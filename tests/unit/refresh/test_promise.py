from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from haenyeo import make_planner
from haenyeo.refresh.promise import WEEKS, Promise
from haenyeo.refresh.urgency import UrgencyPlanner

WEEK = 7 * 86_400
MONDAY = 1_700_438_400


def test_weeks_begin_on_monday() -> None:
    promise = Promise()
    promise.keep(2.5, 3, MONDAY + 5)
    promise.keep(1.0, 0, MONDAY + WEEK - 1)
    promise.keep(4.0, 4, MONDAY + WEEK)
    first, second = promise.weeks()
    assert (first.monday, first.expected, first.observed) == (datetime(2023, 11, 20, tzinfo=UTC), 3.5, 3)
    assert (second.expected, second.observed) == (4.0, 4)


def test_forecasts_are_calibrated_by_the_last_weeks_within_bounds() -> None:
    promise = Promise()
    assert promise.factor == 1
    promise.keep(1000.0, 1200, MONDAY)
    assert promise.factor == pytest.approx(1.2, abs=0.01)
    for week in range(1, 5):
        promise.keep(1000.0, 9000, MONDAY + week * WEEK)
    assert promise.factor == 2


def test_old_weeks_are_forgotten_and_the_others_survive() -> None:
    promise, again = Promise(), Promise()
    for week in range(2 * WEEKS):
        promise.keep(1.0, week, MONDAY + week * WEEK)
    again.restore(promise.state())
    assert again.weeks() == promise.weeks()
    assert [week.observed for week in again.weeks()] == list(range(WEEKS, 2 * WEEKS))


def test_a_planner_that_learns_expects_about_what_it_finds() -> None:
    planner = make_planner("default", per_day=2400)
    assert isinstance(planner, UrgencyPlanner)
    urls = [f"https://a.example/{number}" for number in range(100)]
    planner.add(urls, ["a.example"] * 100, MONDAY)
    chance = random.Random(1)
    for day in range(1, 85):
        planner.observe(urls, MONDAY + day * 86_400, [chance.random() < 0.1 for _ in urls])
    last = planner.promise.weeks()[-4:]
    assert sum(week.expected for week in last) == pytest.approx(sum(week.observed for week in last), rel=0.15)
