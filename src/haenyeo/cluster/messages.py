"""What shards, their coordinator and each other tell: reports, orders, and batches of links."""

from __future__ import annotations

import msgspec

from haenyeo.collect.events import CrawlEnded
from haenyeo.collect.links.outbox import LinksSent
from haenyeo.model.pages import Url
from haenyeo.store.encoding import pack, unpack

RANKS = (1, 2, 4, 8, 16, 32, 64)
"""Of the best links that wait, those whose worth is reported: the best, the second, the fourth and so on."""


class ClusterRun(msgspec.Struct, frozen=True, kw_only=True):
    """A crawl over all shards: how many pages it may fetch in all, when it began, and the settings that hold for it."""

    id: str
    began: float
    pages: int | None = None
    scorer: str | None = None
    delay: float | None = None
    proxy: str | None = None
    retry: bool = False

    def is_the_same(self, other: ClusterRun) -> bool:
        """Whether the other was asked for with the same options."""
        return msgspec.structs.replace(self, id="", began=0.0) == msgspec.structs.replace(other, id="", began=0.0)


class ShardReport(msgspec.Struct, frozen=True, kw_only=True):
    """How a shard stands; all numbers are totals of the run, so that a report that comes twice changes nothing.

    `rest` says why it does nothing (see `Crawl.rest`), empty while it works. `lease` is the number of pages it may
    fetch in the run as far as it knows, `round` the last one it was asked in. `best` has the worths of the links that
    wait, at `RANKS`. `ended` is there once it has stopped.
    """

    shard: int
    run: str
    at: float
    process: int = 0
    rest: str = ""
    round: int = 0
    lease: int | None = None
    counted: int = 0
    under_way: int = 0
    kept: int = 0
    waiting: int = 0
    outbox: int = 0
    inbox: int = 0
    received: int = 0
    sent: int = 0
    best: tuple[float, ...] = ()
    ended: CrawlEnded | None = None
    trouble: str = ""


class ShardOrders(msgspec.Struct, frozen=True, kw_only=True):
    """What a shard is to do: fetch up to `lease` pages in the run, or any number; report in this `round`.

    It ends when `stop` says why.
    """

    run: str
    at: float
    round: int = 0
    lease: int | None = None
    stop: str = ""


class ExampleSent(msgspec.Struct, frozen=True, array_like=True):
    """An example page that a shard has fetched, for the topics of the others; `body` has no content coding."""

    url: Url
    content_type: str
    body: bytes


class ShardBatch(msgspec.Struct, frozen=True, array_like=True):
    """What one shard sends to another in one go."""

    links: list[LinksSent] = []
    examples: list[ExampleSent] = []


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
