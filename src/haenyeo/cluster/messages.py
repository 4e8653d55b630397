"""What shards, their coordinator and each other tell: reports, orders, and batches of links."""

from __future__ import annotations

import msgspec

from haenyeo.collect.adapters.finding.finder import HeardPage
from haenyeo.collect.events import CrawlEnded, RefreshEnded
from haenyeo.collect.links.outbox import LinksSent
from haenyeo.refresh.sharing import Demand
from haenyeo.store.encoding import pack, unpack

RANKS = (1, 2, 4, 8, 16, 32, 64)
"""Of the best links that wait, those whose worth is reported: the best, the second, the fourth and so on."""


GIVEN = 1.0
"""The worth of seeds and examples that wait; links are worth less."""


class Revisiting(msgspec.Struct, frozen=True, kw_only=True):
    """How pages are visited again: so many requests a day at most, as few as `fresh` needs if that is given.

    With `once`, what is due now is visited, and that is all. With `shared`, the crawl lives on the same requests.
    """

    per_day: float
    fresh: float | None = None
    once: bool = False
    shared: bool = False


class ClusterRun(msgspec.Struct, frozen=True, kw_only=True):
    """Work on all shards: how many pages it may fetch in all, when it began, and the settings that hold for it.

    `crawls` says whether links are followed, `revisiting` how known pages are visited again, `watches` whether pages
    under watch are looked at. `division` is that of the sites into shards.
    """

    id: str
    began: float
    pages: int | None = None
    scorer: str | None = None
    delay: float | None = None
    proxy: str | None = None
    retry: bool = False
    crawls: bool = True
    revisiting: Revisiting | None = None
    watches: bool = False
    division: str = ""

    @property
    def goes_on(self) -> bool:
        """Whether it ends only when it is stopped."""
        return self.watches or (self.revisiting is not None and not self.revisiting.once)

    @property
    def is_leased(self) -> bool:
        """Whether shards are told how many pages they may fetch."""
        return self.pages is not None or (self.revisiting is not None and self.revisiting.shared)

    def is_the_same(self, other: ClusterRun) -> bool:
        """Whether the other was asked for with the same options."""
        return self._without_name() == other._without_name()

    def _without_name(self) -> ClusterRun:
        return msgspec.structs.replace(self, id="", began=0.0, division="")


class RevisitReport(msgspec.Struct, frozen=True, kw_only=True):
    """What came of revisits in the run: the last decision that was carried out, and all requests made so far.

    `demand` is what further visits are worth since then; `ended` counts what was found.
    """

    decision: int
    requests: int
    demand: Demand
    ended: RefreshEnded


class ShardReport(msgspec.Struct, frozen=True, kw_only=True):
    """How a shard stands; all numbers are totals of the run, so that a report that comes twice changes nothing.

    `rest` says why it does nothing (see `Crawl.rest`), empty while it works. `lease` is the number of pages it may
    fetch in the run as far as it knows, `round` the last one it was asked in, `obeyed` the number of the last orders.
    `best` has the worths of the links that wait, at `RANKS`, `rate` the pages a second of late. `fetched` counts the
    pages of all runs, `requests` those of the process. `copied` is when the last snapshot was complete, `trouble` why
    there is no later one. `ended` is there once it has stopped.
    """

    shard: int
    run: str
    at: float
    process: int = 0
    rest: str = ""
    round: int = 0
    obeyed: int = 0
    lease: int | None = None
    counted: int = 0
    fetched: int = 0
    requests: int = 0
    under_way: int = 0
    kept: int = 0
    waiting: int = 0
    outbox: int = 0
    inbox: int = 0
    received: int = 0
    sent: int = 0
    rate: float = 0.0
    best: tuple[float, ...] = ()
    revisits: RevisitReport | None = None
    copied: float = 0.0
    trouble: str = ""
    ended: CrawlEnded | None = None


class RevisitOrder(msgspec.Struct, frozen=True, array_like=True):
    """A decision: visit so many pages again, and ask for so many sitemaps and feeds; carried out once."""

    decision: int = 0
    visits: int = 0
    lists: int = 0


class ShardOrders(msgspec.Struct, frozen=True, kw_only=True):
    """What a shard is to do: fetch up to `lease` pages in the run, or any number; report in this `round`.

    `number` counts orders. `most` is the largest lease that the shard may hold by this or earlier orders, `cut` what
    links should be worth that it is used for. `fetched` is the number of pages that all shards together have,
    `revisits` the last decision on revisits. It ends when `stop` says why.
    """

    run: str
    at: float
    number: int = 0
    round: int = 0
    lease: int | None = None
    most: int = 0
    cut: float = 0.0
    fetched: int = 0
    revisits: RevisitOrder = RevisitOrder()
    stop: str = ""


class ShardBatch(msgspec.Struct, frozen=True, array_like=True):
    """What one shard sends to another in one go: links to its sites, and pages to learn from."""

    links: list[LinksSent] = []
    pages: list[HeardPage] = []


_runs = msgspec.msgpack.Decoder(ClusterRun)
_reports = msgspec.msgpack.Decoder(ShardReport)
_orders = msgspec.msgpack.Decoder(ShardOrders)
_batches = msgspec.msgpack.Decoder(ShardBatch)
encode = msgspec.msgpack.encode


def read_run(data: bytes) -> ClusterRun:
    """The run that was encoded."""
    return _runs.decode(data)


def read_report(data: bytes) -> ShardReport:
    """The report that was encoded."""
    return _reports.decode(data)


def read_orders(data: bytes) -> ShardOrders:
    """The orders that were encoded."""
    return _orders.decode(data)


def packed(batch: ShardBatch) -> bytes:
    """A batch as it is sent."""
    return pack(encode(batch))


def unpacked(batch: bytes) -> ShardBatch:
    """A batch that came."""
    return _batches.decode(unpack(batch))
