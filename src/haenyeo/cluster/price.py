"""What the coordinator decides on revisits: one budget for all shards, spent where a visit is worth most.

Now and then it takes what visits are worth to each shard, sees how many may be made, and finds the price at which that
many are made (see `refresh.sharing`). A decision has a number; every shard carries it out once and tells how many
requests it took and what the next ones would be worth. Then comes the next one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec
import numpy as np

from haenyeo.cluster.messages import Revisiting, RevisitOrder, ShardReport
from haenyeo.collect.service.refresher import LISTINGS_SHARE
from haenyeo.collect.visit.bucket import Bucket
from haenyeo.refresh.sharing import Demand, needed, shared_out
from haenyeo.refresh.thrift import SparingRate

SHORTEST_PAUSE = 5.0  # seconds of the clock between two decisions
LONGEST_PAUSE = 3600.0


class PriceState(msgspec.Struct, frozen=True, kw_only=True):
    """All that is kept in the catalogue: the budget goes on over runs, decisions and requests are those of one."""

    run: str
    requests: float
    filled_at: float
    for_links: float = 0.0
    thrift: list[float] = []
    decision: int = 0
    orders: dict[int, RevisitOrder] = {}
    spent: int = 0
    price: float = 0.0


_states = msgspec.msgpack.Decoder(PriceState)


class RevisitPrice:
    """Decides on the revisits of a run over so many shards; `kept` is what an earlier one has kept."""

    def __init__(self, run: str, plan: Revisiting, shards: int, kept: bytes | None) -> None:
        self._run, self._plan, self._shards = run, plan, shards
        self._bucket, self._links = Bucket(plan.per_day), Bucket(plan.per_day / 2)
        self._thrift = None if plan.fresh is None else SparingRate(plan.fresh, plan.per_day)
        self._decision, self._orders, self._spent = 0, dict[int, RevisitOrder](), 0
        self._decided_at, self._counted = -math.inf, 0
        self.price, self.over, self._wanted_at_all = 0.0, False, False
        if kept is not None:
            self._take_up(_states.decode(kept))
        if plan.once:
            self._bucket.fill_first()
        self._links.fill_first()

    def order(self, shard: int) -> RevisitOrder:
        """The last decision for a shard."""
        return self._orders.get(shard, RevisitOrder())

    def step(self, reports: Mapping[int, ShardReport], now: float) -> bool:
        """Decide anew if it is time; returns whether there is anything new to keep."""
        told = {shard: report.revisits for shard, report in reports.items() if report.revisits is not None}
        self._wanted_at_all = any(each.demand.stairs for each in told.values())
        settled = self._settle(sum(each.requests for each in told.values()))
        waits = len(told) < self._shards or any(each.decision < self._decision for each in told.values())
        if waits or self.over or not self._is_time(now):
            return settled
        if self._plan.once and self._decision:
            self.over = True
            return settled
        self._decide({shard: each.demand for shard, each in told.items()}, now)
        return True

    def pages_for_links(self, counted: int, now: float, *, waiting: bool) -> int:
        """How many pages a crawl that lives on the same budget may have fetched by now; each counts as a request.

        Half of the budget is its share, all of it while no page can be visited again, none while no link waits.
        """
        shares = (0.5, 0.5) if waiting == self._wanted_at_all else (1.0, 0.0) if waiting else (0.0, 1.0)
        for bucket, share in zip((self._links, self._bucket), shares, strict=True):
            bucket.available(now)
            bucket.per_day = self._plan.per_day * share
        self._links.requests -= max(0, counted - self._counted)
        self._counted = max(counted, self._counted)
        return counted + self._links.available(now)

    def kept(self) -> bytes:
        """All that is to be kept, for the one that comes after."""
        thrift = [] if self._thrift is None else self._thrift.state()["thrift"].tolist()
        return msgspec.msgpack.encode(
            PriceState(
                run=self._run,
                requests=self._bucket.requests,
                filled_at=self._bucket.filled_at,
                for_links=self._links.requests,
                thrift=thrift,
                decision=self._decision,
                orders=self._orders,
                spent=self._spent,
                price=self.price,
            )
        )

    def _take_up(self, kept: PriceState) -> None:
        self._bucket.requests, self._bucket.filled_at = kept.requests, kept.filled_at
        self._links.requests, self._links.filled_at = kept.for_links, kept.filled_at
        if self._thrift is not None and kept.thrift:
            self._thrift.restore({"thrift": np.array(kept.thrift)})
        if kept.run == self._run:
            self._decision, self._orders, self._spent = kept.decision, dict(kept.orders), kept.spent
            self.price = kept.price

    def _settle(self, spent: int) -> bool:
        """Take what was spent since the last time out of the budget; returns whether there was anything."""
        more = spent - self._spent
        if more > 0:
            self._bucket.spend(more)
            self._spent = spent
        return more > 0

    def _is_time(self, now: float) -> bool:
        pause = min(max(self._bucket.seconds_to_one(), SHORTEST_PAUSE), LONGEST_PAUSE)
        return self._plan.once or not 0 <= now - self._decided_at < pause

    def _decide(self, demands: Mapping[int, Demand], now: float) -> None:
        self._decided_at = now
        available = max(0, self._bucket.available(now))
        visits = min(available, self._wanted(demands, now))
        given, self.price = shared_out(visits, demands)
        lists = available // LISTINGS_SHARE // self._shards
        self._decision += 1
        self._orders = {shard: RevisitOrder(self._decision, given[shard], lists) for shard in demands}

    def _wanted(self, demands: Mapping[int, Demand], now: float) -> int:
        """How many visits are worth making: any number, or as few as the wanted freshness needs."""
        stale = [demand.stale for demand in demands.values() if demand.pages]
        if self._thrift is None or any(each is None for each in stale):
            return sum(demand.visits for demand in demands.values())
        pages = sum(demand.pages for demand in demands.values())
        return self._thrift.visits_for(
            pages, sum(each or 0.0 for each in stale), now, lambda excess: needed(excess, demands)
        )
