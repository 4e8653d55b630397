"""What a visit promises, whoever makes it: crawl, refresh and watch rounds go through the same door."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from logged_web import PAGES, LoggedWeb, served
from visitors import LATER, VISITORS, make, settings_of

from haenyeo.collect.adapters.archive import archived_html
from haenyeo.collect.adapters.watching.watchlist import Watchlist
from haenyeo.collect.collection import Collection
from haenyeo.collect.events import Event, Events, PageBroke, PageVisited
from haenyeo.collect.service.service import Service
from haenyeo.collect.visit.absorb import Absorber
from haenyeo.collect.visit.clock import Clock

pytestmark = pytest.mark.slow
HOST = "reef.localhost"
SOONER = 0.03  # seconds by which timers may be off
NOTED_LATE = 0.1  # seconds by which a busy server may note what it did, where a run is not repeated
NAMES = sorted(VISITORS)


@pytest.fixture
def web() -> Iterator[LoggedWeb]:
    with served(LoggedWeb()) as made:
        yield made


def known(folder: Path, web: LoggedWeb) -> list[str]:
    """A collection that has read and watches all pages of a site; the site's log is empty again."""
    urls = [web.url(HOST, f"/{number}") for number in range(PAGES)]
    make(folder, urls)
    visit("crawl", folder)
    web.log.clear()
    return urls


def visit(name: str, folder: Path, delay: float = 0.0) -> list[Event]:
    """Let one of them visit all it has to; returns what was told."""
    told: list[Event] = []
    events = Events()
    events.listen(told.append)

    async def work() -> None:
        with Collection.open(folder) as collection:
            await VISITORS[name](collection, settings_of(collection, delay), events)

    asyncio.run(work())
    return told


def fresh(name: str, folder: Path, web: LoggedWeb) -> None:
    """A collection in which this one has all pages of the site to visit."""
    if name == "crawl":
        make(folder, [web.url(HOST, "/0")])
    else:
        known(folder, web)


def shortest_gap(name: str, web: LoggedWeb, folder: Path, delay: float, enough: float) -> float:
    """The shortest time between two requests of a run, in seconds.

    On a busy machine the server may note a request late, and the next one seems to follow too soon: a run that seems
    to be wrong is repeated. One that is wrong by its code is so every time.
    """
    found = 0.0
    for run in range(3):
        web.log.clear()
        fresh(name, folder / str(run), web)
        visit(name, folder / str(run), delay=delay)
        assert len(web.asked()) >= PAGES
        found = max(found, min(web.gaps(HOST)))
        if found > enough:
            break
    return found


@pytest.mark.parametrize("name", NAMES)
def test_the_delay_is_kept_between_all_requests(name: str, web: LoggedWeb, tmp_path: Path) -> None:
    assert shortest_gap(name, web, tmp_path, 0.3, 0.3 - SOONER) > 0.3 - SOONER


@pytest.mark.parametrize("name", NAMES)
def test_the_delay_is_kept_after_the_first_page_of_a_site_whose_robots_txt_is_slow(name: str, tmp_path: Path) -> None:
    with served(LoggedWeb(slow_robots=0.25)) as web:
        assert shortest_gap(name, web, tmp_path, 0.3, 0.3 - SOONER) > 0.3 - SOONER


@pytest.mark.parametrize("name", NAMES)
def test_crawl_delay_is_kept_from_the_first_gap_on(name: str, tmp_path: Path) -> None:
    with served(LoggedWeb(crawl_delay="0.4")) as web:
        assert shortest_gap(name, web, tmp_path, 0.0, 0.4 - SOONER) > 0.4 - SOONER


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_asked_before_retry_after_has_passed(name: str, web: LoggedWeb, tmp_path: Path) -> None:
    fresh(name, tmp_path / "c", web)
    web.busy = {"/0": 1}
    visit(name, tmp_path / "c")
    asked = web.asked()
    [pushed_back] = [each for each in asked if each.status == 503]
    later = [each.came - pushed_back.done for each in asked if each.came > pushed_back.came]
    assert all(wait > 1.0 - NOTED_LATE for wait in later)


@pytest.mark.parametrize("name", NAMES)
def test_a_site_that_wants_a_long_rest_gets_it_and_its_pages_wait(name: str, web: LoggedWeb, tmp_path: Path) -> None:
    fresh(name, tmp_path / "c", web)
    web.busy, web.retry_after = {f"/{number}": 1 for number in range(PAGES)}, "100"
    visit(name, tmp_path / "c")
    asked = web.asked()
    [pushed_back] = [each for each in asked if each.status == 503]
    assert not [each for each in asked if each.came > pushed_back.came]
    with Collection.open(tmp_path / "c", writing=False) as opened:
        due = Watchlist(opened.store).due(datetime.now(UTC))
        waiting = opened.store.waiting_count()
    assert waiting if name == "crawl" else len(due) >= PAGES - 1


