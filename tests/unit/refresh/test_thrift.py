from __future__ import annotations

import numpy as np
import pytest

from haenyeo import make_planner
from haenyeo.model.errors import UsageError
from haenyeo.refresh.thrift import SparingRate
from haenyeo.refresh.urgency import UrgencyPlanner

HOUR, DAY = 3600, 86_400
MONDAY = 1_700_438_400
URGENCY = np.arange(100, dtype=np.float64)


def visited(thrift: SparingRate, stale: float, hour: int) -> int:
    """How many of a hundred pages are worth a visit."""
    return thrift.visits(URGENCY, np.full(100, stale), hour * HOUR)


def lived(hours: int = 1000) -> SparingRate:
    """One whose copies have become staler than wanted."""
    thrift = SparingRate(0.97)
    for hour in range(hours):
        visited(thrift, 0.04 * hour / hours, hour)
    return thrift


def test_nothing_is_visited_while_the_copies_are_fresh_enough() -> None:
    thrift = SparingRate(0.97)
    assert [visited(thrift, 0.01 + 0.0004 * hour, hour) for hour in range(48)] == [0] * 48


def test_after_a_pause_no_more_is_visited_than_brings_the_wanted_share() -> None:
    thrift = SparingRate(0.9)
    visited(thrift, 0.0, 0)
    assert visited(thrift, 0.2, 100) in (50, 51)
    assert visited(thrift, 0.1, 200) == 0


def test_visits_become_more_while_copies_are_staler_and_fewer_while_they_are_fresher() -> None:
    thrift = lived()
    stale = sum(visited(thrift, 0.06, hour) for hour in range(1000, 1100))
    fresh = sum(visited(thrift, 0.0, hour) for hour in range(1100, 1200))
    later = sum(visited(thrift, 0.0, hour) for hour in range(1200, 1300))
    assert stale > fresh > later


def test_copies_that_are_stale_when_it_is_first_asked_are_visited_at_once() -> None:
    assert visited(SparingRate(0.9), 0.2, 500) in (50, 51)


def test_what_is_made_up_for_at_first_is_not_the_rate_from_then_on() -> None:
    """Nothing changes any more after the first visits, but for one page an hour."""
    thrift, visits, stale = SparingRate(0.9), [], 0.3
    for hour in range(500, 600):
        visits.append(visited(thrift, stale, hour))
        stale = min(stale, 0.1) + 0.001
    assert visits[0] > 50
    assert max(visits[1:]) <= 2


def test_a_rate_that_the_budget_does_not_allow_is_not_saved_up() -> None:
    thrift = SparingRate(0.97, per_day=48)
    for hour in range(30 * 24):
        visited(thrift, 0.1, hour)
    visits = sum(visited(thrift, 0.03, 30 * 24 + hour) for hour in range(24))
    assert visits <= 49


def test_what_is_known_of_the_rate_survives() -> None:
    thrift, again = lived(), SparingRate(0.97)
    again.restore(thrift.state())
    assert [visited(again, 0.05, hour) for hour in range(1002, 1012)] == [
        visited(thrift, 0.05, hour) for hour in range(1002, 1012)
    ]
    again.restore({})
    assert visited(again, 0.05, 1012) == visited(thrift, 0.05, 1012)


@pytest.mark.parametrize("fresh", [0.0, 1.0, -0.5, 7.0])
def test_a_share_must_lie_between_nothing_and_all(fresh: float) -> None:
    with pytest.raises(UsageError):
        make_planner("default", fresh=fresh)


def test_a_page_that_is_said_to_have_changed_is_counted_as_stale_and_visited() -> None:
    planner = make_planner("default", per_day=1000, fresh=0.97)
    assert isinstance(planner, UrgencyPlanner)
    urls = [f"https://a.example/{number}" for number in range(20)]
    planner.add(urls, ["a.example"] * 20, MONDAY)
    assert planner.due(MONDAY + DAY, 10) == []
    believed = planner.chances(MONDAY + DAY)
    planner.hint([urls[7]], 0.8)
    claimed = planner.chances(MONDAY + DAY)
    assert believed is not None
    assert claimed is not None
    assert claimed[7] == pytest.approx(0.2 * believed[7], rel=1e-4)
    assert claimed[6] == believed[6]
    assert planner.due(MONDAY + 2 * DAY, 10)[0] == urls[7]
    planner.observe([urls[7]], MONDAY + 2 * DAY, [True])
    [week] = planner.promise.weeks()
    assert week.expected > 0.7, "a visit to a claimed page is expected to find a change"


@pytest.mark.parametrize("name", ["default", "uniform", "poisson", "groups"])
def test_every_planner_may_be_asked_for_a_share(name: str) -> None:
    planner = make_planner(name, per_day=100, fresh=0.97)
    planner.add(["https://a.example/"], ["a.example"], 0)
    assert planner.due(HOUR, 0) == []


def test_a_share_is_kept_with_fewer_visits_than_the_budget_allows() -> None:
    planner, urls = make_planner("default", fresh=0.95), [f"https://a.example/{number}" for number in range(300)]
    chance = np.random.default_rng(1)
    planner.add(urls, ["a.example"] * 300, 0)
    stale, visits, seen = np.zeros(300, bool), 0, []
    for hour in range(1, 60 * 24):
        stale |= chance.random(300) < 0.02 / 24
        due = planner.due(hour * HOUR, 1000)
        numbers = [int(url.rsplit("/", 1)[1]) for url in due]
        planner.observe(due, hour * HOUR, stale[numbers].tolist())
        stale[numbers] = False
        visits += len(due)
        seen.append(stale.mean())
    assert 0.03 < float(np.mean(seen[40 * 24 :])) < 0.07
    assert visits < 0.5 * 300 * 60
