from __future__ import annotations

import random
from datetime import UTC, datetime

import numpy as np
import pytest

from haenyeo import make_planner
from haenyeo.refresh.promise import WEEKS, Promise, StaleTime
from haenyeo.refresh.urgency import UrgencyPlanner

WEEK = 7 * 86_400
MONDAY = 1_700_438_400


def test_weeks_begin_on_monday() -> None:
    promise = Promise()
    promise.keep(2.5, 3, MONDAY + 5)
    promise.keep(1.0, 0, MONDAY + WEEK - 1)
    promise.keep(4.0, 4, MONDAY + WEEK)
    first, second = promise.weeks()
    assert (first.monday, first.observed) == (datetime(2023, 11, 20, tzinfo=UTC), 3)
    assert first.expected == pytest.approx(3.5, abs=0.05)
    assert second.observed == 4
    assert second.expected == pytest.approx(4.0, abs=0.8)


def test_a_promise_follows_a_burst_within_days() -> None:
    promise = Promise()
    for hour in range(2 * 168):
        promise.keep(10.0, 10 if hour < 168 else 16, MONDAY + hour * 3600)
    calm, burst = promise.weeks()
    assert calm.expected == pytest.approx(calm.observed, rel=0.02)
    assert burst.expected == pytest.approx(burst.observed, rel=0.15), "without correction 38 % fewer"


def test_weeks_that_were_kept_without_a_promise_are_read() -> None:
    promise = Promise()
    promise.restore({"promise": np.array([[2800.0, 12.5, 11.0]])})
    [week] = promise.weeks()
    assert (week.expected, week.observed) == (12.5, 11)


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


@pytest.mark.parametrize(("changed", "least", "most"), [(0.2, 0.95, 1.05), (0.1, 0.5, 0.65), (0.4, 1.7, 2.0)])
def test_the_time_that_copies_are_stale_follows_what_visits_find(changed: float, least: float, most: float) -> None:
    """A thousand pages are visited after ten days each, and believed stale with a chance of a fifth."""
    stale = StaleTime()
    assert stale.factor == 1
    found = np.arange(1000) < 1000 * changed
    stale.learn(np.full(1000, 10.0), np.full(1000, 0.8), found, 0.0)
    assert least < stale.factor < most
    again = StaleTime()
    again.restore(stale.state())
    assert again.factor == stale.factor
    again.restore({})
    assert again.factor == 1


def test_pages_left_alone_for_long_count_for_as_long() -> None:
    stale = StaleTime()
    days, fresh = np.repeat([100.0, 1.0], [50, 500]), np.full(550, 0.8)
    stale.learn(days, fresh, np.repeat([False, True], [50, 500]), 0.0)
    assert stale.factor < 1, "many changes of pages visited daily say little about the others"
    stale.learn(days[:1], fresh[:1], np.array([True]), 1e9)
    assert stale.factor > 1, "what was seen long ago counts no more"