@pytest.mark.parametrize("name", NAMES)
def test_an_error_of_ours_costs_one_page(
    name: str, web: LoggedWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh(name, tmp_path / "c", web)
    web.version = 2
    read = Absorber._learn_page

    def failing(self: Absorber, job, *rest):  # type: ignore[no-untyped-def]
        if job.url.endswith("/3"):
            raise ValueError("a defect")
        return read(self, job, *rest)

    monkeypatch.setattr(Absorber, "_learn_page", failing)
    told = visit(name, tmp_path / "c")
    assert [event.url[-2:] for event in told if isinstance(event, PageBroke)] == ["/3"]
    visited = {event.url[-2:] for event in told if isinstance(event, PageVisited)}
    assert visited >= {f"/{number}" for number in range(PAGES)}


@pytest.mark.parametrize("name", NAMES)
def test_robots_txt_is_obeyed(name: str, web: LoggedWeb, tmp_path: Path) -> None:
    closed = web.url(HOST, "/closed")
    make(tmp_path / "c", [web.url(HOST, "/0"), closed])
    visit("crawl", tmp_path / "c")
    visit(name, tmp_path / "c")
    assert "/closed" not in {each.path for each in web.log}


def test_crawl_refresh_and_watch_together_ask_a_site_one_at_a_time_and_keep_its_delay(tmp_path: Path) -> None:
    """A slow site with links that wait, pages that are due and pages under watch, all in one service."""
    with served(LoggedWeb(slow=0.25)) as web:
        make(tmp_path / "c", [web.url(HOST, f"/{number}") for number in range(PAGES)])
        told: list[Event] = []

        async def serve() -> None:
            with Collection.open(tmp_path / "c") as collection:
                clock = Clock(lambda: time.time() + LATER)
                service = Service(collection.store, settings_of(collection, 0.1), clock=clock)
                service.events.listen(told.append)
                asyncio.get_running_loop().call_later(8.0, service.stop)
                await service.run()

        asyncio.run(serve())
        asked = web.asked(HOST)
        times = Counter(each.path for each in asked)
        assert set(times) >= {f"/{number}" for number in range(PAGES)}
        assert max(times.values()) >= 2, "watched and crawled"
        assert min(web.gaps(HOST)) > 0.1 - SOONER
        ends = [later.came - sooner.done for sooner, later in itertools.pairwise(asked)]
        assert min(ends) > -NOTED_LATE, "two requests were under way at once"


KILLING = """
import asyncio, os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from haenyeo.collect.collection import Collection
from haenyeo.collect.events import Events
from haenyeo.collect.visit.absorb import Absorber
from haenyeo.collect.visit.asking import Asker
from haenyeo.collect.visit.turns import Turns
from haenyeo.store import Store
from visitors import VISITORS, settings_of

folder, name, step = Path(sys.argv[2]), sys.argv[3], sys.argv[4]
owner, method, moment = {
    "the turn has begun": (Turns, "begin", "after"),
    "the answer has come": (Turns, "end", "before"),
    "nothing is stored yet": (Absorber, "absorb", "before"),
    "all is stored": (Absorber, "absorb", "after"),
    "it is about to be committed": (Store, "flush", "before"),
    "it is committed": (Store, "flush", "after"),
}[step]
true, count = getattr(owner, method), [0]

def bomb(self, *rest, **named):
    count[0] += 1
    if count[0] >= 4 and moment == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    result = true(self, *rest, **named)
    if count[0] >= 4:
        os.kill(os.getpid(), signal.SIGKILL)
    return result

setattr(owner, method, bomb)
with Collection.open(folder) as collection:
    asyncio.run(VISITORS[name](collection, settings_of(collection, 0.0), Events()))
"""


@pytest.mark.parametrize(
    "step",
    [
        "the turn has begun",
        "the answer has come",
        "nothing is stored yet",
        "all is stored",
        "it is about to be committed",
        "it is committed",
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_a_kill_at_any_step_loses_nothing(name: str, step: str, web: LoggedWeb, tmp_path: Path) -> None:
    fresh(name, tmp_path / "c", web)
    web.version = 2
    here = Path(__file__).parent
    killed = subprocess.run(
        [sys.executable, "-c", KILLING, str(here), str(tmp_path / "c"), name, step],
        check=False,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
        timeout=60,
    )
    assert killed.returncode == -signal.SIGKILL, "it was to be killed on the way"
    visit(name, tmp_path / "c")
    with Collection.open(tmp_path / "c", writing=False) as opened:
        pages = list(opened.store.pages())
        assert sorted(page.url for page in pages) == [web.url(HOST, f"/{number}") for number in range(PAGES)]
        for page in pages:
            assert "abalone" in (archived_html(opened.store, page.url) or "")
            assert f"abalone{page.url[-1]}2" in page.text, "the second version is there"
        numbers = [visit.id for page in pages for visit in opened.store.visits(page.url)]
        assert len(numbers) == len(set(numbers))
