"""Everyone who visits pages: crawl, refresh and watch rounds, each able to visit some addresses of a collection."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from haenyeo.collect.adapters.watching.watchlist import Watchlist, watched_page
from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.collect.crawl.assembly import RunContext, add_starts, parts_of
from haenyeo.collect.crawl.loop import Budget, Crawl
from haenyeo.collect.events import Events
from haenyeo.collect.service.planning import memory_of
from haenyeo.collect.service.refresher import Refresher
from haenyeo.collect.service.rounds import Round
from haenyeo.collect.visit.clock import Clock
from haenyeo.model.config import FetchSettings, Settings, Topic

DAY = 86_400.0
LATER = 30 * DAY
"""By so much the clock of a refresh is ahead: every page is due by then."""

Visits = Callable[[Collection, Settings, Events], Awaitable[None]]


def make(folder: Path, urls: Sequence[str]) -> None:
    """A collection that begins with these addresses and watches them."""
    create_collection(
        folder, Topic(words="reef", seeds=tuple(urls)), fetch=FetchSettings(allow_private=("127.0.0.0/8",))
    )
    with Collection.open(folder) as opened:
        watchlist = Watchlist(opened.store)
        for url in urls:
            watchlist.put(watched_page(url, (), timedelta(hours=6), 1, datetime.now(UTC)))


def settings_of(collection: Collection, delay: float) -> Settings:
    settings = Overrides(delay=delay, scorer="bfs").applied_to(collection.settings)
    return msgspec.structs.replace(settings, scope=msgspec.structs.replace(settings.scope, sitemaps=False))


async def crawl(collection: Collection, settings: Settings, events: Events) -> None:
    """Follow the links of the seeds."""
    async with parts_of(collection.store, settings, RunContext(events=events)) as parts:
        await add_starts(parts, settings)
        await Crawl(parts).run(Budget())


async def refresh(collection: Collection, settings: Settings, events: Events) -> None:
    """Visit all known pages again."""
    clock = Clock(lambda: time.time() + LATER)
    async with parts_of(collection.store, settings, RunContext(events=events, clock=clock)) as parts:
        await Refresher(parts, memory_of(collection.store, settings, 10_000.0)).run_once()


async def watch(collection: Collection, settings: Settings, events: Events) -> None:
    """Visit all pages under watch."""
    watchlist = Watchlist(collection.store)
    async with parts_of(collection.store, settings, RunContext(events=events)) as parts:
        for page in list(watchlist):
            await Round(parts).visit_watched(watchlist, page)


VISITORS: dict[str, Visits] = {"crawl": crawl, "refresh": refresh, "watch": watch}
