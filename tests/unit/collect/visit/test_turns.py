"""A visit that hangs lends its turn; one that is answered keeps it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from haenyeo.collect.links.jobs import Job, named_job
from haenyeo.collect.links.queue import CrawlQueue
from haenyeo.collect.links.scope import Scope
from haenyeo.collect.visit.clock import Clock
from haenyeo.collect.visit.turns import TICK_SECONDS, Turn, Turns
from haenyeo.fetch.pace import Pace
from haenyeo.find.bfs import BreadthFirst
from haenyeo.find.traps import Traps
from haenyeo.model.config import PaceSettings, ScopeSettings
from haenyeo.model.pages import Link, Url
from haenyeo.model.visits import Answer, Outcome
from haenyeo.store import Store

URLS = [Url("http://reef.example/1"), Url("http://reef.example/2")]


class Hasty(Pace):
    """Loses patience at once."""

    def patience(self, site: str) -> float:
        return 0.0 * super().patience(site)


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[CrawlQueue]:
    with Store.create(tmp_path) as store:
        made = CrawlQueue(store, Scope(ScopeSettings()), BreadthFirst(), Traps(), per_site=1)
        new = made.offer(URLS, -1, lambda places: [Link(url=URLS[place]) for place in places]).new
        made.enqueue(store.add_seeds(new), new)
        yield made


def taken(queue: CrawlQueue) -> Job:
    job = queue.take(Clock().now())
    assert job is not None
    assert queue.take(Clock().now()) is None
    return job


def hasty(queue: CrawlQueue) -> Turns:
    return Turns(Hasty(PaceSettings(delay=0.0), random.Random(1)), queue, Clock(), at_once=8)


def test_the_turn_of_a_visit_that_hangs_is_lent_once(queue: CrawlQueue) -> None:
    async def hang() -> Job | None:
        lent = asyncio.Event()
        turns = hasty(queue)
        with turns.heard_by(lent.set):
            turn = turns.begin(taken(queue))
            await asyncio.wait_for(lent.wait(), 50 * TICK_SECONDS)
        other = queue.take(Clock().now())
        turns.give_up(turn)
        return other

    other = asyncio.run(hang())
    assert other is not None
    assert other.url == URLS[1]


def test_a_visit_that_is_answered_keeps_its_turn(queue: CrawlQueue) -> None:
    async def answer() -> bool:
        lent = asyncio.Event()
        turns = hasty(queue)
        with turns.heard_by(lent.set):
            turns.answered(turns.begin(taken(queue)))
            await asyncio.sleep(3 * TICK_SECONDS)
        return lent.is_set()

    assert not asyncio.run(answer())


def named() -> Job:
    return named_job(Url("http://reef.example/named"))


def turns_over(queue: CrawlQueue, delay: float = 0.0) -> Turns:
    return Turns(Pace(PaceSettings(delay=delay), random.Random(1)), queue, Clock(), at_once=8)


def test_a_visit_no_link_led_to_has_its_turn_before_the_sites_links(queue: CrawlQueue) -> None:
    async def visit() -> tuple[bool, Job | None, Job | None]:
        turns = turns_over(queue)
        first = turns.begin(taken(queue))
        waiting = asyncio.create_task(turns.wait_for(named(), 5.0))
        await asyncio.sleep(0)
        turns.release(first, turns.give_up(first))
        in_between = queue.take(Clock().now())
        turn = await waiting
        assert turn is not None
        meanwhile = queue.take(Clock().now())
        turns.release(turn, turns.give_up(turn))
        return in_between is None, meanwhile, queue.take(Clock().now())

    was_kept_free, meanwhile, afterwards = asyncio.run(visit())
    assert was_kept_free
    assert meanwhile is None
    assert afterwards is not None


def test_waiting_ends_at_once_when_the_turn_is_too_far_away(queue: CrawlQueue) -> None:
    async def visit() -> tuple[Turn | None, Job | None]:
        turns = turns_over(queue, delay=60.0)
        first = await turns.wait_for(named(), 5.0)
        assert first is not None
        turns.release(first, turns.give_up(first))
        return await turns.wait_for(named(), 5.0), queue.take(Clock().now() + 61.0)

    turn, link = asyncio.run(visit())
    assert turn is None
    assert link is not None, "what was reserved is free again"


def test_waiting_ends_when_it_is_time_to_stop(queue: CrawlQueue) -> None:
    async def visit() -> tuple[Turn | None, Job | None]:
        turns, stopping = turns_over(queue), asyncio.Event()
        first = turns.begin(taken(queue))
        waiting = asyncio.create_task(turns.wait_for(named(), 60.0, stopping))
        await asyncio.sleep(0)
        stopping.set()
        turn = await waiting
        turns.release(first, turns.give_up(first))
        return turn, queue.take(Clock().now())

    turn, link = asyncio.run(visit())
    assert turn is None
    assert link is not None


def test_a_wait_that_is_broken_off_gives_its_place_back(queue: CrawlQueue) -> None:
    async def visit() -> Job | None:
        turns = turns_over(queue)
        first = turns.begin(taken(queue))
        waiting = asyncio.create_task(turns.wait_for(named(), 60.0))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        turns.release(first, turns.give_up(first))
        return queue.take(Clock().now())

    assert asyncio.run(visit()) is not None


def test_two_who_wait_have_their_turns_one_after_the_other(queue: CrawlQueue) -> None:
    async def visit() -> tuple[int, int]:
        turns = turns_over(queue)
        waiting = [asyncio.create_task(turns.wait_for(named(), 5.0)) for _ in range(2)]
        done, pending = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        [first] = done
        turn = first.result()
        assert turn is not None
        early = len(pending)
        turns.release(turn, turns.give_up(turn))
        second = await pending.pop()
        return early, int(second is not None)

    assert asyncio.run(visit()) == (1, 1)


def test_who_takes_from_the_queue_is_told_when_a_turn_is_given_back(queue: CrawlQueue) -> None:
    async def visit() -> bool:
        turns, told = turns_over(queue), asyncio.Event()
        with turns.heard_by(told.set):
            turn = await turns.wait_for(named(), 5.0)
            assert turn is not None
            assert not told.is_set()
            turns.release(turn, turns.give_up(turn))
        return told.is_set()

    assert asyncio.run(visit())


def test_a_rest_that_was_waited_for_is_over_even_if_the_clock_stands(queue: CrawlQueue) -> None:
    url = Url("http://www.reef.example/")
    busy = Answer(url=url, final_url=url, outcome=Outcome.ERROR, retryable=True)

    async def wait() -> bool:
        pace = Pace(PaceSettings(delay=0.0), random.Random(1))
        assert pace.answered("http://www.reef.example", busy, 100.0) > 100.0
        turns = Turns(pace, queue, Clock(lambda: 100.0, speed=1e6), at_once=8)
        too_long = await turns.wait_for(named_job(url), patience=0.5)
        return too_long is None and await turns.wait_for(named_job(url), patience=60.0) is not None

    assert asyncio.run(asyncio.wait_for(wait(), 20.0))
