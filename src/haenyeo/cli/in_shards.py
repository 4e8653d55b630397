"""Work on a collection in shards, whichever command asks for it: who runs the shards, and what is told of them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
import msgspec

if TYPE_CHECKING:
    from haenyeo.cli.running import OnSignal
    from haenyeo.cluster.messages import ClusterRun, ShardReport
    from haenyeo.cluster.running import ClusterCrawl, Crew
    from haenyeo.collect.events import CrawlEnded, RefreshEnded
    from haenyeo.model.config import StorageSettings

Ended = TypeVar("Ended")
TOLD_EVERY = 5.0  # seconds between two lines about all shards


class ShardsWish(msgspec.Struct, frozen=True, kw_only=True):
    """How a crawl in shards is run: with how many (as many as there are if None), for how long, on which cluster."""

    shards: int | None = None
    minutes: float | None = None
    ray: str | None = None


def crawl_in_shards(folder: Path, run: ClusterRun, wish: ShardsWish, *, quiet: bool) -> tuple[CrawlEnded, int]:
    """How the crawl over all shards ended, and the exit code that says so."""
    from haenyeo.cluster.layout import put_in_shards

    put_in_shards(folder, wish.shards)
    return _worked(folder, run, wish, lambda _, ended: ended, quiet=quiet)


def refresh_in_shards(folder: Path, run: ClusterRun, wish: ShardsWish, *, quiet: bool) -> tuple[RefreshEnded, int]:
    """What revisits over all shards came to, and the exit code."""
    return _worked(folder, run, wish, lambda cluster, _: cluster.revisited(), quiet=quiet)


def _worked(
    folder: Path,
    run: ClusterRun,
    wish: ShardsWish,
    result: Callable[[ClusterCrawl, CrawlEnded], Ended],
    *,
    quiet: bool,
) -> tuple[Ended, int]:
    """What comes of a run over all shards, and the exit code."""
    from haenyeo.cli.beside.moving import moving
    from haenyeo.cli.running import run_stoppable
    from haenyeo.cluster.running import ClusterCrawl

    seconds = None if wish.minutes is None else wish.minutes * 60
    progress = ShardsProgress(run.pages, quiet=quiet)

    async def work(on_signal: OnSignal) -> Ended:
        cluster = ClusterCrawl(folder, run, _crew(folder, wish.ray), progress.note)
        on_signal(cluster.stop)
        try:
            ended = await cluster.work(seconds)
            return result(cluster, ended)
        finally:
            cluster.close()

    stored = moving(folder, _moved_by_us(folder), quiet=quiet)
    with redirect_stdout(sys.stderr), stored:  # Ray says there what it thinks of dead actors
        return run_stoppable(work)


def _moved_by_us(folder: Path) -> StorageSettings:
    """Where finished files of the archive go; nowhere if shards take them there with their snapshots."""
    from haenyeo.cluster.snapshots.taking import is_copied
    from haenyeo.collect.settings_file import read_settings
    from haenyeo.model.config import StorageSettings

    storage = read_settings(folder).storage
    return StorageSettings() if is_copied(storage) else storage


def revisit_wish(folder: Path, budget: str | None, fresh: float | None) -> tuple[float, float | None]:
    """The requests a day and the wanted share of fresh copies, as asked for or as the settings have them."""
    from haenyeo.collect.service.planning import requests_a_day, wanted_share
    from haenyeo.collect.settings_file import read_settings

    settings = read_settings(folder)
    asked = None if budget is None else requests_a_day(budget)
    per_day = float(settings.refresh.per_day) if asked is None else asked
    return per_day, wanted_share(settings, asked) if fresh is None else fresh


def homes(folder: Path, urls: Sequence[str]) -> Iterator[tuple[Path, list[str]]]:
    """Each folder that has a part of the collection, with those of the addresses that belong there; ready to work."""
    from haenyeo.store.shards.catalogue import Catalogue, is_sharded, shard_folder

    if not is_sharded(folder):
        yield folder, list(urls)
        return
    from haenyeo.cluster.layout import equip
    from haenyeo.html.urls import site_of
    from haenyeo.model.pages import Url

    with Catalogue(folder) as catalogue:
        owners = catalogue.owners()
    equip(folder, owners.shards)
    for shard in range(owners.shards):
        yield shard_folder(folder, shard), [url for url in urls if owners.of(site_of(Url(url))) == shard]


def _crew(folder: Path, address: str | None) -> Crew:
    """Who runs the shards: processes of this machine, or the Ray cluster at an address."""
    from haenyeo.cluster.processes import ProcessCrew

    if address is None:
        return ProcessCrew(folder)
    with needing_ray(address):
        from haenyeo.cluster.on_ray import RayCrew
    return RayCrew(folder, address)


@contextmanager
def needing_ray(address: str | None) -> Iterator[None]:
    """Inside, that Ray is missing is told as what it is; what Ray itself says goes to standard error."""
    if address is not None and find_spec("ray") is None:
        raise click.UsageError("Ray is not installed: pip install 'haenyeo[cluster]', or leave --ray out")
    with redirect_stdout(sys.stderr):
        yield


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
        line = f"{counted}{of} pages, {rate:.0f}/s, {waiting} links wait, {working} of {len(reports)} shards at work"
        click.echo(line, file=sys.stderr)
