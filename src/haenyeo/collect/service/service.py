"""The service: crawls, refreshes and watches until it is stopped, for months if need be.

All three work with the same parts: one pace for each site, one queue, one store, so that no site is asked more often
than its due by two of them together. They run side by side in one event loop:

    crawl      takes links from the queue as long as there are any, then waits for new ones
    refresh    visits what the planner names, within its budget
    watch      visits the pages and result lists under watch when their time has come
    upkeep     keeps what was learnt every few minutes, and looks at the clock

When the network is lost everything waits; links and pages keep their place. All parts go by a steady clock; when the
real one was set, forwards or back, or the machine slept, they are put together anew from the store at the new time, and
the time that never passed earns no requests. A kill at any moment costs the visits under way. Watched pages go by the
real clock.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable
from contextlib import suppress
from datetime import UTC, datetime

from haenyeo.collect.adapters.watching.notify import notify
from haenyeo.collect.adapters.watching.watchlist import Watchlist
from haenyeo.collect.crawl.assembly import RunContext, add_starts, parts_of
from haenyeo.collect.crawl.loop import Budget, Crawl
from haenyeo.collect.crawl.parts import Parts
from haenyeo.collect.crawl.seeding.starts import added_starts, given_starts
from haenyeo.collect.events import ClockSet, Events, ServiceEnded
from haenyeo.collect.service.memory import Memory
from haenyeo.collect.service.planning import memory_of
from haenyeo.collect.service.refresher import Refresher
from haenyeo.collect.service.rounds import Round
from haenyeo.collect.service.shares import Shares
from haenyeo.collect.visit.clock import Clock, SteadyClock, nap
from haenyeo.collect.visit.network import Network
from haenyeo.model.config import NotifySettings, Settings
from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Url
from haenyeo.store import Store

log = logging.getLogger(__name__)

IDLE = 5.0  # real seconds between two looks for new links
WATCH_EVERY = 30.0
UPKEEP_EVERY = 300.0
CLOCK_EVERY = 5.0
JUMP = 30.0  # seconds by which the clock may go wrong before it counts as set


class Service:
    """Runs one collection; with `per_day` crawl and refresh have so many requests a day together.

    Without it the crawl goes as fast as the sites' pace allows, and revisits have the budget of the settings.
    """

    def __init__(
        self, store: Store, settings: Settings, *, clock: Clock | None = None, per_day: float | None = None
    ) -> None:
        self._store, self._settings, self._per_day = store, settings, per_day
        self._clock, self._was_set = SteadyClock(clock or Clock()), False
        self.events = Events()
        self.memory: Memory | None = None
        self._stopping, self._anew = asyncio.Event(), asyncio.Event()
        self._shares: Shares | None = None
        self._crawl: Crawl | None = None
        self._refresher: Refresher | None = None

    async def run(self) -> ServiceEnded:
        """Go on until `stop` is called; everything that was fetched is kept."""
        began = time.monotonic()
        while not self._stopping.is_set():
            self._anew.clear()
            self._clock.set()
            given = RunContext(
                events=self.events, clock=self._clock, known=known_addresses(self._store, self._settings)
            )
            async with parts_of(self._store, self._settings, given) as parts:
                assert parts.network is not None
                await self._work(parts, parts.network)
        self._store.flush()
        ended = ServiceEnded(why="stopped", seconds=time.monotonic() - began, collected=self._store.counts().kept)
        self.events.tell(ended)
        return ended

    def stop(self) -> None:
        """Start nothing more; `run` returns once the visits under way have ended."""
        self._stopping.set()
        self._end_work()

    def _end_work(self) -> None:
        self._anew.set()
        if self._crawl:
            self._crawl.stop()
        if self._refresher:
            self._refresher.stop()

    async def _work(self, parts: Parts, network: Network) -> None:
        """Crawl, refresh and watch until it is time to stop or to put the parts together anew."""
        with suppress(UsageError):  # a collection of watched pages alone needs no seeds
            await add_starts(parts, self._settings)
        self.memory = memory_of(self._store, self._settings, self._per_day)
        if self._per_day is not None:
            self._shares = Shares(self._store, self._per_day, self.memory.bucket, self._clock.now())
        if self._was_set:
            for bucket in (self.memory.bucket, *([self._shares.crawl] if self._shares else [])):
                bucket.filled_at = self._clock.now()
        self._look_after_budget(parts)
        self._refresher = Refresher(parts, self.memory)
        if self._anew.is_set():
            return
        await together(
            self._refresher.run(),
            self._go_on_crawling(parts, network),
            keep_watching(parts, self._settings.notify, self._anew),
            self._keep_up(parts),
        )

    async def _go_on_crawling(self, parts: Parts, network: Network) -> None:
        while not self._anew.is_set():
            await network.back(self._anew)
            ready = parts.queue.next_ready(self._clock.now())
            if ready is None or ready > self._clock.now() + IDLE or not self._may_crawl():
                await nap(IDLE, self._anew)
                continue
            self._crawl = Crawl(parts, self._shares.crawl if self._shares else None)
            if not self._anew.is_set():
                await self._crawl.run(Budget())

    def _may_crawl(self) -> bool:
        return self._shares is None or self._shares.crawl.available(self._clock.now()) >= 1

    async def _keep_up(self, parts: Parts) -> None:
        """Keep what was learnt now and then; end the work when the clock was set."""
        remembered = time.monotonic()
        while not self._anew.is_set():
            await nap(CLOCK_EVERY, self._anew)
            self._look_at_clock()
            self._look_after_budget(parts)
            if time.monotonic() - remembered > UPKEEP_EVERY:
                parts.remember()
                remembered = time.monotonic()

    def _look_after_budget(self, parts: Parts) -> None:
        """Share the budget between those who have something to ask for."""
        if self._shares and self.memory:
            pages = self.memory.planner.planned() > 0
            self._shares.balance(self._clock.now(), links=len(parts.queue) > 0, pages=pages)
            self._shares.save()

    def _look_at_clock(self) -> None:
        """Follow a clock that is a little ahead; end the work when it was set, so that all is planned anew."""
        behind = self._clock.behind()
        if abs(behind) > JUMP:
            log.warning("the clock was set by %.0f seconds", behind)
            self.events.tell(ClockSet(seconds=behind))
            self._was_set = True
            self._end_work()
        elif behind > 0:
            self._clock.set()


def known_addresses(store: Store, settings: Settings) -> tuple[Url, ...]:
    """Addresses at which something should answer: those of pages under watch, and the seeds."""
    watched = [url for page in Watchlist(store) for url in page.addresses]
    return (*given_starts(settings.topic.values()), *added_starts(store.folder), *watched)


async def keep_watching(parts: Parts, notices: NotifySettings, stopping: asyncio.Event) -> None:
    """Visit the pages and result lists under watch when their time has come, until told to stop."""
    network = parts.network
    assert network is not None
    while not stopping.is_set():
        await network.back(stopping)
        watchlist = Watchlist(parts.store)
        for page in watchlist.due(datetime.now(UTC)):
            if not (stopping.is_set() or network.lost):
                await Round(parts, stopping).visit_watched(watchlist, page)
        await notify(parts.store, notices)
        await nap(WATCH_EVERY, stopping)


async def together(*works: Awaitable[object]) -> None:
    """Wait for all of them; when one fails the others are cancelled and its error is raised as it is."""
    try:
        async with asyncio.TaskGroup() as group:
            for work in works:
                group.create_task(_awaited(work))
    except BaseExceptionGroup as errors:
        raise _first(errors) from None


async def _awaited(work: Awaitable[object]) -> None:
    await work


def _first(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    error = errors.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
