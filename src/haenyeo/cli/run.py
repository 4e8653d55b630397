"""`haenyeo run`: the service."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from haenyeo.cli.options import as_json, collection, loudness, print_json

if TYPE_CHECKING:
    from haenyeo.cli.running import OnSignal
    from haenyeo.collect.events import Event, ServiceEnded

SAY_EVERY = 60.0


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
    from haenyeo.cli.running import run_stoppable
    from haenyeo.collect.collection import Collection, Overrides
    from haenyeo.collect.revisits.clock import VARIABLE, parse_clock
    from haenyeo.collect.revisits.planning import requests_a_day
    from haenyeo.collect.revisits.service import Service

    clock = parse_clock(os.environ.get(VARIABLE, ""))
    per_day = None if budget is None else requests_a_day(budget)
    teller = _Teller()
    with Collection.open(name) as opened, dashboard(name, port):
        settings = Overrides(delay=delay, proxy=proxy).applied_to(opened.settings)

        async def serve(on_signal: OnSignal) -> ServiceEnded:
            service = Service(opened.store, settings, clock=clock, per_day=per_day)
            if not (quiet or as_json):
                service.events.listen(teller.note)
            on_signal(service.stop)
            return await service.run()

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


class _Teller:
    """Says once a minute what was done."""

    def __init__(self) -> None:
        self._said = time.monotonic()
        self._found: Counter[str] = Counter()

    def note(self, event: Event) -> None:
        """Count a visit, and say what was counted if it is time."""
        from haenyeo.collect.events import ClockSet, NetworkBack, NetworkLost, PageVisited

        if isinstance(event, PageVisited):
            self._found[event.found] += 1
        elif isinstance(event, NetworkLost):
            self._say(f"nothing answers ({', '.join(event.tried)}): waiting for the network, nothing is given up")
        elif isinstance(event, NetworkBack):
            self._say(f"the network is back after {event.seconds:.0f} s")
        elif isinstance(event, ClockSet):
            self._say(f"the clock was set by {event.seconds:+.0f} s, or the machine slept: all is planned anew")
        if time.monotonic() - self._said >= SAY_EVERY and self._found:
            kinds = ", ".join(f"{count} {found}" for found, count in self._found.most_common())
            self._say(f"{self._found.total()} visits: {kinds}")
            self._said = time.monotonic()
            self._found.clear()

    @staticmethod
    def _say(what: str) -> None:
        click.echo(f"{time.strftime('%Y-%m-%d %H:%M:%S')}  {what}")
