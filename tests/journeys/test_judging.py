"""The user judges pages while a crawl or the service works on the collection."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from haenyeo.cli.app import haenyeo
from haenyeo.collect.adapters.finding.handing import FOLDER, UserVerdict, hand_over
from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.collect.crawl.assembly import parts_of
from haenyeo.collect.crawl.hearing import take_up
from haenyeo.collect.crawl.loop import Budget
from haenyeo.demo import Address, DemoWeb
from haenyeo.demo.truth import TopicTruth
from haenyeo.find.frontier import Waiting
from haenyeo.html.urls import canonical
from haenyeo.model.config import FetchSettings, Topic
from haenyeo.store import StoredPage
from haenyeo.web.changing import judge
from haenyeo.web.desk import Desk
from haenyeo.web.queries.one_page import said_of

pytestmark = pytest.mark.slow
Web = tuple[DemoWeb, Address]


@pytest.fixture
def topic(web: Web) -> TopicTruth:
    return web[0].topics()[0]


@pytest.fixture
def divers(topic: TopicTruth, tmp_path: Path) -> Path:
    """A collection about the demo web's first topic, by words alone."""
    settings = Topic(words=topic.words, seeds=topic.seeds)
    create_collection(tmp_path / "divers", settings, fetch=FetchSettings(allow_private=("127.0.0.0/8",)))
    return tmp_path / "divers"


@contextmanager
def working(folder: Path, command: str) -> Iterator[None]:
    """Inside, a process crawls, slowly; it is stopped at the end."""
    arguments = [sys.executable, "-m", "haenyeo", command, str(folder), "--delay", "0.3", "-q"]
    process = subprocess.Popen(arguments, start_new_session=True)
    try:
        until(lambda: fetched(folder) >= 10)
        yield
        assert process.poll() is None, "it still works"
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(30)


def until(holds: Callable[[], bool], seconds: float = 40.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.2)


def fetched(folder: Path) -> int:
    with Collection.open(folder, writing=False) as collection:
        return collection.store.counts().fetched


def stored(folder: Path, url: str) -> StoredPage | None:
    with Collection.open(folder, writing=False) as collection:
        return collection.store.page(url)


def judged(folder: Path, url: str, verdict: str) -> dict[str, object]:
    result = CliRunner().invoke(haenyeo, ["judge", str(folder), url, verdict, "--json"])
    assert result.exit_code == 0, result.output
    done: dict[str, object] = json.loads(result.output)
    return done


@pytest.mark.parametrize("command", ["crawl", "run"])
def test_a_verdict_counts_while_a_crawl_goes_on(divers: Path, topic: TopicTruth, command: str) -> None:
    with working(divers, command):
        with Collection.open(divers, writing=False) as collection:
            bad = next(page.url for page in collection.store.pages(kept_only=False) if page.relevance)
        assert judged(divers, bad, "no")["taken_up"]
        page = stored(divers, bad)
        assert page
        assert not page.kept
        assert list(page.relevance.values()) == [0.0]

        good = next(url for url in map(canonical, topic.like) if url and stored(divers, url) is None)
        done = judged(divers, good, "yes")
        assert done["taken_up"]
        assert not done["fetched"]
        until(lambda: stored(divers, good) is not None)
    page = stored(divers, good)
    assert page
    assert page.kept, "it was fetched at once, and belongs to the collection because the user said so"


def test_the_dashboard_judges_while_a_crawl_goes_on(divers: Path) -> None:
    with working(divers, "crawl"):
        with Collection.open(divers, writing=False) as collection:
            name = next(iter(collection.settings.topic))
            bad = next(page.url for page in collection.store.pages(kept_only=False) if page.relevance)
        desk = Desk(divers)
        try:
            judge(desk, bad, name, good=False)
            with desk.reading() as store:
                assert said_of(store, bad) == {name: False}
        finally:
            desk.close()


def test_a_verdict_nobody_took_up_counts_when_the_next_crawl_starts(divers: Path, topic: TopicTruth) -> None:
    good = canonical(topic.like[0])
    assert good
    with Collection.open(divers, writing=False) as collection:
        hand_over(divers, UserVerdict(url=good, topic=next(iter(collection.settings.topic)), relevant=True))
    with Collection.open(divers) as collection:
        for _ in collection.crawl(pages=1):
            pass
    page = stored(divers, good)
    assert page
    assert page.kept
    assert not list((divers / FOLDER).glob("*.json"))


def test_a_verdict_puts_the_queue_in_another_order(divers: Path) -> None:
    async def orders() -> tuple[list[Waiting], list[Waiting]]:
        with Collection.open(divers) as collection:
            async with collection.crawling(Overrides(delay=0.0)) as crawl:
                await crawl.run(Budget(pages=60))
            async with parts_of(collection.store, collection.settings) as parts:
                before = parts.queue.first(50)
                name = next(iter(collection.settings.topic))
                best = max(collection.store.pages(), key=lambda page: page.relevance[name])
                hand_over(divers, UserVerdict(url=best.url, topic=name, relevant=False))
                take_up(parts.store, parts.finder, collection.settings)
                return before, parts.queue.first(50)

    before, after = asyncio.run(orders())
    assert [link.ref for link in before] != [link.ref for link in after]
