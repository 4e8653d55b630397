"""`haenyeo plan`: the coming week of revisits."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
import msgspec

from haenyeo.cli.options import as_json, collection, loudness, print_json
from haenyeo.html.urls import readable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from haenyeo.collect.service.forecast import Forecast, Heat
    from haenyeo.collect.service.group_tables import GroupTables
    from haenyeo.refresh.promise import PromisedWeek

SHADES = " ·░▒▓█"
MOST_ROWS = 40
SOME = 3
WEEKS = 4  # whose promises are shown
_OF_BUDGET = {"half": "half the budget", "whole": "the budget", "double": "double the budget"}
_NO_DIFFERENCE = 0.05  # of the requests; forecasts are no more exact than that
_FEW = 10  # of which tenths are told
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
    how fresh the copies will be with other budgets; with the planner groups, which page is in which group, and when
    it is visited. Hours are those of [refresh] time_zone. May run while the service works.
    """
    ahead = _forecast(name, fresh, budget)
    forecast = ahead.forecast
    if as_json:
        more = {"by_budget": ahead.curve, "promises": msgspec.to_builtins(ahead.weeks)}
        groups = {"groups": msgspec.to_builtins(ahead.tables)} if ahead.tables else {}
        print_json({"collection": str(name), **msgspec.to_builtins(forecast), **more, **groups})
    else:
        _show(forecast, quiet=quiet)
        _show_curve(forecast, ahead.curve)
        _show_promises(ahead.weeks)
        if ahead.tables:
            _show_groups(ahead.tables)


class _Ahead(NamedTuple):
    """What is shown: the week, what requests buy, what was promised, and the tables of the planner groups."""

    forecast: Forecast
    curve: Sequence[tuple[float, float]]
    weeks: Sequence[PromisedWeek]
    tables: GroupTables | None


def _forecast(name: Path, fresh: float | None, budget: str | None) -> _Ahead:
    from haenyeo.collect.collection import Collection
    from haenyeo.collect.service.forecast import Forecaster
    from haenyeo.collect.service.group_tables import group_tables
    from haenyeo.collect.service.planning import memory_of, requests_a_day, wanted_share
    from haenyeo.collect.service.promises_kept import promises_kept
    from haenyeo.collect.visit.clock import VARIABLE, parse_clock
    from haenyeo.model.zones import zone_named

    with Collection.open(name, writing=False) as opened:
        asked = None if budget is None else requests_a_day(budget)
        share = fresh or wanted_share(opened.settings, asked)
        memory = memory_of(opened.store, opened.settings, asked, fresh=share)
        now = parse_clock(os.environ.get(VARIABLE, "")).now()
        per_day = float(opened.settings.refresh.per_day) if asked is None else asked
        ahead = Forecaster(opened.settings, memory.planner.dump(), per_day, share)
        week = ahead.week(now)
        tables = group_tables(opened.store, memory.planner, zone_named(opened.settings.refresh.time_zone), now)
        return _Ahead(week, ahead.freshness_by_budget(now, week), promises_kept(opened.store), tables)


def _show(forecast: Forecast, *, quiet: bool) -> None:
    wanted = "" if forecast.wanted is None else f"{100 * forecast.wanted:g} % up to date, at most "
    click.echo(f"{forecast.pages:,} pages, {wanted}{forecast.per_day:g} requests a day, planner {forecast.planner}")
    click.echo(f"hours are those of {forecast.time_zone}")
    if forecast.pages:
        click.echo("\n" + _drawn("visits planned", forecast.visits))
        if forecast.changes:
            click.echo("\n" + _drawn("changes expected", forecast.changes))
    if forecast.freshness and forecast.wanted is None:
        shares = ", ".join(f"{100 * share:.1f} % with {_OF_BUDGET[name]}" for name, share in forecast.freshness.items())
        click.echo(f"\ncopies up to date through the week: {shares}")
    if forecast.first and not quiet:
        click.echo("first in line:")
        for url in forecast.first:
            click.echo(f"  {readable(url)}")


