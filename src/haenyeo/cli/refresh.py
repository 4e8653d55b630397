"""`haenyeo refresh`: revisit what is due."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
import msgspec

from haenyeo.cli.compiled import long_work
from haenyeo.cli.options import FOR_SHARDS, as_json, collection, loudness, on_ray, print_json
from haenyeo.html.urls import readable

if TYPE_CHECKING:
    from haenyeo.cli.running import OnSignal
    from haenyeo.collect.collection import Collection, Overrides
    from haenyeo.collect.events import Event, RefreshEnded


@click.command(epilog="Example:  haenyeo refresh corals --budget 500/day --once")
@collection
@click.option("--fresh", type=click.FloatRange(0, 1, True, True), help="Copies to keep up to date, as 0.97.")
@click.option("--budget", metavar="N/day", help="Spend so many requests, as 500/day or 20/hour.")
@click.option("--once", is_flag=True, help="Visit what is due now and end; without it, go on until stopped.")
@click.option("--delay", type=click.FloatRange(min=0), help="Seconds between two requests to one site.")
@click.option("--proxy", metavar="URL", help="Ask through this HTTP proxy.")
@on_ray
@as_json
@loudness
@long_work
def command(
    name: Path,
    fresh: float | None,
    budget: str | None,
    once: bool,
    delay: float | None,
    proxy: str | None,
    ray: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Revisit the pages of the collection NAME where a request buys most, with conditional requests.

    As few visits are made as keep the wanted share of copies up to date ([refresh] fresh), and no more than [refresh]
    per_day; a budget that is named here is spent.

    Pages that are gone are looked at again after one, three and nine days and then left alone; pages that moved are
    followed; every version stays in the archive. Stop with Ctrl-C and start again to go on.
    """
    from haenyeo.cli.beside.indexing import index_rest, indexing
    from haenyeo.collect.collection import Collection, Overrides
    from haenyeo.store.shards.catalogue import is_sharded

    if is_sharded(name):
        overrides = Overrides(delay=delay, proxy=proxy)
        ended, code = _refresh_shards(name, _Wanted(fresh, budget), overrides, ray, once=once, quiet=quiet or as_json)
        _tell(name, ended, as_json=as_json, quiet=quiet)
        return code
    if ray is not None:
        raise click.UsageError(FOR_SHARDS)
    with Collection.open(name) as opened:
        opened.settings = Overrides(delay=delay, proxy=proxy).applied_to(opened.settings)
        with indexing(name):
            ended, code = _refresh(opened, _Wanted(fresh, budget), once=once, loud=not (quiet or as_json))
    if not code:
        index_rest(name)
    _tell(name, ended, as_json=as_json, quiet=quiet)
    return code


def _tell(name: Path, ended: RefreshEnded, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json({"collection": str(name), **msgspec.to_builtins(ended)})
    elif not quiet:
        click.echo(summary(ended))


def _refresh_shards(
    name: Path, wanted: _Wanted, overrides: Overrides, ray: str | None, *, once: bool, quiet: bool
) -> tuple[RefreshEnded, int]:
    from haenyeo.cli.in_shards import ShardsWish, refresh_in_shards, revisit_wish
    from haenyeo.cluster.messages import ClusterRun, Revisiting

    per_day, fresh = revisit_wish(name, wanted.budget, wanted.fresh)
    plan = Revisiting(per_day=per_day, fresh=fresh, once=once)
    run = ClusterRun(
        id="", began=0.0, pages=0, delay=overrides.delay, proxy=overrides.proxy, crawls=False, revisiting=plan
    )
    return refresh_in_shards(name, run, ShardsWish(ray=ray), quiet=quiet)


class _Wanted(NamedTuple):
    """What the user asked for."""

    fresh: float | None
    budget: str | None


def _refresh(opened: Collection, wanted: _Wanted, *, once: bool, loud: bool) -> tuple[RefreshEnded, int]:
    from haenyeo.cli.running import run_stoppable
    from haenyeo.collect.crawl.assembly import RunContext, parts_of
    from haenyeo.collect.service.planning import memory_of, requests_a_day
    from haenyeo.collect.service.refresher import Refresher
    from haenyeo.collect.visit.clock import VARIABLE, parse_clock

    clock = parse_clock(os.environ.get(VARIABLE, ""))
    asked = None if wanted.budget is None else requests_a_day(wanted.budget)
    memory = memory_of(opened.store, opened.settings, asked, fresh=wanted.fresh)

    async def refresh(on_signal: OnSignal) -> RefreshEnded:
        async with parts_of(opened.store, opened.settings, RunContext(clock=clock)) as parts:
            refresher = Refresher(parts, memory)
            if loud:
                refresher.events.listen(say_changes)
            on_signal(refresher.stop)
            return await (refresher.run_once() if once else refresher.run())

    return run_stoppable(refresh)


def say_changes(event: Event) -> None:
    """Print a line for a page that changed or is gone."""
    from haenyeo.collect.events import PageVisited
    from haenyeo.model.visits import Found

    if isinstance(event, PageVisited) and event.found in (Found.CHANGED, Found.GONE):
        click.echo(f"{event.found:<8} {readable(event.url)}")


def summary(ended: RefreshEnded) -> str:
    """What refreshing came to, in one line."""
    kinds = ", ".join(f"{count} {found}" for found, count in sorted(ended.found.items(), key=lambda each: -each[1]))
    return (
        f"{ended.visited} pages visited, {ended.requests} requests, {ended.bytes / 1e6:.2f} MB, {ended.seconds:.1f} s"
        f": {kinds or 'nothing was worth a visit'}"
    ) + _left_alone(ended)


def _left_alone(ended: RefreshEnded) -> str:
    """What is believed of the pages that were not visited."""
    if ended.fresh is None or not ended.pages:
        return ""
    stale = ended.pages * (1 - ended.fresh)
    unseen = f"{stale:,.1f} to have changed unseen"
    return f"\nof {ended.pages:,} pages {ended.fresh:.1%} are expected to be up to date, {unseen}"
