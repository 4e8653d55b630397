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
from haenyeo.cli.options import as_json, collection, loudness, print_json

if TYPE_CHECKING:
    from haenyeo.cli.progress import Progress
    from haenyeo.cli.running import OnSignal
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
@as_json
@loudness
@long_work
def command(
    name: Path,
    budget: str | None,
    delay: float | None,
    proxy: str | None,
    port: int | None,
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
    if as_json:
        print_json({"collection": str(name), **msgspec.to_builtins(ended)})
    elif not quiet:
        click.echo(f"stopped; {ended.collected} pages are kept; go on with: haenyeo run {name}")
    return code


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
