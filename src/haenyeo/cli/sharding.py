"""Crawls of collections in shards, for the commands."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path

import click
import msgspec

from haenyeo.cli.running import OnSignal, run_stoppable
from haenyeo.cluster.layout import put_in_shards
from haenyeo.cluster.messages import ClusterRun, ShardReport
from haenyeo.cluster.processes import ProcessCrew
from haenyeo.cluster.running import ClusterCrawl
from haenyeo.collect.events import CrawlEnded

TOLD_EVERY = 5.0  # seconds between two lines of progress


class ShardsWish(msgspec.Struct, frozen=True, kw_only=True):
    """What the user asks of a crawl in shards; without `shards` it has as many as the collection has."""

    shards: int | None = None
    pages: int | None = None
    minutes: float | None = None
    scorer: str | None = None
    delay: float | None = None
    proxy: str | None = None


def crawl_in_shards(folder: Path, wish: ShardsWish, *, quiet: bool) -> tuple[CrawlEnded, int]:
    """How the crawl over all shards ended, and the exit code that says so."""
    put_in_shards(folder, wish.shards)
    run = ClusterRun(id="", began=0.0, pages=wish.pages, scorer=wish.scorer, delay=wish.delay, proxy=wish.proxy)
    seconds = None if wish.minutes is None else wish.minutes * 60

    async def crawl(on_signal: OnSignal) -> CrawlEnded:
        cluster = ClusterCrawl(folder, run, ProcessCrew(folder), ShardsProgress(wish.pages, quiet=quiet).note)
        on_signal(cluster.stop)
        try:
            return await cluster.work(seconds)
        finally:
            cluster.close()

    return run_stoppable(crawl)


class ShardsProgress:
    """A line about all shards now and then, on standard error."""

    def __init__(self, goal: int | None, *, quiet: bool) -> None:
        self._goal, self._quiet = goal, quiet
        self._told_at, self._counted = time.monotonic(), 0

    def note(self, reports: Mapping[int, ShardReport]) -> None:
        """Tell how the shards stand, if it is time."""
        now = time.monotonic()
        if self._quiet or now - self._told_at < TOLD_EVERY:
            return
        counted = sum(report.counted for report in reports.values())
        rate = (counted - self._counted) / (now - self._told_at)
        self._told_at, self._counted = now, counted
        waiting = sum(report.waiting for report in reports.values())
        working = sum(not report.rest for report in reports.values())
        of = f" of {self._goal}" if self._goal else ""
        click.echo(
            f"{counted}{of} pages, {rate:.0f}/s, {waiting} links wait, {working} of {len(reports)} shards at work",
            file=sys.stderr,
        )