def _show_groups(tables: GroupTables) -> None:
    """Tables 3.3 to 3.5 of Cho, Lee & Choi 2013, of this collection."""
    from haenyeo.cli.watch_tables import show_rows

    show_rows(
        [
            {
                "page": readable(page.url),
                "changes": f"{page.changes}",
                "a week": f"{page.changes_a_week:g}",
                "bytes": f"{page.bytes_changed:,}",
                "group": page.group,
                "visited as": page.cycle or "still learned",
                "changes by": page.changes_by,
            }
            for page in tables.pages
        ],
        f"table 3.3: changes of each page, the first {len(tables.pages)}",
    )
    show_rows(
        [
            {
                "page": readable(row.url),
                "weekday": row.weekday,
                "hour": f"{row.hour}",
                "changes": f"{row.changes}",
                "bytes": f"{row.bytes_changed:,}",
            }
            for row in tables.hours[:MOST_ROWS]
        ],
        f"table 3.4: the same by weekday and hour, {min(MOST_ROWS, len(tables.hours))} of {len(tables.hours)} rows",
    )
    show_rows(
        [{"weekday": row.weekday, "hour": row.hour, "pages": _some(row.urls)} for row in tables.visits],
        "table 3.5: when pages are visited",
    )
    groups = ", ".join(f"{count:,} {label}" for label, count in tables.groups.items() if count)
    click.echo(f"groups: {groups or 'none yet'}; {tables.learning:,} pages still learned")
    click.echo(f"the table costs {tables.requests_a_day:,.1f} requests a day")


def _some(urls: Sequence[str]) -> str:
    """The first addresses, and how many more there are."""
    shown = ", ".join(map(readable, urls[:SOME]))
    return shown + (f" and {len(urls) - SOME:,} more" if len(urls) > SOME else "")


def _show_curve(forecast: Forecast, curve: Sequence[tuple[float, float]]) -> None:
    """Print what requests buy, and where the plan stands."""
    planned = forecast.needed if forecast.needed is not None and forecast.reached is not None else None
    points = [(per_day, fresh, "") for per_day, fresh in curve if per_day != planned]
    if planned is not None and forecast.reached is not None:
        points.append((planned, forecast.reached, "  the plan"))
    if points:
        click.echo("\nrequests a day    up to date")
    for per_day, fresh, mark in sorted(points):
        click.echo(f"{per_day:14,.1f}    {100 * fresh:8.2f} %{mark}")
    if planned is not None and forecast.uniform:
        click.echo(_saved(planned, forecast.uniform))


def _saved(planned: float, uniform: float) -> str:
    """What the plan saves against visiting all pages in turn, in words."""
    saved = 1 - planned / uniform
    needs = f"all pages in turn need {uniform:,.1f} requests a day for that"
    if saved > _NO_DIFFERENCE:
        return f"{needs}: {saved:.0%} are saved"
    return f"{needs}: as yet too little is known of when pages change to save any"


def _show_promises(weeks: Sequence[PromisedWeek]) -> None:
    """Print what was expected of the pages that were visited, and what was found."""
    for week in weeks[-WEEKS:]:
        click.echo(f"week of {week.monday:%Y-%m-%d}: {week.expected:,.1f} changes expected, {week.observed:,} found")


def _drawn(title: str, heat: Heat) -> str:
    """A heat map, a line a day, a column an hour."""
    most, total = max(max(day) for day in heat), sum(map(sum, heat))
    digits = 1 if total < _FEW * len(DAYS) and total % 1 else 0
    lines = [f"{title} ({total:,.{digits}f} in all, {most:,.{1 + digits}f} in the busiest hour)"]
    lines.append("     " + "".join(f"{hour:<3}" for hour in range(0, 24, 3)).rstrip() + "    sum")
    for name, day in zip(DAYS, heat, strict=True):
        shades = "".join(SHADES[round(value / most * (len(SHADES) - 1))] if most else " " for value in day)
        lines.append(f"{name}  {shades}  {sum(day):6,.{digits}f}")
    return "\n".join(lines)
