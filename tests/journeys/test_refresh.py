"""Four weeks of the demo web with its clock turned: fresher than visiting all alike, and nothing lost on the way.

The clock is turned an hour at a time, as fast as the machine goes, which is far beyond a thousand times. In these weeks
one site is down for a day with 503 and another drops every connection for a day, layouts change, pages die (one site
says so with 200) and pages move.
"""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from haenyeo.collect.adapters.watching.changes import LayoutChanged, restored
from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.collect.crawl.assembly import RunContext, parts_of
from haenyeo.collect.crawl.loop import Budget
from haenyeo.collect.service.planning import memory_of
from haenyeo.collect.service.refresher import Refresher
from haenyeo.collect.visit.clock import Clock
from haenyeo.demo import Address, DemoWeb, serve_in_thread
from haenyeo.demo.clock import DAY, EPOCH, HOUR, WEEK
from haenyeo.model.config import FetchSettings, Settings, Topic
from haenyeo.model.visits import Found, Outcome
from haenyeo.store import StoredVisit

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

SITES = ("branchline", "trailguide")
START = EPOCH.timestamp()
A_DAY = 40
AT_ONCE = Overrides(delay=0.0, scorer="bfs")
Web = tuple[DemoWeb, Address]


@pytest.fixture(scope="module")
def turned() -> Iterator[Web]:
    """A demo web of its own: its clock is turned."""
    demo = DemoWeb()
    with serve_in_thread(demo) as address:
        yield demo, address


def clock_of(web: DemoWeb) -> Clock:
    return Clock(lambda: START + web.clock.now, speed=1e6)


def with_planner(settings: Settings, planner: str) -> Settings:
    strategy = msgspec.structs.replace(settings.strategy, planner=planner)
    return msgspec.structs.replace(AT_ONCE.applied_to(settings), strategy=strategy)


