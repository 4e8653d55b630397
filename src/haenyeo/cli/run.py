"""`haenyeo run`: the service."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from haenyeo.cli.compiled import long_work
from haenyeo.cli.options import FOR_SHARDS, as_json, collection, loudness, on_ray, print_json

if TYPE_CHECKING:
    from haenyeo.cli.progress import Progress
    from haenyeo.cli.running import OnSignal
    from haenyeo.collect.collection import Overrides
    from haenyeo.collect.events import ServiceEnded


@click.command(epilog="Example:  haenyeo run corals --budget 2000/day")
@collection
@click.option(
    "--budget",
    metavar="N/day",
    help="Requests of crawl and revisits together, as 2000/day; default: any number and [refresh] per_day.",
)
@click.option("--delay", type=click.FloatRange(min=0), help="Seconds between two requests to one site.")
@click.option("--proxy", metavar="URL", help="Ask through this HTTP proxy.")
@click.option(
    "--serve", "port", type=click.IntRange(0, 65535), metavar="PORT", help="Show the dashboard there; 0: any."
)
@on_ray
@as_json
@loudness
@long_work
def command(
    name: Path,
    budget: str | None,
    delay: float | None,
    proxy: str | None,
    port: int | None,
    ray: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Crawl, refresh and watch the collection NAME until stopped by Ctrl-C or SIGTERM.

    Only one process can work on a collection; a second one ends at once with exit code 3. After a crash or a power
    failure start it again: it goes on where it was.
    """
    from haenyeo.cli.beside.indexing import indexing
    from haenyeo.cli.beside.moving import moving
    from haenyeo.cli.running import run_stoppable
    from haenyeo.collect.collection import Collection, Overrides
    from haenyeo.collect.service.planning import requests_a_day
    from haenyeo.collect.service.service import Service
    from haenyeo.collect.visit.clock import VARIABLE, parse_clock
    from haenyeo.store.shards.catalogue import is_sharded

    if is_sharded(name):
        with dashboard(name, port):
            ended, code = _run_shards(name, budget, Overrides(delay=delay, proxy=proxy), ray, quiet=quiet or as_json)
        _tell(name, ended, as_json=as_json, quiet=quiet)
        return code
    if ray is not None:
        raise click.UsageError(FOR_SHARDS)
    clock = parse_clock(os.environ.get(VARIABLE, ""))
    per_day = None if budget is None else requests_a_day(budget)
    with Collection.open(name) as opened, dashboard(name, port), _view(quiet=quiet or as_json) as view:
        settings = Overrides(delay=delay, proxy=proxy).applied_to(opened.settings)

        async def serve(on_signal: OnSignal) -> ServiceEnded:
            service = Service(opened.store, settings, clock=clock, per_day=per_day)
            service.events.listen(view.note)
            on_signal(service.stop)
            return await service.run()

        stored = moving(name, settings.storage, quiet=quiet or as_json)
        with indexing(name, wanted=port is None), stored:  # the dashboard indexes by itself
            ended, code = run_stoppable(serve)
    _tell(name, ended, as_json=as_json, quiet=quiet)
    return code


def _tell(name: Path, ended: ServiceEnded, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json({"collection": str(name), **msgspec.to_builtins(ended)})
    elif not quiet:
        click.echo(f"stopped; {ended.collected} pages are kept; go on with: haenyeo run {name}")


def _run_shards(
    name: Path, budget: str | None, overrides: Overrides, ray: str | None, *, quiet: bool
) -> tuple[ServiceEnded, int]:
    """Crawl, refresh and watch all shards until stopped."""
    from haenyeo.cli.in_shards import ShardsWish, crawl_in_shards, revisit_wish
    from haenyeo.cluster.messages import ClusterRun, Revisiting
    from haenyeo.collect.events import ServiceEnded

    per_day, fresh = revisit_wish(name, budget, None)
    plan = Revisiting(per_day=per_day, fresh=fresh, shared=budget is not None)
    run = ClusterRun(id="", began=0.0, delay=overrides.delay, proxy=overrides.proxy, revisiting=plan, watches=True)
    ended, code = crawl_in_shards(name, run, ShardsWish(ray=ray), quiet=quiet)
    return ServiceEnded(why=ended.why, seconds=ended.seconds, collected=ended.kept), code


@contextmanager
def dashboard(name: Path, port: int | None) -> Iterator[None]:
    """Inside, the dashboard is served beside the service, if a port is given."""
    if port is None:
        yield
        return
    from haenyeo.web.serving import listen, serving_in_thread

    served = listen(name, port=port)
    click.echo(f"the dashboard is at {served.url}", err=True)
    with serving_in_thread(served):
        yield


def _view(*, quiet: bool) -> Progress:
    """What suits where standard error goes: a live view at a terminal, a line a minute elsewhere."""
    from haenyeo.cli.progress import CrawlTally, LinesOfVisits, LiveView, Silent

    if quiet:
        return Silent()
    return LiveView(CrawlTally(None)) if sys.stderr.isatty() else LinesOfVisits()
