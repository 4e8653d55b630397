"""The coordinator's decisions on revisits: one budget, spent where visits are worth most, whatever is told twice."""

from __future__ import annotations

from haenyeo.cluster.messages import Revisiting, RevisitReport, ShardReport
from haenyeo.cluster.price import RevisitPrice
from haenyeo.collect.events import RefreshEnded
from haenyeo.refresh.sharing import Demand, Stair

NOON = 1_800_000_000.0
HOUR = 3600.0
ENDED = RefreshEnded(why="", visited=0, changed=0, found={}, requests=0, bytes=0, seconds=0.0)


def report(shard: int, demand: Demand, decision: int = 0, requests: int = 0) -> ShardReport:
    """What a shard tells of its revisits."""
    told = RevisitReport(decision=decision, requests=requests, demand=demand, ended=ENDED)
    return ShardReport(shard=shard, run="r", at=0.0, revisits=told)


def demand(*urgencies: float) -> Demand:
    """A visit of each urgency; half of the copies are stale."""
    return Demand(len(urgencies), len(urgencies) / 2, tuple(Stair(1, each, 0.5) for each in urgencies))


LIVELY, STILL = demand(*[9.0] * 50), demand(*[0.1] * 50)


def test_visits_go_where_they_are_worth_most() -> None:
    price = RevisitPrice("r", Revisiting(per_day=80, once=True), 2, None)
    assert price.step({0: report(0, LIVELY), 1: report(1, STILL)}, NOON)
    assert [price.order(shard).visits for shard in (0, 1)] == [20, 0]
    assert price.price == 9.0


def test_nothing_is_decided_before_all_shards_have_told() -> None:
    price = RevisitPrice("r", Revisiting(per_day=80, once=True), 2, None)
    assert not price.step({0: report(0, LIVELY)}, NOON)
    assert price.order(0).decision == 0


def test_once_is_over_when_the_decision_is_carried_out_by_all() -> None:
    price = RevisitPrice("r", Revisiting(per_day=80, once=True), 2, None)
    price.step({0: report(0, LIVELY), 1: report(1, STILL)}, NOON)
    price.step({0: report(0, LIVELY, 1, 20), 1: report(1, STILL, 0)}, NOON + 1)
    assert not price.over
    price.step({0: report(0, LIVELY, 1, 20), 1: report(1, STILL, 1)}, NOON + 2)
    assert price.over


def test_reports_that_come_twice_cost_nothing_and_the_budget_goes_on_after_a_restart() -> None:
    price = RevisitPrice("r", Revisiting(per_day=240), 1, None)
    spent = 0
    for hour in range(48):
        for _ in range(2):
            price.step({0: report(0, LIVELY, price.order(0).decision, spent)}, NOON + hour * HOUR)
        spent += price.order(0).visits
        price = RevisitPrice("r", Revisiting(per_day=240), 1, price.kept())
        assert spent <= 10 * (hour + 1)
    assert spent >= 9 * 47


def test_a_new_run_begins_with_what_is_left_of_the_budget() -> None:
    price = RevisitPrice("r", Revisiting(per_day=80, once=True), 1, None)
    price.step({0: report(0, LIVELY)}, NOON)
    price.step({0: report(0, LIVELY, 1, 20)}, NOON + 1)
    again = RevisitPrice("s", Revisiting(per_day=80, once=True), 1, price.kept())
    again.step({0: report(0, LIVELY)}, NOON + 2)
    assert again.order(0).visits == 0


def test_a_crawl_on_the_same_budget_has_half_of_it_while_both_have_something_to_do() -> None:
    price = RevisitPrice("r", Revisiting(per_day=240, shared=True), 1, None)
    price.step({0: report(0, LIVELY)}, NOON)
    allowed, counted = 0, 0
    for hour in range(24):
        price.step({0: report(0, LIVELY, price.order(0).decision, 0)}, NOON + hour * HOUR)
        allowed = price.pages_for_links(counted, NOON + hour * HOUR, waiting=True)
        counted = allowed
    assert 100 <= counted <= 200
