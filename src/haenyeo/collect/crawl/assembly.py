"""Puts the parts of a crawl together, as the settings name them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import partial

import msgspec

from haenyeo.collect.adapters.finding.finder import Finder
from haenyeo.collect.adapters.finding.parts import finding_of, stored_traps
from haenyeo.collect.adapters.reading.crawl_reader import CrawlReader
from haenyeo.collect.adapters.watching.page_watch import PageWatch
from haenyeo.collect.crawl.hearing import hearing
from haenyeo.collect.crawl.loop import Crawl
from haenyeo.collect.crawl.parts import Parts
from haenyeo.collect.crawl.seeding.starts import starts
from haenyeo.collect.events import Events
from haenyeo.collect.links.jobs import SEED_DEPTH
from haenyeo.collect.links.outbox import Owns
from haenyeo.collect.links.queue import CrawlQueue
from haenyeo.collect.visit.absorb import Absorber
from haenyeo.collect.visit.asking import Asker
from haenyeo.collect.visit.clock import Clock
from haenyeo.collect.visit.markdown_offers import PART as MARKDOWN
from haenyeo.collect.visit.markdown_offers import MarkdownOffers
from haenyeo.collect.visit.network import Network
from haenyeo.collect.visit.pdf_pages import nobody_reads, reading_pdfs
from haenyeo.collect.visit.rendering import Rendering
from haenyeo.collect.visit.turns import Turns
from haenyeo.collect.visit.visitor import Visitor
from haenyeo.fetch.answers import never_a_page
from haenyeo.fetch.browser.program import INSTALL, is_there
from haenyeo.fetch.browser.renderer import Renderer
from haenyeo.fetch.client import Client
from haenyeo.fetch.pace import Pace
from haenyeo.fetch.robots import product_name
from haenyeo.fetch.robots_keeper import RobotsKeeper
from haenyeo.fetch.transport.names import LookUp, system_look_up
from haenyeo.fetch.transport.requests import name_of, user_agent
from haenyeo.model.config import Settings
from haenyeo.model.errors import SettingsError
from haenyeo.model.pages import Url
from haenyeo.model.parts import Backlinks
from haenyeo.model.registry import configured_part
from haenyeo.read.pdf.process import can_read_pdfs
from haenyeo.store import Session, Store
from haenyeo.store.shards.opening import owned_by

ROBOTS = "robots"
"""The part under whose name the store has the robots.txt that were fetched; the key is the origin."""
BROWSER = "browser"
"""The part under whose name the store has which sites need a browser; the key is the site."""
PROBE_BYTES = 1  # of a robots.txt that is asked for to see whether anything answers


class RunContext(msgspec.Struct, frozen=True, kw_only=True):
    """What a run is given from outside: who listens, which clock it goes by, what else is known.

    With addresses in `known` (none is fine) the network is watched: no page is blamed for its loss, whoever asks is
    told that it is lost. `backlinks` knows links that lead to example pages, `look_up` the addresses of names, `owns`
    which sites are this crawl's where several crawl for one collection, if that is not to be seen from the folder.
    """

    events: Events = msgspec.field(default_factory=Events)
    clock: Clock = msgspec.field(default_factory=Clock)
    known: tuple[Url, ...] | None = None
    backlinks: Backlinks | None = None
    look_up: LookUp = system_look_up
    owns: Owns | None = None


@asynccontextmanager
async def crawl_of(store: Store, settings: Settings, given: RunContext | None = None) -> AsyncIterator[Crawl]:
    """A crawl over this store, ready to run; what its parts have learnt is stored at the end of the block."""
    async with parts_of(store, settings, given) as parts:
        yield Crawl(parts, seeds=await add_starts(parts, settings))


@asynccontextmanager
async def parts_of(store: Store, settings: Settings, given: RunContext | None = None) -> AsyncIterator[Parts]:
    """The parts of a crawl, as the settings name them; what they have learnt is stored at the end of the block."""
    given = given or RunContext()
    taking = taking_in_of(store, settings, given)
    queue, finder, absorber = taking.queue, taking.finder, taking.absorber
    unread = nobody_reads if can_read_pdfs() else never_a_page
    async with Client(settings.fetch, look_up=given.look_up, unread=unread) as client, reading_pdfs() as pdfs:
        keeper = _keeper(store, client, settings)
        pace = Pace(settings.pace, random.Random())
        network = _network(client, given.events, given.known)
        heard = absorber.add_sitemaps
        rendering = rendering_of(store, settings)
        asker = Asker(
            client,
            keeper,
            pace,
            queue,
            clock=given.clock,
            network=network,
            on_sitemaps=heard,
            rendering=rendering,
            pdfs=pdfs,
            markdown=_markdown(store) if settings.fetch.markdown else None,
        )
        turns = Turns(pace, queue, given.clock, at_once=settings.pace.total)

        parts = Parts(
            store=store,
            queue=queue,
            visitor=Visitor(store, asker, absorber, turns, clock=given.clock, events=given.events),
            turns=turns,
            finder=finder,
            watch=taking.watch,
            events=given.events,
            clock=given.clock,
            network=network,
            pace=settings.pace,
            remember=taking.remember,
        )
        if store.was_cut_off:  # whom it asked last is not known, so all sites get their pause
            await asyncio.sleep(given.clock.real_seconds(settings.pace.delay))
        try:
            async with hearing(store, finder, settings):
                yield parts
        finally:
            if rendering is not None:
                await rendering.close()
        taking.remember()
        store.mark(Session.BEGINS)


class TakingIn(msgspec.Struct, frozen=True, kw_only=True):
    """What takes answers in, whoever they come from.

    `remember` stores what it has learnt so far, `remember_traps` the part of it that cannot be learnt again from what
    is stored.
    """

    queue: CrawlQueue
    finder: Finder
    watch: PageWatch
    absorber: Absorber
    remember: Callable[[], None]
    remember_traps: Callable[[], None]


def taking_in_of(store: Store, settings: Settings, given: RunContext) -> TakingIn:
    """The parts that take answers in, as the settings name them and as the store remembers them."""
    traps = stored_traps(store)
    owns = given.owns or owned_by(store.folder)
    queue, finder = finding_of(store, settings, traps, given.backlinks, owns)
    watch = PageWatch(store, configured_part("watchers", settings.strategy.watcher, settings.parts)())
    reader = CrawlReader(store, settings.strategy.extractor, settings.parts)
    absorber = Absorber(
        store,
        queue,
        reader,
        finder,
        watch,
        clock=given.clock,
        tell=given.events.tell,
        listings=finder.reads_lists,
        our_name=product_name(name_of(settings.fetch)),
        languages=settings.scope.languages,
    )

    def remember() -> None:
        for page in reader.remember():
            store.put_text(page.url, page.text)
        finder.remember()
        traps.remember()
        store.mark(Session.SETTLES)
        store.flush()

    return TakingIn(
        queue=queue, finder=finder, watch=watch, absorber=absorber, remember=remember, remember_traps=traps.remember
    )


def _keeper(store: Store, client: Client, settings: Settings) -> RobotsKeeper | None:
    if not settings.fetch.obey_robots:
        return None
    return RobotsKeeper(
        client,
        name_of(settings.fetch),
        archive=store.archive_hops,
        load=partial(store.state, ROBOTS),
        put=partial(store.put_state, ROBOTS),
    )


def rendering_of(store: Store, settings: Settings) -> Rendering | None:
    """Who renders pages, as the settings say; raises `SettingsError` if all are to be rendered and none can be."""
    mode, there = settings.fetch.browser, is_there(settings.browser)
    if mode == "never":
        return None
    if mode == "always" and not there:
        message = 'haenyeo.toml: $.fetch.browser is "always", but there is no browser'
        raise SettingsError(message, path="$.fetch.browser", advice=INSTALL)
    agent, most = user_agent(settings.fetch), settings.fetch.max_bytes
    return Rendering(
        Renderer(settings.browser, user_agent=agent, most_bytes=most) if there else None,
        always=mode == "always",
        share=settings.browser.share if mode == "auto" else 1.0,
        load=partial(store.state, BROWSER),
        put=partial(store.put_state, BROWSER),
    )


def _markdown(store: Store) -> MarkdownOffers:
    return MarkdownOffers(partial(store.state, MARKDOWN), partial(store.put_state, MARKDOWN))


def _network(client: Client, events: Events, known: Iterable[Url] | None) -> Network | None:
    if known is None:
        return None
    ask = partial(client.fetch_file, permit=_nowhere, limit_bytes=PROBE_BYTES)
    return Network(ask, events.tell, known)


async def _nowhere(_: Url) -> str:
    """A redirect is answer enough."""
    return "redirect"


async def add_starts(parts: Parts, settings: Settings) -> list[Url]:
    """Queue the example pages that were never fetched and the seeds, ahead of the links of the examples.

    Returns the seeds.
    """
    seeds = await starts(parts.store, settings, parts.visitor.ask)
    parts.finder.begin(seeds)
    parts.queue.add(seeds, SEED_DEPTH)
    return seeds
