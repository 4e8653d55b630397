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
    from haenyeo.collect.service.group_tables import GroupTables

SHADES = " ·░▒▓█"
MOST_ROWS = 40
SOME = 3
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@click.command(epilog="Example:  haenyeo plan corals --budget 200/day")
@collection
@click.option("--budget", metavar="N/day", help="Requests, as 500/day or 20/hour; default: [refresh] per_day.")
@as_json
@loudness
def command(name: Path, budget: str | None, as_json: bool, quiet: bool) -> None:
    """Show when the coming week's revisits of the collection NAME are planned, and when changes are expected.

    Says how fresh the copies will be with half, the whole and double the budget; with the planner groups, which page is
    in which group and when it is visited. Hours are those of [refresh] time_zone. May run while the service works.
    """
    forecast, tables = _forecast(name, budget)
    if as_json:
        groups = {"groups": msgspec.to_builtins(tables)} if tables else {}
        print_json({"collection": str(name), **msgspec.to_builtins(forecast), **groups})
    else:
        _show(forecast, quiet=quiet)
        if tables:
            _show_groups(tables)


def _forecast(name: Path, budget: str | None) -> tuple[Forecast, GroupTables | None]:
    from haenyeo.collect.collection import Collection
    from haenyeo.collect.service.forecast import Forecaster
    from haenyeo.collect.service.group_tables import group_tables
    from haenyeo.collect.service.planning import memory_of, requests_a_day
    from haenyeo.collect.visit.clock import VARIABLE, parse_clock
    from haenyeo.model.zones import zone_named

    with Collection.open(name, writing=False) as opened:
        per_day = opened.settings.refresh.per_day if budget is None else requests_a_day(budget)
        memory = memory_of(opened.store, opened.settings, per_day)
        clock = parse_clock(os.environ.get(VARIABLE, ""))
        forecast = Forecaster(opened.settings, memory.planner.dump(), per_day).week(clock.now())
        return forecast, group_tables(opened.store, memory.planner, zone_named(opened.settings.refresh.time_zone))


def _show(forecast: Forecast, *, quiet: bool) -> None:
    click.echo(f"{forecast.pages:,} pages, {forecast.per_day:g} requests a day, planner {forecast.planner}")
    click.echo(f"hours are those of {forecast.time_zone}")
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


def _drawn(title: str, heat: Heat) -> str:
    """A heat map, a line a day, a column an hour."""
    most = max(max(day) for day in heat)
    lines = [f"{title} ({sum(map(sum, heat)):,.0f} in all, {most:,.1f} in the busiest hour)"]
    lines.append("     " + "".join(f"{hour:<3}" for hour in range(0, 24, 3)).rstrip() + "    sum")
    for name, day in zip(DAYS, heat, strict=True):
        shades = "".join(SHADES[round(value / most * (len(SHADES) - 1))] if most else " " for value in day)
        lines.append(f"{name}  {shades}  {sum(day):6,.0f}")
    return "\n".join(lines)
