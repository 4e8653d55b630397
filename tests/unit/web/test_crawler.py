from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from haenyeo.store import Store
from haenyeo.web.crawler import Crawler, Wish


@pytest.fixture
def crawler(folder: Path) -> Iterator[Crawler]:
    made = Crawler(folder)
    yield made
    made.close()


def state_of(crawler: Crawler) -> str:
    return crawler.condition.state


def wait(crawler: Crawler) -> None:
    """Wait until the crawl has ended by itself."""
    assert crawler._process is not None
    crawler._process.wait(60)


def test_nothing_happens_without_a_crawl(crawler: Crawler) -> None:
    for action in (crawler.pause, crawler.resume, crawler.stop, crawler.close):
        action()
        assert state_of(crawler) == "idle"
    with crawler.held():
        assert state_of(crawler) == "idle"


def test_a_crawl_elsewhere_is_told_and_not_doubled(crawler: Crawler, folder: Path) -> None:
    with Store.open(folder, writing=True):
        told = crawler.condition
        assert told.state == "elsewhere"
        assert told.process is not None
        crawler.start(Wish(pages=1))
        assert crawler._process is None
    assert state_of(crawler) == "idle"


@pytest.mark.slow
def test_a_crawl_runs_as_a_process_and_its_last_words_are_kept(crawler: Crawler) -> None:
    crawler.start(Wish(pages=1, minutes=1, delay=0))
    assert state_of(crawler) == "running"
    crawler.start(Wish())  # one is enough
    wait(crawler)
    ended = crawler.condition
    assert (ended.state, ended.process) == ("idle", None)
    assert ended.message


@pytest.mark.slow
def test_a_crawl_is_paused_and_goes_on(crawler: Crawler) -> None:
    crawler.start(Wish(minutes=1))
    crawler.pause()
    assert state_of(crawler) in ("stopping", "paused")
    wait(crawler)
    assert state_of(crawler) == "paused"
    crawler.resume()
    assert state_of(crawler) == "running"
    crawler.stop()
    wait(crawler)
    assert state_of(crawler) == "idle"


@pytest.mark.slow
def test_a_crawl_stands_still_while_another_writes(crawler: Crawler, folder: Path) -> None:
    crawler.start(Wish(minutes=1))
    with crawler.held(), Store.open(folder, writing=True):
        pass
    assert state_of(crawler) == "running"