@pytest.fixture(scope="module")
def crawled(turned: Web, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection of two sites, crawled when the clock stood at zero."""
    web = turned[0]
    folder = tmp_path_factory.mktemp("refresh") / "crawled"
    create_collection(
        folder,
        Topic(words="trains", seeds=tuple(web.url(site) for site in SITES)),
        hosts=[f"{site}.localhost" for site in SITES],
        fetch=FetchSettings(allow_private=("127.0.0.0/8",)),
    )

    async def crawl() -> None:
        async with Collection.open(folder) as opened, opened.crawling(AT_ONCE, clock_of(web)) as crawling:
            await crawling.run(Budget())

    asyncio.run(crawl())
    return folder


async def live(folder: Path, web: DemoWeb, planner: str, hours: range) -> None:
    """Refresh through these hours."""
    async with Collection.open(folder) as opened:
        settings, clock = with_planner(opened.settings, planner), clock_of(web)
        async with parts_of(opened.store, settings, RunContext(clock=clock)) as parts:
            refresher = Refresher(parts, memory_of(opened.store, settings, A_DAY))
            for hour in hours:
                web.clock.now = hour * HOUR
                await refresher.step()


class Lived:
    """What came of four weeks."""

    def __init__(self, folder: Path, web: DemoWeb, address: Address, planner: str) -> None:
        self.web, self.folder = web, folder
        address.log.clear()
        web.clock.now = 0
        asyncio.run(live(folder, web, planner, range(1, 4 * 7 * 24 + 1)))
        self.requests = [request for request in address.log.requests if "haenyeo-" not in request.target]
        with Collection.open(folder, writing=False) as opened:
            self.pages = list(opened.store.pages())
            self.visits = {page.url: opened.store.visits(page.url) for page in self.pages}

    def changed(self, url: str, before: StoredVisit, visit: StoredVisit) -> bool:
        """Did the page say something else at this visit than at the one before?"""
        since, until = before.at.timestamp() - START, visit.at.timestamp() - START
        return any(change.what != "layout" for change in self.web.changes(url, since, until))

    def stale_share(self) -> float:
        """The share of page-time in which the stored copy was older than the page."""
        stale = total = 0.0
        for page in self.pages:
            seen = [v.at.timestamp() - START for v in self.visits[page.url] if v.found is not Found.NOTHING]
            seen = sorted(max(0.0, at) for at in seen)
            changes = [c.at for c in self.web.changes(page.url, seen[0], 4 * WEEK) if c.what in ("content", "comments")]
            for since, until in zip(seen, [*seen[1:], 4.0 * WEEK], strict=True):
                stale += until - min([change for change in changes if since < change <= until], default=until)
            total += 4 * WEEK - seen[0]
        return stale / total


@pytest.fixture(scope="module")
def lived(turned: Web, crawled: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Lived]:
    weeks = {}
    for planner in ("default", "uniform"):
        folder = tmp_path_factory.mktemp("lived") / planner
        shutil.copytree(crawled, folder)
        weeks[planner] = Lived(folder, *turned, planner)
    return weeks


def test_copies_are_fresher_than_with_even_visits_for_the_same_requests(lived: dict[str, Lived]) -> None:
    ours, even = lived["default"], lived["uniform"]
    assert len(ours.requests) <= 1.05 * 28 * A_DAY
    assert len(ours.requests) <= 1.05 * len(even.requests)
    assert ours.stale_share() < 0.9 * even.stale_share()


def test_servers_that_know_answer_without_a_body(lived: dict[str, Lived]) -> None:
    found = Counter(visit.found for visits in lived["default"].visits.values() for visit in visits)
    assert found[Found.NOT_MODIFIED] > 50
    assert found[Found.CHANGED] > 50


def test_an_outage_costs_few_requests_and_is_followed_by_no_storm(lived: dict[str, Lived]) -> None:
    ours = lived["default"]
    for site, (begin, end, _) in ours.web.outages().items():
        asked = [r for r in ours.requests if r.host == f"{site}.localhost"]
        during = [r for r in asked if begin <= r.at < end]
        assert 1 <= len(during) <= 24
        hourly = Counter(int(r.at // HOUR) for r in ours.requests)
        assert max(hourly[int(end // HOUR) + hour] for hour in range(48)) <= A_DAY // 4 + 2


def test_no_page_is_lost_to_an_outage(lived: dict[str, Lived], crawled: Path) -> None:
    with Collection.open(crawled, writing=False) as opened:
        before = {page.url for page in opened.store.pages()}
    with Collection.open(lived["default"].folder, writing=False) as opened:
        for url in before:
            page = opened.store.page(url)
            assert page is not None
            assert page.text


def test_gone_pages_are_checked_again_and_then_left_alone(lived: dict[str, Lived]) -> None:
    ours = lived["default"]
    gone = [visits for visits in ours.visits.values() if any(v.found is Found.GONE for v in visits)]
    assert gone
    for visits in gone:
        checks = [v for v in visits if v.found is Found.GONE]
        assert len(checks) <= 4
        gaps = [(b.at - a.at).total_seconds() for a, b in pairwise(checks)]
        assert all(gap >= DAY * 0.99 * 3**place for place, gap in enumerate(gaps))


def test_moved_pages_are_followed_and_their_old_addresses_left(lived: dict[str, Lived]) -> None:
    ours = lived["default"]
    moves = Counter(r.target for r in ours.requests if r.status in {301, 302, 308})
    assert moves
    assert max(moves.values()) == 1


def test_every_version_stays_in_the_archive(lived: dict[str, Lived]) -> None:
    ours = lived["default"]
    with Collection.open(ours.folder, writing=False) as opened:
        url = max(ours.visits, key=lambda each: sum(v.found is Found.CHANGED for v in ours.visits[each]))
        versions = [v for v in opened.store.visits(url) if v.found in (Found.NEW, Found.CHANGED)]
        assert len({opened.store.body(visit) for visit in versions}) == len(versions) > 2


def test_a_page_that_only_says_it_is_gone_is_told_apart(lived: dict[str, Lived]) -> None:
    ours = lived["default"]
    dead = {
        url
        for url in ours.visits
        if "trailguide" in url and any(change.what == "gone" for change in ours.web.changes(url, 0, 2 * WEEK))
    }
    visited = [v for url in dead for v in ours.visits[url] if v.at.timestamp() - START > 2 * WEEK]
    assert all(v.outcome is Outcome.GONE for v in visited)


def test_a_new_layout_is_told_as_such_and_not_as_a_change_of_every_page(lived: dict[str, Lived]) -> None:
    ours = lived["default"]
    with Collection.open(ours.folder, writing=False) as opened:
        told = [change for event in opened.store.events() if isinstance(change := restored(event), LayoutChanged)]
    for site, redesigns in ours.web.redesigns().items():
        days = [at for at, grade in redesigns if site in SITES and grade == "full" and at < 4 * WEEK]
        if not days:
            continue
        assert any(change.site == f"{site}.localhost" for change in told)
        after = [
            (url, before, visit)
            for url, visits in ours.visits.items()
            if f"//{site}." in url
            for before, visit in pairwise(visits)
            if before.at.timestamp() - START < days[0] <= visit.at.timestamp() - START
        ]
        alike = [visit for url, before, visit in after if not ours.changed(url, before, visit)]
        assert len(alike) > 20
        assert sum(visit.found is Found.CHANGED for visit in alike) < 0.2 * len(alike)


def test_what_was_found_and_what_it_cost_is_counted_apart(lived: dict[str, Lived]) -> None:
    ours = lived["default"]
    with Collection.open(ours.folder, writing=False) as opened:
        counts = {each.found: each for each in opened.store.found_counts()}
    assert counts[Found.NOT_MODIFIED].bytes == 0
    assert counts[Found.CHANGED].bytes > 0
    assert {Found.NEW, Found.SAME_TEXT, Found.GONE} <= counts.keys()
