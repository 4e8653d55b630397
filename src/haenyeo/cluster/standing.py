"""How the shards of a collection stand, as far as the catalogue knows."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from haenyeo.cluster.messages import ShardReport, read_report
from haenyeo.cluster.running import RESTARTS
from haenyeo.cluster.ties import MOST_UNSENT, REPORT, inbox_of, waiting
from haenyeo.store.shards.catalogue import Catalogue, is_sharded

SILENT = 30.0  # seconds without a report


class ShardStanding(msgspec.Struct, frozen=True, kw_only=True):
    """One shard: what it did in the last run, what waits to be sent and taken in, and how often it was brought back.

    `state` is working, or why it rests; held up while others do not take its links, ended once it was told to stop,
    never if it has not reported yet, silent if it should have. `rate` is in pages a second, `revisits` counts requests.
    `copied_at` is the time of its last snapshot, `trouble` says why there is no later one.
    """

    shard: int
    state: str
    pages: int = 0
    waiting: int = 0
    unsent: int = 0
    inbox: int = 0
    restarts: int = 0
    rate: float = 0.0
    revisits: int = 0
    reported_at: datetime | None = None
    copied_at: datetime | None = None
    trouble: str = ""


def standing(folder: Path) -> list[ShardStanding]:
    """How each shard stands; none if the collection is in one piece."""
    if not is_sharded(folder):
        return []
    with Catalogue(folder) as catalogue:
        shards = catalogue.owners().shards
        reports = {shard: read_report(data) for shard, data in catalogue.all(REPORT).items()}
        restarts = {shard: int(data) for shard, data in catalogue.all(RESTARTS).items()}
    return [_standing(folder, shard, reports.get(shard), restarts.get(shard, 0)) for shard in range(shards)]


def _standing(folder: Path, shard: int, report: ShardReport | None, restarts: int) -> ShardStanding:
    inbox = inbox_of(folder, shard)
    left = waiting(inbox) if inbox.is_dir() else 0
    if report is None:
        return ShardStanding(shard=shard, state="never", inbox=left, restarts=restarts)
    return ShardStanding(
        shard=shard,
        state=_state(report),
        pages=report.counted,
        waiting=report.waiting,
        unsent=report.outbox,
        inbox=left,
        restarts=restarts,
        rate=report.rate,
        revisits=report.revisits.requests if report.revisits else 0,
        reported_at=datetime.fromtimestamp(report.at, UTC),
        copied_at=datetime.fromtimestamp(report.copied, UTC) if report.copied else None,
        trouble=report.trouble,
    )


def _state(report: ShardReport) -> str:
    if report.ended:
        return "ended"
    if time.time() - report.at > SILENT:
        return "silent"
    return "held up" if report.rest and report.outbox > MOST_UNSENT else report.rest or "working"
