"""Leases never add up to more than the pages of a run and go to the best links; a crawl ends when it is over."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.cluster.leases import LONGEST_BEGIN, RunLeases, shared_out
from haenyeo.cluster.messages import ClusterRun, ShardOrders, ShardReport


def run(pages: int | None = None) -> ClusterRun:
    """A run that has followed links for a while."""
    return ClusterRun(id="r", began=-LONGEST_BEGIN - 1, pages=pages)


def report(shard: int, **said: object) -> ShardReport:
    return msgspec.convert({"shard": shard, "run": "r", "at": 1.0, **said}, ShardReport)


def test_leases_go_to_the_shard_with_the_better_links() -> None:
    better = report(0, rest="budget", waiting=9, lease=0, best=[0.9, 0.9, 0.8])
    worse = report(1, rest="budget", waiting=9, lease=0, best=[0.3, 0.2, 0.1])
    assert shared_out(4, [better, worse]) == ({0: 4}, 0.8)
    assert shared_out(6, [better, worse]) == ({0: 4, 1: 2}, 0.2)


def test_leases_never_exceed_the_pages_of_the_run() -> None:
    leases = RunLeases(run(10), 2, {})
    told = {n: report(n, rest="budget", waiting=50, lease=0, best=[0.5] * 7) for n in range(2)}
    for _ in range(50):
        orders = leases.step(told, 0.0)
        told = {
            n: msgspec.structs.replace(told[n], lease=each.lease, counted=each.lease or 0, obeyed=each.number)
            for n, each in enumerate(orders)
        }
    assert sum(each.lease or 0 for each in orders) == 10
    assert leases.why == "budget"


def test_a_lease_that_cannot_be_used_is_leased_anew_only_once_the_shard_knows() -> None:
    leases = RunLeases(run(4), 2, {0: ShardOrders(run="r", at=0.0, lease=4)})
    idle = report(0, rest="done", lease=4, counted=1)
    keen = report(1, rest="budget", lease=0, waiting=5, best=[0.5])
    orders = leases.step({0: idle, 1: keen}, 0.0)
    assert [each.lease for each in orders] == [1, 0]
    orders = leases.step({0: idle, 1: keen}, 0.0)
    assert [each.lease for each in orders] == [1, 0]
    knows = msgspec.structs.replace(idle, lease=1, obeyed=orders[0].number)
    orders = leases.step({0: knows, 1: keen}, 0.0)
    assert [each.lease for each in orders] == [1, 1]


def test_a_shard_that_has_used_up_its_links_gives_its_lease_back() -> None:
    leases = RunLeases(run(4), 2, {0: ShardOrders(run="r", at=0.0, lease=2), 1: ShardOrders(run="r", at=0.0, lease=2)})
    empty = report(0, rest="budget", lease=2, counted=1, waiting=0)
    keen = report(1, rest="budget", lease=2, counted=2, waiting=5, best=[0.5])
    for _ in range(3):
        orders = leases.step({0: empty, 1: keen}, 0.0)
        empty = msgspec.structs.replace(empty, lease=orders[0].lease, obeyed=orders[0].number)
    assert [each.lease for each in orders] == [1, 3]


def test_the_crawl_ends_when_all_shards_together_have_made_too_many_requests() -> None:
    leases = RunLeases(run(10), 2, {}, most_requests=50)
    told = {n: report(n, waiting=9, counted=1, requests=20 + n, best=[0.5]) for n in range(2)}
    leases.step(told, 0.0)
    assert leases.why == ""
    leases.step({**told, 0: msgspec.structs.replace(told[0], requests=29)}, 0.0)
    assert leases.why == "requests"


def test_a_coordinator_that_comes_back_goes_on_from_the_leases_that_were_given() -> None:
    before = {n: ShardOrders(run="r", at=0.0, round=7, lease=5) for n in range(2)}
    orders = RunLeases(run(10), 2, before).step({}, 0.0)
    assert [each.lease for each in orders] == [5, 5]
    assert orders[0].round == 8


def test_a_link_under_way_between_two_reports_keeps_the_crawl_from_ending() -> None:
    leases = RunLeases(run(), 2, {})
    quiet = [report(n, rest="done") for n in range(2)]
    orders = leases.step({}, 0.0)
    for received in (0, 1):
        told = {n: msgspec.structs.replace(quiet[n], round=orders[n].round) for n in range(2)}
        told[1] = msgspec.structs.replace(told[1], received=received)
        orders = leases.step(told, 0.0)
    reasons = [leases.why]
    told = {n: msgspec.structs.replace(told[n], round=orders[n].round) for n in range(2)}
    leases.step(told, 0.0)
    assert [*reasons, leases.why] == ["", "done"]


def test_one_round_of_quiet_or_old_reports_do_not_end_the_crawl() -> None:
    leases = RunLeases(run(), 2, {})
    orders = leases.step({}, 0.0)
    told = {n: report(n, rest="done", round=orders[n].round) for n in range(2)}
    for _ in range(5):
        leases.step(told, 0.0)
    assert not leases.why


def test_a_shard_with_unsent_links_or_a_full_inbox_is_not_quiet() -> None:
    for busy in ({"outbox": 1}, {"inbox": 1}, {"under_way": 1}, {"rest": ""}):
        leases = RunLeases(run(), 1, {})
        orders = leases.step({}, 0.0)
        for _ in range(4):
            told = {0: report(0, **{"rest": "done", "round": orders[0].round, **busy})}
            orders = leases.step(told, 0.0)
        assert not leases.why


@given(
    st.integers(1, 200),
    st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=7), min_size=1, max_size=6),
)
def test_no_more_is_shared_out_than_there_is(pages: int, worths: list[list[float]]) -> None:
    reports = [report(n, best=sorted(best, reverse=True)) for n, best in enumerate(worths)]
    given_out, _ = shared_out(pages, reports)
    assert sum(given_out.values()) <= pages
    assert all(count > 0 for count in given_out.values())


def test_a_shard_whose_links_are_worth_little_rests_while_others_have_better_ones() -> None:
    leases = RunLeases(run(1000), 2, {})
    good = report(0, rest="", waiting=500, lease=0, best=[0.9] * 7)
    poor = report(1, rest="budget", waiting=500, lease=0, best=[0.2] * 7)
    for _ in range(20):
        orders = leases.step({0: good, 1: poor}, 0.0)
        given_out = orders[0].lease or 0
        good = msgspec.structs.replace(good, lease=given_out, counted=given_out, obeyed=orders[0].number)
    assert (orders[0].lease or 0) >= 60
    assert orders[1].lease == 0
    over = msgspec.structs.replace(good, rest="done", waiting=0, best=())
    assert (leases.step({0: over, 1: poor}, 0.0)[1].lease or 0) > 0


def test_what_a_shard_has_not_used_is_taken_back_when_others_have_better_links() -> None:
    leases = RunLeases(run(1000), 2, {})
    first = report(0, rest="", waiting=500, lease=0, best=[0.5] * 7)
    second = report(1, rest="budget", waiting=500, lease=0, best=[0.2] * 7)
    orders = leases.step({0: first, 1: second}, 0.0)
    assert [each.lease for each in orders] == [4, 0]
    worse = msgspec.structs.replace(first, lease=4, counted=1, best=(0.1,) * 7, obeyed=orders[0].number)
    orders = leases.step({0: worse, 1: second}, 0.0)
    assert [each.lease for each in orders] == [1, 4]


def test_a_lease_that_was_given_and_taken_back_counts_until_the_shard_has_read_of_it() -> None:
    leases = RunLeases(run(8), 2, {})
    first = report(0, rest="", waiting=500, lease=0, best=[0.5] * 7)
    second = report(1, rest="budget", waiting=500, lease=0, best=[0.2] * 7)
    given_out = leases.step({0: first, 1: second}, 0.0)[0]
    assert given_out.lease == 4
    worse = msgspec.structs.replace(first, best=(0.1,) * 7)
    orders = [leases.step({0: worse, 1: second}, 0.0) for _ in range(3)][-1]
    assert orders[0].lease == 0
    assert orders[0].most == 4
    assert (orders[1].lease or 0) <= 4
    back = RunLeases(run(8), 2, dict(enumerate(orders)))
    assert back.step({0: worse, 1: second}, 0.0)[0].most == 4
    knows = msgspec.structs.replace(worse, obeyed=orders[0].number)
    assert leases.step({0: knows, 1: second}, 0.0)[0].most == 0


@given(st.data())
def test_whatever_is_read_and_reported_late_no_more_pages_are_fetched_than_the_run_may(data: st.DataObject) -> None:
    leases, count, done = RunLeases(run(12), 3, {}), 3, [0, 0, 0]
    told = {n: report(n, rest="budget", waiting=50, lease=0, best=[0.5]) for n in range(count)}
    held = [(0, 0)] * count
    for _ in range(20):
        orders = leases.step(told, 0.0)
        for n, act in data.draw(
            st.lists(st.tuples(st.integers(0, count - 1), st.sampled_from(["read", "fetch", "tell"])))
        ):
            lease, obeyed = held[n]
            if act == "read":
                held[n] = max(orders[n].lease or 0, done[n]), orders[n].number
            elif act == "fetch":
                done[n] = max(done[n], lease)
            else:
                best = (data.draw(st.floats(0, 1)),) * 7
                told[n] = msgspec.structs.replace(told[n], lease=lease, counted=done[n], best=best, obeyed=obeyed)
    assert sum(done) <= 12


def test_all_shards_hear_how_many_pages_there_are() -> None:
    leases = RunLeases(run(), 2, {})
    orders = leases.step({n: report(n, fetched=30) for n in range(2)}, 0.0)
    assert [each.fetched for each in orders] == [60, 60]


def test_links_are_followed_once_the_examples_and_seeds_of_all_shards_were_asked_for() -> None:
    leases = RunLeases(ClusterRun(id="r", began=0.0, pages=100), 2, {})
    first = report(0, waiting=9, lease=0, best=[0.9] * 4)
    assert leases.step({0: first}, 1.0)[0].lease == 0
    second = report(1, waiting=9, lease=0, best=[1.0, 0.3])
    assert [each.lease for each in leases.step({0: first, 1: second}, 1.0)] == [0, 1]
    asking = report(1, waiting=8, lease=1, under_way=1, best=[0.3])
    assert [each.lease for each in leases.step({0: first, 1: asking}, 1.0)] == [0, 1]
    asked = report(1, waiting=8, lease=1, best=[0.3])
    assert leases.step({0: first, 1: asked}, 1.0)[0].lease == 4


def test_links_do_not_wait_for_ever_for_the_seeds_of_other_shards() -> None:
    leases = RunLeases(ClusterRun(id="r", began=0.0, pages=100), 2, {})
    first = report(0, waiting=9, lease=0, best=[0.9] * 4)
    assert leases.step({0: first}, LONGEST_BEGIN - 1)[0].lease == 0
    assert leases.step({0: first}, LONGEST_BEGIN + 1)[0].lease == 4
