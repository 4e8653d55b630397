"""One shard at work: it crawls the sites that are its own, sends links to other shards and takes theirs in.

A few times a second it does four things, each of which may be repeated after a kill without harm:

    take in    the batches in its inbox: links stored and committed, then the batch is removed
    send       the links in its outbox, committed with their pages: handed over for certain, then forgotten
    report     how it stands, and take up its orders: how many pages it may fetch in the run in all, or to stop
    pause      while too much waits in its outbox because others do not take it
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import msgspec

from haenyeo.cluster.learning.pages import PagesTold
from haenyeo.cluster.learning.sums import ShardLearning
from haenyeo.cluster.messages import (
    GIVEN,
    RANKS,
    ClusterRun,
    ShardBatch,
    ShardOrders,
    ShardReport,
    packed,
    unpacked,
)
from haenyeo.cluster.revisits import ShardRevisits
from haenyeo.cluster.snapshots.manifests import ShardAddress
from haenyeo.cluster.snapshots.taking import ShardSnapshots, is_copied
from haenyeo.cluster.ties import MOST_UNSENT, Ties
from haenyeo.collect.collection import Overrides
from haenyeo.collect.crawl.assembly import RunContext, parts_of
from haenyeo.collect.crawl.loop import Budget, Crawl
from haenyeo.collect.crawl.parts import Parts
from haenyeo.collect.crawl.seeding.starts import added_starts, given_starts, starts
from haenyeo.collect.events import VISITED, CrawlEnded, Event, Events, PageVisited
from haenyeo.collect.links.jobs import SEED_DEPTH
from haenyeo.collect.links.outbox import LinksSent, Outbox
from haenyeo.collect.service.service import keep_watching, known_addresses
from haenyeo.collect.settings_file import read_settings
from haenyeo.collect.visit.clock import VARIABLE, Clock, parse_clock
from haenyeo.model.config import Settings
from haenyeo.model.errors import StoreError
from haenyeo.model.pages import Url
from haenyeo.store import NewLink, Store
from haenyeo.store.shards.catalogue import Owners, shard_folder

log = logging.getLogger(__name__)

TICK = 0.1  # seconds between two looks
BATCHES = 50  # taken in at a time
PAGES_SENT = 500  # whose links are sent at a time
ORPHANED = 600.0  # seconds without a coordinator after which a shard that has nothing to do ends
RATE_SECONDS = 5.0  # over which a rate is measured
NEARLY = 0.9  # of the cut that the coordinator makes, which is a little old: a link worth as much may be followed
PART = "shard"
"""The part under whose name the store has where the run began."""

_began = msgspec.msgpack.Decoder(tuple[str, int])


class ShardCrawl:
    """The crawl of one shard of a collection, in one run over all of them."""

    def __init__(self, folder: Path, number: int, owners: Owners, ties: Ties, run: ClusterRun) -> None:
        self._folder, self._number, self._owners, self._ties, self._run = folder, number, owners, ties, run
        self._store = Store.open(shard_folder(folder, number), writing=True)
        self._before = _counted_before(self._store, run)
        self._lease: int | None = self._before if run.is_leased else None
        self._round = self._obeyed = self._received = self._sent = self._unsent = self._inbox = 0
        counts = self._store.counts()
        self._kept, self._fetched = counts.kept, counts.asked
        self._heard_at, self._orders_at = time.monotonic(), 0.0
        self._parts: Parts | None = None
        self._crawl: Crawl | None = None
        self._revisits: ShardRevisits | None = None
        self._learning: ShardLearning | None = None
        self._rate = RecentRate()
        self._ended, self._told_to_stop = False, asyncio.Event()
        self._pages: PagesTold | None = None
        self._snapshots: ShardSnapshots | None = None

    async def work(self) -> CrawlEnded:
        """Crawl until the orders say to stop."""
        settings = self._settings()
        events = Events()
        events.listen(self._note)
        clock = parse_clock(os.environ.get(VARIABLE, "")) if self._run.revisiting else Clock()
        given = RunContext(
            events=events,
            clock=clock,
            known=known_addresses(self._store, settings) if self._run.goes_on else None,
            owns=lambda site: self._owners.of(site) == self._number,
        )
        with self._store:
            async with parts_of(self._store, settings, given) as parts:
                self._learning = ShardLearning(self._folder, self._number, parts.finder)
                self._pages = self._pages_told(parts, learning=self._learning.learns_from_pages)
                seeds = await self._begin(parts, settings) if self._run.crawls else []
                if self._run.revisiting:
                    self._revisits = ShardRevisits(parts, settings, self._run.id, self._run.revisiting)
                self._parts, self._crawl = parts, Crawl(parts, seeds=seeds, patient=True)
                self._take_up_links(parts, settings)
                budget = Budget(pages=None if self._lease is None else 0)
                async with self._watching(parts, settings):
                    work = self._crawl.run(budget) if self._run.crawls else self._follow_nothing()
                    ended = await self._work_until_told(self._crawl, asyncio.create_task(work))
            self._store.flush()
            if self._snapshots is not None:
                await self._snapshots.end(self._store)
            await self._ties.report(self._report(ended))
        return ended

    async def take_in(self, batch: bytes) -> bool:
        """Store the links that another shard has sent; True if they are safe now, False if it is too early or late."""
        if self._parts is None or self._crawl is None or self._ended:
            return False
        self._receive(self._parts, batch)
        self._store.flush()
        self._crawl.wake()
        try:
            if self._snapshots is not None:  # then links must be as safe as these
                await self._snapshots.journal.keep(batch)
        except StoreError as error:
            log.warning("links of others cannot be kept: %s", error)
            return False
        return True

    def _take_up_links(self, parts: Parts, settings: Settings) -> None:
        """Begin to send snapshots if the settings say so, and take in the links that came after the last one."""
        if not is_copied(settings.storage):
            return
        place = ShardAddress(settings.storage.archive, self._run.division, self._number)
        self._snapshots = ShardSnapshots(self._store.folder, place, keep=settings.storage.keep)
        for batch in self._snapshots.journal.taken_up():
            self._receive(parts, batch)
        self._store.flush()

    def _settings(self) -> Settings:
        """The collection's settings, with this shard's share of all visits at a time."""
        overrides = Overrides(scorer=self._run.scorer, delay=self._run.delay, proxy=self._run.proxy)
        settings = overrides.applied_to(read_settings(self._folder))
        share = max(1, settings.pace.total // self._owners.shards)
        return msgspec.structs.replace(settings, pace=msgspec.structs.replace(settings.pace, total=share))

    @asynccontextmanager
    async def _watching(self, parts: Parts, settings: Settings) -> AsyncIterator[None]:
        """Inside, the pages under watch are looked at when their time has come, if the run says so."""
        if not self._run.watches:
            yield
            return
        stopping = asyncio.Event()
        watching = asyncio.create_task(keep_watching(parts, settings.notify, stopping))
        try:
            yield
        finally:
            stopping.set()
            await watching

    async def _begin(self, parts: Parts, settings: Settings) -> list[Url]:
        """Queue the seeds that are ours; the first shard asks sources of seeds, and sends what they find."""
        if self._number == 0:
            found = await starts(self._store, settings, parts.visitor.ask)
        else:
            found = [*given_starts(settings.topic.values()), *added_starts(self._store.folder)]
        ours = [url for url in found if parts.queue.is_ours(url)]
        parts.finder.begin(ours)
        parts.queue.add(found if self._number == 0 else ours, SEED_DEPTH)
        return ours

    async def _work_until_told(self, crawl: Crawl, running: asyncio.Task[CrawlEnded]) -> CrawlEnded:
        assert self._parts is not None
        why = ""
        try:
            while not running.done() and not why:
                why = await self._tick(crawl, self._parts)
                with suppress(TimeoutError):
                    await asyncio.wait_for(asyncio.shield(running), TICK)
        finally:
            self._told_to_stop.set()
            crawl.stop(why or "stopped")
            if self._revisits is not None:
                await self._revisits.end()
            ended = await running
            self._ended = True
        await self._send(self._parts)
        return ended

    async def _follow_nothing(self) -> CrawlEnded:
        """In place of a crawl, in a run that follows no links."""
        await self._told_to_stop.wait()
        waiting, kept = len(self._parts.queue) if self._parts else 0, self._store.counts().kept
        return CrawlEnded(why="stopped", visited=0, kept=kept, waiting=waiting, seconds=0.0)

    async def _tick(self, crawl: Crawl, parts: Parts) -> str:
        """Do what is to be done a few times a second; returns why the shard is to stop, or nothing."""
        if self._take_in_all(parts):
            crawl.wake()
        if self._snapshots is not None:
            self._snapshots.step(self._store)
        await self._send(parts)
        if self._learning is not None and not (self._pages and self._pages.are_first):
            self._learning.step()
        orders = await self._ties.report(self._report())
        if orders is None or orders.run != self._run.id:
            return self._alone(crawl)
        return self._obey(crawl, orders)

    def _obey(self, crawl: Crawl, orders: ShardOrders) -> str:
        if orders.at > self._orders_at:
            self._orders_at, self._heard_at = orders.at, time.monotonic()
        self._round, self._obeyed = orders.round, orders.number
        if self._pages is not None:
            self._pages.hear_total(orders.fetched)
        if orders.stop:
            return orders.stop
        if self._lease is not None and orders.lease is not None:
            self._lease = max(orders.lease, self._before + crawl.counted + crawl.under_way)
        if self._revisits is not None:
            self._revisits.obey(orders.revisits)
        pausing = self._unsent > MOST_UNSENT
        granted, least = self._granted(crawl, orders.cut), 0.0 if self._lease is None else NEARLY * orders.cut
        crawl.grant(crawl.counted if pausing else granted, of=self._run.pages, least=least)
        return self._alone(crawl)

    def _granted(self, crawl: Crawl, cut: float) -> int | None:
        """How many pages the crawl may fetch now: those of its lease for which links wait that are good enough."""
        if self._lease is None:
            return None
        good = sum(worth >= NEARLY * cut for worth in self._worths())
        return min(self._lease - self._before, crawl.counted + crawl.under_way + good)

    def _worths(self) -> list[float]:
        """What the best links that wait are worth, as far as that is to be trusted."""
        assert self._parts is not None
        trust = self._learning.trust if self._learning else 1.0
        best = self._parts.queue.first(RANKS[-1])
        worths = [link.score if link.score >= GIVEN else trust * link.score for link in best]
        return worths or [0.0] * (len(self._parts.queue) > 0)  # all wait for servers that rest

    def _alone(self, crawl: Crawl) -> str:
        """Why to end although nobody says so: there has been nobody for long, and nothing is left to do."""
        lost = time.monotonic() - self._heard_at > ORPHANED
        return "orphaned" if lost and crawl.rest else ""

    def _take_in_all(self, parts: Parts) -> bool:
        """Take in what has arrived; returns whether there was anything."""
        arrived = dict(self._ties.arrived(BATCHES))
        for batch in arrived.values():
            self._receive(parts, batch)
        self._inbox = len(arrived)
        if arrived:
            self._store.flush()
            if self._snapshots is not None:
                self._snapshots.journal.note(arrived)
            self._ties.settle(list(arrived))
        return bool(arrived)

    def _receive(self, parts: Parts, batch: bytes) -> None:
        came = unpacked(batch)
        if self._pages is not None:
            for page in came.pages:
                self._pages.receive(parts.finder, page)
        for sent in came.links:
            new = parts.queue.receive(sent)
            parts.finder.receive(new, sent.relevance)
            self._received += len(new)

    async def _send(self, parts: Parts) -> None:
        """Hand over the links that wait for it, and forget those that are safe elsewhere."""
        outbox = parts.queue.outbox
        assert outbox is not None
        self._store.flush()
        rows = outbox.first(PAGES_SENT)
        if self._pages is not None:
            await self._pages.send()  # before their links, which say less
        self._unsent = len(rows) if len(rows) < PAGES_SENT else len(outbox)
        if not rows:
            return
        refused: set[str] = set()
        name = f"links-{rows[0][0]}-{rows[-1][0]}"  # they come after examples and first pages
        for shard, sent in self._by_shard(rows).items():
            if not await self._ties.send(shard, name, packed(ShardBatch(links=list(sent.values())))):
                refused.update(sent)
        self._forget(outbox, [key for key, _ in rows if key not in refused])

    def _pages_told(self, parts: Parts, *, learning: bool) -> PagesTold:
        others = [shard for shard in range(self._owners.shards) if shard != self._number]
        pages = PagesTold(self._store, self._ties, others, learning=learning)
        pages.take_up(parts)
        return pages

    def _by_shard(self, rows: list[tuple[str, LinksSent]]) -> dict[int, dict[str, LinksSent]]:
        """The links for each shard, by the keys of the pages they stand on."""
        batches: dict[int, dict[str, LinksSent]] = defaultdict(dict)
        for key, row in rows:
            places: dict[int, list[int]] = defaultdict(list)
            for place, link in enumerate(row.links):
                places[self._owners.of(link.site)].append(place)
            for shard, chosen in places.items():
                batches[shard][key] = _chosen(row, chosen)
        return batches

    def _forget(self, outbox: Outbox, keys: list[str]) -> None:
        outbox.forget(keys)
        self._sent += len(keys)
        self._unsent -= len(keys)

    def _note(self, event: Event) -> None:
        if isinstance(event, PageVisited):
            self._kept += event.kept
            if self._pages is not None:
                self._pages.note(event)

    def _report(self, ended: CrawlEnded | None = None) -> ShardReport:
        crawl, parts = self._crawl, self._parts
        assert crawl is not None
        assert parts is not None
        worths = self._worths() if self._lease is not None else []
        return ShardReport(
            shard=self._number,
            run=self._run.id,
            at=time.time(),
            process=os.getpid(),
            rest=crawl.rest,
            round=self._round,
            obeyed=self._obeyed,
            lease=self._lease,
            counted=self._before + crawl.counted,
            fetched=self._fetched + crawl.counted,
            requests=crawl.requests,
            under_way=crawl.under_way,
            kept=ended.kept if ended else self._kept,
            waiting=len(parts.queue),
            outbox=self._unsent,
            inbox=self._inbox,
            received=self._received,
            sent=self._sent,
            rate=0.0 if ended else self._rate.at(time.monotonic(), crawl.counted),
            best=tuple(worths[rank - 1] for rank in RANKS if rank <= len(worths)),
            revisits=self._revisits.report() if self._revisits else None,
            copied=self._snapshots.taken_at if self._snapshots else 0.0,
            trouble=self._snapshots.trouble if self._snapshots else "",
            ended=ended,
        )


class RecentRate:
    """Tells how fast a number grows, from what it was some seconds ago."""

    def __init__(self) -> None:
        self._before, self._rate = (0.0, 0), 0.0

    def at(self, now: float, count: int) -> float:
        """By how much it grows in a second; looked at anew every few seconds."""
        at, counted = self._before
        if now - at >= RATE_SECONDS:
            self._rate = (count - counted) / (now - at) if at else 0.0
            self._before = now, count
        return self._rate


def _counted_before(store: Store, run: ClusterRun) -> int:
    """How many pages the shard has counted in this run, before it was killed or put elsewhere."""
    stored = store.state(PART, "run")
    if stored is not None and _began.decode(stored)[0] == run.id:
        return store.answers_since(_began.decode(stored)[1], VISITED)
    store.put_state(PART, "run", msgspec.msgpack.encode((run.id, store.newest_visit())))
    store.flush()
    return 0


def _chosen(row: LinksSent, places: list[int]) -> LinksSent:
    links: list[NewLink] = [row.links[place] for place in places]
    worths = [row.worths[place] for place in places] if row.worths else ()
    return LinksSent(row.depth, links, worths, row.relevance)
