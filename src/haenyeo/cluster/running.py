"""A crawl over all shards: starts them, brings back those that die, and carries the coordinator's orders.

Who runs the shards is a `Crew`: plain processes on this machine, or actors of a Ray cluster. The coordinator itself
keeps nothing that is not in the catalogue. If it is killed, the shards use up their leases and wait; the next crawl
with the same options takes the run up again, and the shards that are still alive with it.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from haenyeo.cluster.layout import equip
from haenyeo.cluster.learning.sums import JoinedLearning
from haenyeo.cluster.leases import RunLeases
from haenyeo.cluster.messages import (
    ClusterRun,
    ShardOrders,
    ShardReport,
    encode,
    read_orders,
    read_report,
    read_run,
)
from haenyeo.cluster.price import RevisitPrice
from haenyeo.cluster.snapshots.taking import is_copied
from haenyeo.cluster.snapshots.whole import WholeNote
from haenyeo.cluster.ties import ORDERS, REPORT, RUN
from haenyeo.collect.crawl.loop import most_requests
from haenyeo.collect.events import CrawlEnded, RefreshEnded
from haenyeo.collect.settings_file import read_settings
from haenyeo.collect.visit.clock import VARIABLE, parse_clock
from haenyeo.model.errors import CollectionError
from haenyeo.model.registry import configured_part
from haenyeo.store.lock import WriterLock
from haenyeo.store.shards.catalogue import Catalogue

TICK = 0.1  # seconds between two looks at the reports
GRACE = 30.0  # seconds that shards get to end
COPYING = 3600.0  # seconds that they get if a last snapshot is to be sent
RESTARTS, PRICE = "restarts", "price"
ENDED = "ended"
MOST_FALLS = 10
"""Times that a shard may die in a row, none of them having reported in between, before the crawl is given up."""

Told = Callable[[Mapping[int, ShardReport]], None]


class Crew(Protocol):
    """Who runs the shards."""

    def start(self, shard: int) -> None:
        """Let somebody work on a shard."""
        ...

    def is_alive(self, shard: int) -> bool:
        """Whether somebody works on a shard, also one that an earlier coordinator has started."""
        ...

    def trouble(self, shard: int) -> str:
        """What the last one that worked on a shard said before it died."""
        ...

    async def close(self) -> None:
        """Wait for all to end, but not for ever."""
        ...


class ClusterCrawl:
    """One run over the shards of a collection, by this crew; `told` hears the reports now and then."""

    def __init__(self, folder: Path, wish: ClusterRun, crew: Crew, told: Told = lambda _: None) -> None:
        self._folder, self._crew, self._told = folder, crew, told
        self._catalogue = Catalogue(folder)
        self._lock = WriterLock(folder)
        self._run = self._taken_up(wish)
        self._shards = self._catalogue.owners().shards
        leased = {shard: read_orders(data) for shard, data in self._catalogue.all(ORDERS).items()}
        settings = read_settings(folder)
        self._leases = RunLeases(self._run, self._shards, leased, most_requests(settings.pace, self._run.pages))
        self._clock = parse_clock(os.environ.get(VARIABLE, ""))
        plan, kept = self._run.revisiting, self._catalogue.get(PRICE)
        self._price = RevisitPrice(self._run.id, plan, self._shards, kept) if plan else None
        scorer = configured_part("scorers", self._run.scorer or settings.strategy.scorer, settings.parts)
        self._learning = JoinedLearning(folder, self._shards, scorer)
        self._restarts = {shard: int(data) for shard, data in self._catalogue.all(RESTARTS).items()}
        self._falls: dict[int, tuple[float, int]] = {}
        self._storage = settings.storage

    def stop(self, why: str = "stopped") -> None:
        """Let all shards stop; `work` returns once they have."""
        self._leases.stop(why)

    def revisited(self) -> RefreshEnded:
        """What the revisits of all shards came to; pages are those of all planners."""
        told = [report.revisits for data in self._catalogue.all(REPORT).values() if (report := read_report(data))]
        ends = [each.ended for each in told if each is not None]
        pages = sum(end.pages for end in ends)
        fresh = [(end.pages, end.fresh) for end in ends if end.fresh is not None]
        return RefreshEnded(
            why=self._leases.why,
            visited=sum(end.visited for end in ends),
            changed=sum(end.changed for end in ends),
            found=dict(sum((Counter(end.found) for end in ends), Counter[str]())),
            requests=sum(each.requests for each in told if each is not None),
            bytes=sum(end.bytes for end in ends),
            seconds=time.time() - self._run.began,
            pages=pages,
            fresh=sum(count * share for count, share in fresh) / pages if pages and fresh else None,
        )

    async def work(self, seconds: float | None = None) -> CrawlEnded:
        """Crawl until the budget is used, the time is up, nothing is left or `stop` is called."""
        equip(self._folder, self._shards)
        whole = WholeNote(self._folder, self._storage) if is_copied(self._storage) else None
        until = None if seconds is None else time.monotonic() + seconds
        try:
            while not self._leases.why:
                if until is not None and time.monotonic() >= until:
                    self.stop("time")
                reports = self._step()
                self._look_after(reports)
                self._learning.step()
                self._told(reports)
                if whole is not None:
                    await whole.step()
                await asyncio.sleep(TICK)
        finally:
            self.stop()
            self._step()
            await self._until_ended()
            await self._crew.close()
            if whole is not None:
                await whole.end()
        self._catalogue.put([(ENDED, self._run.id.encode())])
        return self._summed_up()

    def close(self) -> None:
        """Let go of the catalogue."""
        self._catalogue.close()
        self._lock.release()

    def _taken_up(self, wish: ClusterRun) -> ClusterRun:
        """The run that was cut off if it was the same, or else a new one."""
        stored = self._catalogue.get(RUN)
        last = read_run(stored) if stored else None
        if last is not None and last.is_the_same(wish) and self._catalogue.get(ENDED) != last.id.encode():
            return last
        division = self._catalogue.division
        run = msgspec.structs.replace(wish, id=secrets.token_hex(8), began=time.time(), division=division)
        for kind in (REPORT, ORDERS, RESTARTS):
            self._catalogue.forget(kind)
        self._catalogue.put([(RUN, encode(run))])
        return run

    def _step(self) -> dict[int, ShardReport]:
        reports = {shard: read_report(data) for shard, data in self._catalogue.all(REPORT).items()}
        facts = []
        if self._price is not None:
            if self._price.step(reports, self._clock.now()):
                facts.append((PRICE, self._price.kept()))
            if self._price.over:
                self.stop("done")
        orders = self._leases.step(reports, time.time(), self._pages_for_links(reports))
        self._catalogue.put([*facts, *self._facts(orders)])
        return reports

    def _pages_for_links(self, reports: Mapping[int, ShardReport]) -> int | None:
        """How many pages the crawl may have fetched by now, if it lives on the budget of revisits."""
        plan = self._run.revisiting
        if self._price is None or plan is None or not (plan.shared and self._run.crawls):
            return None
        counted = sum(report.counted for report in reports.values())
        waiting = any(report.waiting for report in reports.values())
        return self._price.pages_for_links(counted, self._clock.now(), waiting=waiting)

    def _facts(self, orders: Sequence[ShardOrders]) -> list[tuple[str, bytes]]:
        if self._price is not None:
            orders = [
                msgspec.structs.replace(each, revisits=self._price.order(shard)) for shard, each in enumerate(orders)
            ]
        return [(f"{ORDERS}/{shard:04d}", encode(each)) for shard, each in enumerate(orders)]

    def _look_after(self, reports: Mapping[int, ShardReport]) -> None:
        """Start the shards on which nobody works."""
        for shard in range(self._shards):
            if self._crew.is_alive(shard):
                continue
            if shard in self._falls:
                self._note_fall(shard, reports.get(shard))
            self._falls.setdefault(shard, (0.0, 0))
            self._crew.start(shard)

    def _note_fall(self, shard: int, report: ShardReport | None) -> None:
        last, falls = self._falls[shard]
        now = report.at if report else 0.0
        falls = falls + 1 if now <= last else 1
        self._falls[shard] = (now, falls)
        self._restarts[shard] = self._restarts.get(shard, 0) + 1
        self._catalogue.put([(f"{RESTARTS}/{shard:04d}", str(self._restarts[shard]).encode())])
        if falls >= MOST_FALLS:
            self.stop("failed")
            raise CollectionError(
                f"shard {shard} of {self._folder} dies whenever it is started: {self._crew.trouble(shard)}",
                advice=f"see what the others have done: haenyeo status {self._folder}",
            )

    async def _until_ended(self) -> None:
        """Wait for the shards' last reports."""
        until = time.monotonic() + (COPYING if is_copied(self._storage) else GRACE)
        while time.monotonic() < until and any(map(self._crew.is_alive, range(self._shards))):  # noqa: ASYNC110
            await asyncio.sleep(TICK)  # they are other processes

    def _summed_up(self) -> CrawlEnded:
        reports = [read_report(data) for data in self._catalogue.all(REPORT).values()]
        ends = [report.ended for report in reports if report.ended]
        seeds_read = sum(end.seeds_read for end in ends)
        seeds = sum(end.seeds for end in ends)
        causes = {cause.reason: cause for end in ends for cause in end.causes}
        return CrawlEnded(
            why=self._leases.why,
            visited=sum(report.counted for report in reports),
            kept=sum(report.kept for report in reports),
            gained=sum(end.gained for end in ends),
            waiting=sum(report.waiting for report in reports),
            requests=sum(end.requests for end in ends),
            seconds=time.time() - self._run.began,
            seeds=seeds,
            seeds_read=seeds_read,
            seeds_lost=bool(ends) and all(end.seeds_lost or not end.seeds for end in ends) and not seeds_read,
            causes=tuple(causes.values()),
        )
