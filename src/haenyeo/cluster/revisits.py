"""A shard's share of the revisits: carries out what the coordinator has decided, and tells what more is worth.

How far it has come is stored: after a kill the decision that was under way is carried out with what is left of it.
"""

from __future__ import annotations

import asyncio

import msgspec

from haenyeo.cluster.messages import Revisiting, RevisitOrder, RevisitReport
from haenyeo.collect.crawl.parts import Parts
from haenyeo.collect.service.memory import Memory
from haenyeo.collect.service.planning import planner_of
from haenyeo.collect.service.refresher import Refresher
from haenyeo.collect.visit.bucket import Bucket
from haenyeo.model.config import Settings
from haenyeo.model.visits import Found
from haenyeo.refresh.sharing import Demand, Stair
from haenyeo.refresh.urgency import UrgencyPlanner
from haenyeo.store import Store

PART, KEY = "shard", "revisits"
"""Where the store has how far the decisions of a run were carried out."""


class Granted(Bucket):
    """A bucket that does not fill by itself."""

    def available(self, now: float) -> int:
        """How many requests are left of those that were granted."""
        self.filled_at = now
        return max(0, int(self.requests))


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    """The run, its last decision that was carried out, all requests made until then, and the newest visit then."""

    run: str
    decision: int
    requests: int
    visit: int


_kept = msgspec.msgpack.Decoder(_Kept)


class ShardRevisits:
    """Visits pages of one shard again, in one run."""

    def __init__(self, parts: Parts, settings: Settings, run: str, plan: Revisiting) -> None:
        self._parts, self._run, self._store = parts, run, parts.store
        planner = planner_of(settings, plan.per_day)
        self._memory = Memory(parts.store, settings.strategy.planner, planner, Granted(plan.per_day))
        self._memory.catch_up()
        self._refresher = Refresher(parts, self._memory)
        before = _taken_up(parts.store, run)
        self._decision, self._before = before.decision, before.requests
        self._unnoticed = _revisits_since(parts.store, before.visit) if before.visit else 0
        self._demand, self._found = self._demanded(), self._refresher.so_far()
        self._working: asyncio.Task[None] | None = None

    def obey(self, order: RevisitOrder) -> None:
        """Carry a decision out, unless that was done or is being done; raises what went wrong with the last one."""
        if self._working is not None:
            if not self._working.done():
                return
            self._working.result()
            self._working = None
        if order.decision > self._decision:
            self._working = asyncio.create_task(self._carry_out(order))

    async def end(self) -> None:
        """Start no more visits, wait for those under way, and keep what the planner knows."""
        self._refresher.stop()
        if self._working is not None:
            await self._working
        self._refresher.save()
        self._found = self._refresher.so_far()

    def report(self) -> RevisitReport:
        """What has come of it so far."""
        requests = self._before + self._unnoticed + self._found.requests
        return RevisitReport(decision=self._decision, requests=requests, demand=self._demand, ended=self._found)

    async def _carry_out(self, order: RevisitOrder) -> None:
        left = max(0, order.visits - self._unnoticed)
        self._memory.bucket.requests = left + order.lists
        await self._refresher.step(left)
        self._memory.catch_up()
        self._before, self._unnoticed = self._before + self._unnoticed, 0
        self._decision, self._demand, self._found = order.decision, self._demanded(), self._refresher.so_far()
        kept = _Kept(self._run, self._decision, self._before + self._found.requests, self._store.newest_visit())
        self._store.put_state(PART, KEY, msgspec.msgpack.encode(kept))
        self._store.flush()

    def _demanded(self) -> Demand:
        planner, now = self._memory.planner, self._parts.clock.now()
        if isinstance(planner, UrgencyPlanner):
            return planner.demand(now)
        pages = planner.planned()  # of a kind that does not tell: all are as urgent
        return Demand(pages, None, (Stair(pages, 1.0),) if pages else ())


def _taken_up(store: Store, run: str) -> _Kept:
    stored = store.state(PART, KEY)
    kept = _kept.decode(stored) if stored is not None else None
    return kept if kept is not None and kept.run == run else _begun(store, run)


def _begun(store: Store, run: str) -> _Kept:
    kept = _Kept(run, 0, 0, store.newest_visit())
    store.put_state(PART, KEY, msgspec.msgpack.encode(kept))
    store.flush()
    return kept


def _revisits_since(store: Store, visit: int) -> int:
    """How many visits to known pages were made after the one of this number."""
    return sum(each.found is not Found.NEW for each in store.page_visits(visit))
