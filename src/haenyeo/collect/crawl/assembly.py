"""Puts the parts of a crawl together, as the settings name them."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial

from haenyeo.collect.adapters.finding.parts import finding_of
from haenyeo.collect.adapters.finding.topical import TopicFinder
from haenyeo.collect.adapters.reading.crawl_reader import CrawlReader
from haenyeo.collect.adapters.watching.page_watch import PageWatch
from haenyeo.collect.crawl.hearing import hearing
from haenyeo.collect.crawl.loop import Crawl, Parts
from haenyeo.collect.crawl.seeding.starts import starts
from haenyeo.collect.visit.absorb import Absorber
from haenyeo.collect.visit.asking import Asker
from haenyeo.collect.visit.network import Network
from haenyeo.fetch.client import Client
from haenyeo.fetch.pace import Pace
from haenyeo.fetch.robots_keeper import RobotsKeeper
from haenyeo.find.traps import Traps
from haenyeo.model.config import Settings
from haenyeo.model.pages import Url
from haenyeo.model.parts import Backlinks
from haenyeo.model.registry import find_part
from haenyeo.store import Store

PROBE_BYTES = 1  # of a robots.txt that is asked for to see whether anything answers
_AWAITED = 50  # seeds that are read before the links of examples: the user chose where to start


@asynccontextmanager
async def crawl_of(store: Store, settings: Settings, backlinks: Backlinks | None = None) -> AsyncIterator[Crawl]:
    """A crawl over this store, ready to run; what its parts have learnt is stored at the end of the block."""
    async with parts_of(store, settings, backlinks=backlinks) as parts:
        await add_starts(parts, settings)
        crawl = Crawl(parts)
        parts.absorber.tell = crawl.events.tell
        yield crawl


@asynccontextmanager
async def parts_of(
    store: Store, settings: Settings, network: Network | None = None, backlinks: Backlinks | None = None
) -> AsyncIterator[Parts]:
    """The parts of a crawl, as the settings name them; what they have learnt is stored at the end of the block.

    With a `network` to watch, no page is blamed for its loss: whoever asks is told that it is lost.
    """
    traps = Traps()
    traps.load(dict(store.states("traps")))
    queue, finder = finding_of(store, settings, traps, backlinks)
    watch = PageWatch(store, find_part("watchers", settings.strategy.watcher)())
    reader = CrawlReader(store, settings.strategy.extractor)
    absorber = Absorber(store, queue, reader, finder, watch, listings=settings.scope.sitemaps)
    async with Client(settings.fetch) as client:
        keeper = RobotsKeeper(client) if settings.fetch.obey_robots else None
        if keeper:
            keeper.load(dict(store.states("robots")))
        pace = Pace(settings.pace, random.Random())
        asker = Asker(client, keeper, pace, queue)
        asker.on_sitemaps, asker.network = absorber.add_sitemaps, network
        if network:
            network.ask = partial(client.fetch_file, permit=_nowhere, limit_bytes=PROBE_BYTES)

        def remember() -> None:
            for page in reader.remember():
                store.put_text(page.url, page.text)
            finder.remember()
            _remember(store, traps, keeper)

        parts = Parts(
            store=store,
            queue=queue,
            asker=asker,
            absorber=absorber,
            pace=pace,
            at_once=settings.pace.total,
            remember=remember,
        )
        async with hearing(parts, settings):
            yield parts
        remember()


async def _nowhere(_: Url) -> str:
    """A redirect is answer enough."""
    return "redirect"


async def add_starts(parts: Parts, settings: Settings) -> None:
    """Queue the example pages that were never fetched and the seeds, ahead of the links of the examples."""
    seeds = await starts(parts.store, settings, parts.asker)
    _add_examples(parts, seeds)
    parts.absorber.add_seeds(seeds)


def _add_examples(parts: Parts, seeds: Sequence[Url]) -> None:
    finder = parts.absorber.finder
    if isinstance(finder, TopicFinder):
        finder.starts.update(seeds)
        examples = finder.unfetched()
        parts.queue.exempt.update(examples)
        parts.absorber.add_seeds(examples)
        finder.hurry(examples)  # some may wait already, as links of pages
        unseen = parts.queue.unseen(seeds[:_AWAITED])
        first = [url for url in seeds[:_AWAITED] if url in unseen]
        finder.wait_for(examples, first)
        parts.absorber.add_seeds(first)


def _remember(store: Store, traps: Traps, keeper: RobotsKeeper | None) -> None:
    """Keep what was learnt for the next crawl."""
    for site, state in traps.dump().items():
        store.put_state("traps", site, state)
    for origin, text in (keeper.take_changes() if keeper else {}).items():
        store.put_state("robots", origin, text)
    store.flush()
