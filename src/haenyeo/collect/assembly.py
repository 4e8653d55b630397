"""Puts the parts of a crawl together, as the settings name them."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from haenyeo.collect.absorb import Absorber
from haenyeo.collect.asking import Asker
from haenyeo.collect.crawl import Crawl, Parts
from haenyeo.collect.queue import CrawlQueue
from haenyeo.collect.registry import find_part
from haenyeo.collect.scope import Scope
from haenyeo.collect.watching.page_watch import PageWatch
from haenyeo.fetch.client import Client
from haenyeo.fetch.pace import Pace
from haenyeo.fetch.robots_keeper import RobotsKeeper
from haenyeo.find.traps import Traps
from haenyeo.html.urls import canonical
from haenyeo.model.config import Settings, TopicSettings
from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Url
from haenyeo.store import Store


@asynccontextmanager
async def crawl_of(store: Store, settings: Settings) -> AsyncIterator[Crawl]:
    """A crawl over this store, ready to run; what its parts have learnt is stored at the end of the block."""
    async with parts_of(store, settings) as parts:
        parts.absorber.add_seeds(seeds_of(settings.topic.values()))
        crawl = Crawl(parts)
        parts.absorber.tell = crawl.events.tell
        yield crawl


@asynccontextmanager
async def parts_of(store: Store, settings: Settings) -> AsyncIterator[Parts]:
    """The parts of a crawl, as the settings name them; what they have learnt is stored at the end of the block."""
    traps = Traps()
    traps.load(dict(store.states("traps")))
    scorer = find_part("scorers", settings.strategy.scorer)()
    queue = CrawlQueue(store, Scope(settings.scope), scorer, traps, per_site=settings.pace.per_site)
    queue.rebuild()
    watch = PageWatch(store, find_part("watchers", settings.strategy.watcher)())
    absorber = Absorber(store, queue, watch, listings=settings.scope.sitemaps)
    async with Client(settings.fetch) as client:
        keeper = RobotsKeeper(client) if settings.fetch.obey_robots else None
        if keeper:
            keeper.load(dict(store.states("robots")))
        pace = Pace(settings.pace, random.Random())
        asker = Asker(client, keeper, pace, queue)
        asker.on_sitemaps = absorber.add_sitemaps
        yield Parts(store=store, queue=queue, asker=asker, absorber=absorber, pace=pace, at_once=settings.pace.total)
        _remember(store, traps, keeper)


def _remember(store: Store, traps: Traps, keeper: RobotsKeeper | None) -> None:
    """Keep what was learnt for the next crawl."""
    for site, state in traps.dump().items():
        store.put_state("traps", site, state)
    for origin, text in (keeper.take_changes() if keeper else {}).items():
        store.put_state("robots", origin, text)
    store.flush()


def seeds_of(topics: Iterable[TopicSettings]) -> list[Url]:
    """Where to start: the seeds of all topics, or the pages they like."""
    seeds = [address for topic in topics for example in topic.seeds or topic.like if (address := canonical(example))]
    if not seeds:
        raise UsageError("the collection has no seeds", advice='add some to haenyeo.toml: seeds = ["https://..."]')
    return list(dict.fromkeys(seeds))
