from __future__ import annotations

import random

import pytest

from haenyeo import make_planner
from haenyeo.collect.service.forecast import Forecaster
from haenyeo.model.config import Settings, StrategySettings

pytestmark = pytest.mark.slow

MONDAY = 1_700_438_400
HOUR, DAY = 3600, 86_400


def lived(name: str) -> bytes:
    """The state of a planner that saw its pages change on every weekday between nine and five."""
    planner = make_planner(name, per_day=480)
    urls = [f"https://a.example/{number}" for number in range(60)]
    planner.add(urls, ["a.example"] * 60, MONDAY)
    for hour in range(1, 5 * 168):
        due = planner.due(MONDAY + hour * HOUR, 20)
        working = hour // 24 % 7 < 5 and 9 <= hour % 24 < 17
        planner.observe(due, MONDAY + hour * HOUR, [working] * len(due))
    return planner.dump()


def forecaster(name: str, per_day: float) -> Forecaster:
    return Forecaster(Settings(strategy=StrategySettings(planner=name)), lived(name), per_day)


@pytest.mark.parametrize("name", ["default", "uniform", "poisson"])
def test_a_week_of_visits_fits_the_budget(name: str) -> None:
    week = forecaster(name, 48).week(MONDAY + 35 * DAY)
    assert len(week.visits) == 7
    assert sum(map(sum, week.visits)) == pytest.approx(7 * 48, abs=4)
    assert week.pages == 60
    assert len(week.first) == 10


def test_a_larger_budget_keeps_copies_fresher() -> None:
    fresh = forecaster("default", 48).week(MONDAY + 35 * DAY).freshness
    assert 0 < fresh["half"] < fresh["whole"] < fresh["double"] <= 1


def test_freshness_rises_with_the_budget_from_an_eighth_to_four_times() -> None:
    ahead, now = forecaster("default", 48), MONDAY + 35 * DAY
    week = ahead.week(now)
    points = ahead.freshness_by_budget(now, week)
    assert [per_day for per_day, _ in points] == [6, 12, 24, 36, 48, 72, 96, 144, 192]
    assert dict(points)[48] == week.freshness["whole"]
    assert points[0][1] < points[4][1] < points[-1][1] <= 1


def test_changes_are_expected_at_the_hours_at_which_they_were_found() -> None:
    changes = forecaster("default", 48).week(MONDAY + 35 * DAY).changes
    day = sum(changes[weekday][hour] for weekday in range(5) for hour in range(8, 17))
    assert day / 45 > 2 * sum(map(sum, changes[5:])) / 48


def test_a_planner_without_a_model_says_nothing_of_freshness() -> None:
    week = forecaster("uniform", 48).week(MONDAY + 35 * DAY)
    assert week.freshness == {}
    assert week.changes == ()
    assert forecaster("uniform", 48).freshness_by_budget(MONDAY + 35 * DAY, week) == ()


def test_few_changes_a_week_are_followed_with_few_visits_whatever_the_budget_allows() -> None:
    """A collection of 297 pages, of which 19 change in a week, and a budget of 1,000 visits a day."""
    chance, urls = random.Random(1), [f"https://a.example/s{number % 6}/{number}" for number in range(297)]
    planner = make_planner("default", per_day=1000)
    planner.add(urls, ["a.example"] * len(urls), MONDAY)
    busy = [chance.gammavariate(0.4, 1.0) for _ in urls]
    rates = [19 / 7 * each / sum(busy) for each in busy]
    for day in range(1, 29):
        planner.observe(urls, MONDAY + day * DAY, [chance.random() < rate for rate in rates])
    week = Forecaster(Settings(), planner.dump(), 1000.0, 0.97).week(MONDAY + 28 * DAY + 60)
    assert 10 < sum(map(sum, week.changes)) < 30
    assert sum(map(sum, week.visits)) <= 300
    assert week.reached is not None
    assert week.reached >= 0.96
    assert week.needed is not None
    curve = Forecaster(Settings(), planner.dump(), 1000.0, 0.97).freshness_by_budget(MONDAY + 28 * DAY + 60, week)
    assert [round(amount / week.needed, 3) for amount, _ in curve] == [0.125, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4]
    assert [fresh for _, fresh in curve] == sorted(fresh for _, fresh in curve)
