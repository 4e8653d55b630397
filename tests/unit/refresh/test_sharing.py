"""One price for several planners gives what one planner of all pages would choose."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from haenyeo.refresh.choosing import NOT_NOW
from haenyeo.refresh.poisson import Poisson
from haenyeo.refresh.sharing import Demand, Stair, demand_of, needed, shared_out
from haenyeo.refresh.thrift import SparingRate
from haenyeo.refresh.tide.planner import Tide
from haenyeo.refresh.urgency import DAY, UrgencyPlanner

NONE = np.zeros(0, np.bool_)


def demands(urgency: np.ndarray, owner: np.ndarray, shards: int) -> dict[int, Demand]:
    """The demand of each shard."""
    return {
        shard: demand_of(
            urgency[owner == shard], np.ones((owner == shard).sum()), np.zeros((owner == shard).sum(), bool)
        )
        for shard in range(shards)
    }


@given(some.integers(0, 2**32 - 1), some.integers(1, 5), some.integers(0, 1500), some.integers(0, 1600))
def test_visits_go_where_one_planner_would_send_them(seed: int, shards: int, pages: int, visits: int) -> None:
    random = np.random.default_rng(seed)
    urgency, owner = random.random(pages), random.integers(0, shards, pages)
    given_out, price = shared_out(visits, demands(urgency, owner, shards))
    assert sum(given_out.values()) == min(visits, pages)
    best = np.argsort(-urgency)[:visits]
    wanted = np.bincount(owner[best], minlength=shards)
    for shard, count in given_out.items():
        assert abs(count - wanted[shard]) <= 1 + 0.2 * max(count, wanted[shard])
    if 0 < visits < pages:
        assert price <= urgency[best].min() + 1e-12


def test_a_shard_whose_pages_never_change_gets_nothing_while_others_are_urgent() -> None:
    busy, still = np.full(100, 5.0), np.full(900, 0.001)
    owner = np.repeat([0, 1], [100, 900])
    given_out, price = shared_out(80, demands(np.concatenate([busy, still]), owner, 2))
    assert given_out == {0: 80, 1: 0}
    assert price == 5.0


def test_pages_that_cannot_be_visited_now_are_planned_but_not_offered() -> None:
    urgency = np.array([3.0, 2.0, NOT_NOW, 1.0])
    demand = demand_of(urgency, np.array([0.5, 0.5, 0.0, 0.25]), np.array([True, False, False, False]))
    assert (demand.pages, demand.stale, demand.visits) == (3, 1.25, 2)
    assert demand.stairs == (Stair(1, 2.0, 0.5), Stair(1, 1.0, 0.25))


def test_as_many_visits_as_the_wanted_relief_needs() -> None:
    stairs = {0: Demand(4, 2.0, (Stair(2, 9.0, 1.0), Stair(2, 1.0, 1.0))), 1: Demand(2, 1.0, (Stair(2, 5.0, 1.0),))}
    assert [needed(relief, stairs) for relief in (0.0, 1.0, 1.5, 2.0, 9.0)] == [0, 2, 3, 4, 6]


def test_the_wanted_freshness_of_all_needs_as_many_visits_as_of_one() -> None:
    random = np.random.default_rng(1)
    urgency, stale, owner = random.random(400), random.random(400) * 0.2, random.integers(0, 4, 400)
    one, all_ = SparingRate(0.97), SparingRate(0.97)
    parts = {
        shard: demand_of(urgency[owner == shard], stale[owner == shard], np.zeros((owner == shard).sum(), bool))
        for shard in range(4)
    }
    for hour in range(0, 60, 2):
        alone = one.visits(urgency, stale, hour * 3600.0)
        pages, staleness = sum(each.pages for each in parts.values()), sum(each.stale or 0 for each in parts.values())
        together = all_.visits_for(pages, staleness, hour * 3600.0, lambda relief: needed(relief, parts))
        assert together == pytest.approx(alone, rel=0.2, abs=1)


@pytest.mark.parametrize("kind", [Tide, Poisson])
def test_planners_tell_what_visits_are_worth_and_choose_as_they_told(kind: type[UrgencyPlanner]) -> None:
    planner = kind(per_day=10)
    urls = [f"https://a{number % 7}.example/{number}" for number in range(60)]
    planner.add(urls, [url.split("/")[2] for url in urls], now=0)
    for day in range(1, 6):
        planner.observe(urls, day * DAY, [number % 3 == 0 for number in range(60)])
    planner.rest(urls[:5], until=9 * DAY)
    planner.retire(urls[5:8])
    demand = planner.demand(7 * DAY)
    assert demand.pages == 57
    assert demand.visits == 52 == len(planner.due(7 * DAY, 100))
    assert demand.stale is not None
    assert 0 < demand.stale < 57
    worths = [stair.urgency for stair in demand.stairs]
    assert worths == sorted(worths, reverse=True)
