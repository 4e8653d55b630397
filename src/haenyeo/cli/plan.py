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
    from collections.abc import Sequence

    from haenyeo.collect.service.forecast import Forecast, Heat
    from haenyeo.refresh.promise import PromisedWeek

SHADES = " ·░▒▓█"
WEEKS = 4  # whose promises are shown
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@click.command(epilog="Example:  haenyeo plan corals --budget 200/day")
@collection
@click.option("--fresh", type=click.FloatRange(0, 1, True, True), help="Copies to keep up to date, as 0.97.")
@click.option("--budget", metavar="N/day", help="Spend so many requests, as 500/day or 20/hour.")
@as_json
@loudness
def command(name: Path, fresh: float | None, budget: str | None, as_json: bool, quiet: bool) -> None:
    """Show when the coming week's revisits of the collection NAME are planned, and when changes are expected.

    Says how many requests the wanted freshness ([refresh] fresh) needs, what visiting all pages in turn would need, and
    how fresh the copies will be with other budgets. Hours are UTC. May run while the service works.
    """
    forecast, curve, weeks = _forecast(name, fresh, budget)
    if as_json:
        promised = {"by_budget": curve, "promises": msgspec.to_builtins(weeks)}
        print_json({"collection": str(name), **msgspec.to_builtins(forecast), **promised})
    else:
        _show(forecast, quiet=quiet)
        _show_curve(forecast, curve)
        _show_promises(weeks)


def _forecast(
    name: Path, fresh: float | None, budget: str | None
) -> tuple[Forecast, Sequence[tuple[float, float]], Sequence[PromisedWeek]]:
    from haenyeo.collect.collection import Collection
    from haenyeo.collect.service.forecast import Forecaster
    from haenyeo.collect.service.planning import memory_of, requests_a_day, wanted_share
    from haenyeo.collect.service.promises_kept import promises_kept
    from haenyeo.collect.visit.clock import VARIABLE, parse_clock

    with Collection.open(name, writing=False) as opened:
        asked = None if budget is None else requests_a_day(budget)
        share = fresh or wanted_share(opened.settings, asked)
        memory = memory_of(opened.store, opened.settings, asked, fresh=share)
        now = parse_clock(os.environ.get(VARIABLE, "")).now()
        per_day = float(opened.settings.refresh.per_day) if asked is None else asked
        ahead = Forecaster(opened.settings, memory.planner.dump(), per_day, share)
        week = ahead.week(now)
        return week, ahead.freshness_by_budget(now, week), promises_kept(opened.store)


def _show(forecast: Forecast, *, quiet: bool) -> None:
    wanted = "" if forecast.wanted is None else f"{100 * forecast.wanted:g} % up to date, at most "
    click.echo(f"{forecast.pages:,} pages, {wanted}{forecast.per_day:g} requests a day, planner {forecast.planner}")
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


def _show_curve(forecast: Forecast, curve: Sequence[tuple[float, float]]) -> None:
    """Print what requests buy, and where the plan stands."""
    points = [(per_day, fresh, "") for per_day, fresh in curve]
    if forecast.needed is not None and forecast.reached is not None:
        points.append((forecast.needed, forecast.reached, "  the plan"))
    if points:
        click.echo("\nrequests a day    up to date")
    for per_day, fresh, mark in sorted(points):
        click.echo(f"{per_day:14,.1f}    {100 * fresh:8.2f} %{mark}")
    if forecast.needed is not None and forecast.uniform:
        saved = 1 - forecast.needed / forecast.uniform
        click.echo(f"all pages in turn need {forecast.uniform:,.1f} requests a day for that: {saved:.0%} are saved")


def _show_promises(weeks: Sequence[PromisedWeek]) -> None:
    """Print what was expected of the pages that were visited, and what was found."""
    for week in weeks[-WEEKS:]:
        click.echo(f"week of {week.monday:%Y-%m-%d}: {week.expected:,.1f} changes expected, {week.observed:,} found")


def _drawn(title: str, heat: Heat) -> str:
    """A heat map, a line a day, a column an hour."""
    most = max(max(day) for day in heat)
    lines = [f"{title} ({sum(map(sum, heat)):,.0f} in all, {most:,.1f} in the busiest hour)"]
    lines.append("     " + "".join(f"{hour:<3}" for hour in range(0, 24, 3)).rstrip() + "    sum")
    for name, day in zip(DAYS, heat, strict=True):
        shades = "".join(SHADES[round(value / most * (len(SHADES) - 1))] if most else " " for value in day)
        lines.append(f"{name}  {shades}  {sum(day):6,.0f}")
    return "\n".join(lines)
