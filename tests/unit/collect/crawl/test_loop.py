"""How many visits a crawl has under way, and what becomes of its own errors."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.collect.crawl.loop import FEWEST_AT_ONCE, VISITS_PER_SLOT, Budget, at_once
from haenyeo.collect.links.jobs import Job
from haenyeo.collect.links.queue import CrawlQueue
from haenyeo.model.config import Topic


def test_a_crawl_for_few_pages_begins_with_few_visits_at_a_time() -> None:
    assert at_once(0) == FEWEST_AT_ONCE


def test_the_more_it_has_seen_the_more_it_asks_at_a_time() -> None:
    assert at_once(VISITS_PER_SLOT - 1) == FEWEST_AT_ONCE
    assert at_once(100 * VISITS_PER_SLOT) == FEWEST_AT_ONCE + 100


def test_an_error_after_a_visit_ends_the_crawl_instead_of_being_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_collection(tmp_path / "divers", Topic(words="divers", seeds=("http://127.0.0.1:9/",)))

    take, given = CrawlQueue.take, list[Job]()

    def broken(self: CrawlQueue, now: float) -> Job | None:
        if given:
            raise IndexError(f"no link at {now}")
        if job := take(self, now):
            given.append(job)
        return job

    monkeypatch.setattr(CrawlQueue, "take", broken)
    with Collection.open(tmp_path / "divers") as collection, pytest.raises(IndexError, match="no link"):
        asyncio.run(_crawled(collection))


async def _crawled(collection: Collection) -> None:
    async with collection.crawling(Overrides(delay=0.0)) as crawl:
        await crawl.run(Budget(pages=1))
