"""The demo's stages: find, read, watch and refresh, one after another, on a web whose clock is turned in between."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeVar

import msgspec

from haenyeo.cli.running import OnSignal, fast_loop, run_stoppable
from haenyeo.collect.adapters.watching.changes import LayoutChanged, RuleRepaired, restored
from haenyeo.collect.adapters.watching.saved_rules import SavedRule
from haenyeo.collect.collection import Collection, Overrides
from haenyeo.collect.crawl.assembly import RunContext, parts_of
from haenyeo.collect.crawl.loop import Budget
from haenyeo.collect.crawl.parts import Parts
from haenyeo.collect.events import CrawlEnded, Listener, RefreshEnded
from haenyeo.collect.service.planning import memory_of
from haenyeo.collect.service.refresher import Refresher
from haenyeo.collect.service.rounds import Lesson, Round
from haenyeo.collect.visit.clock import Clock
from haenyeo.demo import DAY, DemoWeb
from haenyeo.model.config import Settings
from haenyeo.model.pages import Url

DAYS = 6  # by which the clock is turned: the shop has had its redesign by then
SHOP, LISTS = "harbourshop", ("/goods?cat=all", "/goods?cat=all&page=2")
REVISITS = 250
AT_ONCE = Overrides(delay=0.0)  # the web is on this machine; it need not be spared

Result = TypeVar("Result")


class Repair(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the shop's rule when its layout changed."""

    alarms: int
    repaired: bool
    confidence: float
    records: int


class Stages:
    """The demo's work on one collection; visits are dated as if the first had been made some days ago."""

    def __init__(self, collection: Collection, web: DemoWeb) -> None:
        self._collection, self._web = collection, web
        self._settings: Settings = AT_ONCE.applied_to(collection.settings)
        self._clock = Clock(lambda: time.time() - DAYS * DAY + web.clock.now)

    def crawl(self, pages: int, listener: Listener) -> tuple[CrawlEnded, int]:
        """Find and read."""

        async def crawl(on_signal: OnSignal) -> CrawlEnded:
            async with self._collection.crawling(AT_ONCE, self._clock) as crawl:
                crawl.events.listen(listener)
                on_signal(crawl.stop)
                return await crawl.run(Budget(pages=pages))

        return run_stoppable(crawl)

    def learn_rule(self) -> SavedRule:
        """A rule for the shop's list of goods, found without examples."""

        async def learn() -> SavedRule:
            async with self._parts() as parts:
                return await Round(parts).learn(Lesson(url=self._list(0), pages=len(LISTS)))

        return _run(learn())

    def meet_redesign(self) -> Repair:
        """Turn the clock and look at the shop's lists again."""
        self._web.clock.advance(DAYS * DAY)

        async def look() -> None:
            async with self._parts() as parts:
                for number in range(len(LISTS)):
                    await parts.visitor.revisit(self._list(number))

        _run(look())
        told = [restored(event) for event in self._collection.store.events()]
        repairs = [each for each in told if isinstance(each, RuleRepaired)]
        return Repair(
            alarms=sum(isinstance(each, LayoutChanged) and each.grade == "alarm" for each in told),
            repaired=bool(repairs),
            confidence=repairs[-1].confidence if repairs else 0.0,
            records=sum(self._collection.store.row_counts().values()),
        )

    def refresh(self) -> RefreshEnded:
        """Visit again what is due after these days, within a budget."""
        memory = memory_of(self._collection.store, self._settings, REVISITS)

        async def refresh() -> RefreshEnded:
            async with self._parts() as parts:
                return await Refresher(parts, memory).run_once()

        return _run(refresh())

    def _parts(self) -> AbstractAsyncContextManager[Parts]:
        return parts_of(self._collection.store, self._settings, RunContext(clock=self._clock))

    def _list(self, number: int) -> Url:
        return Url(self._web.url(SHOP, LISTS[number]))


def _run(work: Coroutine[Any, Any, Result]) -> Result:
    with asyncio.Runner(loop_factory=fast_loop) as runner:
        return runner.run(work)
