"""Tables for the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from haenyeo.collect.overview import Overview

SITES_SHOWN, FAILURES_SHOWN = 12, 10


def show_overview(overview: Overview) -> None:
    """Print the collection at a glance."""
    console = Console()
    counts = overview.counts
    topics = "; ".join(overview.topics.values())
    console.print(f"[bold]{overview.collection}[/bold]  {topics}", highlight=False)
    facts = Table.grid(padding=(0, 2))
    facts.add_row("pages kept", f"{counts.kept:,}", "asked for", f"{counts.asked:,}")
    facts.add_row("links waiting", f"{overview.waiting:,}", "links found", f"{counts.found:,}")
    facts.add_row(
        "sites", f"{counts.sites:,}", "on disk", f"{(counts.archive_bytes + counts.database_bytes) / 1e6:,.1f} MB"
    )
    console.print(facts)
    if overview.week:
        told = " · ".join(f"{count} {kind}" for kind, count in overview.week.items())
        console.print(f"changes this week  {told}", highlight=False)
    if overview.sites:
        console.print(_sites(overview))
    if overview.failures:
        console.print(_failures(overview))


def _sites(overview: Overview) -> Table:
    table = Table(
        "site", "asked", "kept", "last visit", title=_first(SITES_SHOWN, overview.sites, "sites"), title_justify="left"
    )
    for site in overview.sites[:SITES_SHOWN]:
        table.add_row(site.site, f"{site.asked:,}", f"{site.kept:,}", f"{site.last_at:%Y-%m-%d %H:%M}")
    return table


def _failures(overview: Overview) -> Table:
    table = Table("outcome", "reason", "pages", "for example", title="not kept", title_justify="left")
    for failure in overview.failures[:FAILURES_SHOWN]:
        table.add_row(failure.outcome, failure.reason, f"{failure.pages:,}", failure.example)
    return table


def _first(shown: int, rows: tuple[object, ...], name: str) -> str:
    return name if len(rows) <= shown else f"the first {shown} of {len(rows)} {name}"
