"""`haenyeo plan`: the coming week of revisits."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from haenyeo.cli.options import as_json, collection, loudness, print_json
from haenyeo.html.urls import readable

if TYPE_CHECKING:
    from haenyeo.collect.service.forecast import Forecast, Heat

SHADES = " ·░▒▓█"
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@click.command(epilog="Example:  haenyeo plan corals --budget 200/day")
@collection
@click.option("--budget", metavar="N/day", help="Requests, as 500/day or 20/hour; default: [refresh] per_day.")
@as_json
@loudness
def command(name: Path, budget: str | None, as_json: bool, quiet: bool) -> None:
    """Show when the coming week's revisits of the collection NAME are planned, and when changes are expected.

    Says how fresh the copies will be with half, the whole and double the budget. Hours are UTC. May run while the
    service works.
    """
    forecast = _forecast(name, budget)
    if as_json:
        print_json({"collection": str(name), **msgspec.to_builtins(forecast)})
    else:
        _show(forecast, quiet=quiet)


def _forecast(name: Path, budget: str | None) -> Forecast:
    from haenyeo.collect.collection import Collection
    from haenyeo.collect.service.forecast import Forecaster
    from haenyeo.collect.service.planning import memory_of, requests_a_day
    from haenyeo.collect.visit.clock import VARIABLE, parse_clock

    with Collection.open(name, writing=False) as opened:
        per_day = opened.settings.refresh.per_day if budget is None else requests_a_day(budget)
        memory = memory_of(opened.store, opened.settings, per_day)
        clock = parse_clock(os.environ.get(VARIABLE, ""))
        return Forecaster(opened.settings, memory.planner.dump(), per_day).week(clock.now())


def _show(forecast: Forecast, *, quiet: bool) -> None:
    click.echo(f"{forecast.pages:,} pages, {forecast.per_day:g} requests a day, planner {forecast.planner}")
    if forecast.pages:
        click.echo("\n" + _drawn("visits planned", forecast.visits))
        if forecast.changes:
            click.echo("\n" + _drawn("changes expected", forecast.changes))
    if forecast.freshness:
        shares = ", ".join(f"{100 * share:.1f} % with {name}" for name, share in forecast.freshness.items())
        click.echo(f"\ncopies up to date through the week: {shares} the budget")
    if forecast.first and not quiet:
        click.echo("first in line:")
        for url in forecast.first:
            click.echo(f"  {readable(url)}")


def _drawn(title: str, heat: Heat) -> str:
    """A heat map, a line a day, a column an hour."""
    most = max(max(day) for day in heat)
    lines = [f"{title} ({sum(map(sum, heat)):,.0f} in all, {most:,.1f} in the busiest hour)"]
    lines.append("     " + "".join(f"{hour:<3}" for hour in range(0, 24, 3)).rstrip() + "    sum")
    for name, day in zip(DAYS, heat, strict=True):
        shades = "".join(SHADES[round(value / most * (len(SHADES) - 1))] if most else " " for value in day)
        lines.append(f"{name}  {shades}  {sum(day):6,.0f}")
    return "\n".join(lines)
