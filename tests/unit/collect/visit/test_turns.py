"""A visit that hangs lends its turn; one that is answered keeps it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from haenyeo.collect.links.jobs import Job
from haenyeo.collect.links.queue import CrawlQueue
from haenyeo.collect.links.scope import Scope
from haenyeo.collect.visit.clock import Clock
from haenyeo.collect.visit.turns import TICK_SECONDS, Turns
from haenyeo.fetch.pace import Pace
from haenyeo.find.bfs import BreadthFirst
from haenyeo.find.traps import Traps
from haenyeo.model.config import PaceSettings, ScopeSettings
from haenyeo.model.pages import Link, Url
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
