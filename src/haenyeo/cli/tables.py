"""Tables for the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from haenyeo.collect.adapters.finding.topic_view import TopicView
from haenyeo.collect.overview import Overview
from haenyeo.collect.visit.rendering import NEEDS_BROWSER
from haenyeo.html.urls import readable

SITES_SHOWN, FAILURES_SHOWN = 12, 10


def show_overview(overview: Overview) -> None:  # noqa: C901 - a part of the screen after the other
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
    if len(overview.topics) > 1:
        for name, pages in overview.topic_pages.items():
            facts.add_row(f"pages of {name}", f"{pages:,}")
    console.print(facts)
    if overview.topic_harvests:
        console.print(_harvests(overview))
    if overview.week:
        told = " · ".join(f"{count} {kind}" for kind, count in overview.week.items())
        console.print(f"changes this week  {told}", highlight=False)
    if overview.promises:
        last = overview.promises[-1]
        kept = f"{last.expected:,.1f} expected of the pages visited, {last.observed:,} found"
        console.print(f"revisits           {kept}, week of {last.monday:%Y-%m-%d}", highlight=False)
    if overview.visits:
        console.print(_visits(overview))
    if overview.sites:
        console.print(_sites(overview))
    if overview.failures:
        console.print(_failures(overview))
    for failure in overview.failures:
        if failure.reason.startswith(NEEDS_BROWSER):
            reason = failure.reason if failure.pages == 1 else failure.reason.replace("needs", "need", 1)
            count = f"{failure.pages:,} page{'' if failure.pages == 1 else 's'}"
            console.print(f"{count} {reason}: {failure.advice}", markup=False, highlight=False, soft_wrap=True)


def show_topic(view: TopicView) -> None:
    """Print what a topic has and wants."""
    console = Console()
    console.print(f"[bold]{view.topic}[/bold]  {view.words}", highlight=False)
    facts = Table.grid(padding=(0, 2))
    facts.add_row("pages", f"{view.pages:,}", f"from relevance {view.threshold:.2f} on")
    facts.add_row("links waiting", f"{view.waiting:,}", "in this topic's frontier")
    console.print(facts)
    if view.next:
        table = Table("score", "next", "words", title=f"the next {len(view.next)}", title_justify="left")
        for link in view.next:
            table.add_row(f"{link.score:.3f}", readable(link.url), link.anchor)
        console.print(table)


def _harvests(overview: Overview) -> Table:
    title = "what each topic had of the crawl"
    table = Table("topic", "weight", "asked for", "its own", "harvest", title=title, title_justify="left")
    for each in overview.topic_harvests:
        harvest = "" if each.harvest is None else f"{each.harvest:.0%}"
        table.add_row(each.topic, f"{each.weight:g}", f"{each.asked:,}", f"{each.found:,}", harvest)
    return table


def _visits(overview: Overview) -> Table:
    table = Table("found", "visits", "kB received", title="visits by what they found", title_justify="left")
    for each in overview.visits:
        table.add_row(each.found, f"{each.visits:,}", f"{each.bytes / 1e3:,.0f}")
    return table


def _sites(overview: Overview) -> Table:
    table = Table(
        "site", "asked", "kept", "last visit", title=_first(SITES_SHOWN, overview.sites, "sites"), title_justify="left"
    )
    for site in overview.sites[:SITES_SHOWN]:
        table.add_row(site.site, f"{site.asked:,}", f"{site.kept:,}", f"{site.last_at:%Y-%m-%d %H:%M}")
    return table


def _failures(overview: Overview) -> Table:
    table = Table("outcome", "reason", "pages", "for example", "advice", title="not kept", title_justify="left")
    for failure in overview.failures[:FAILURES_SHOWN]:
        told = failure.reason, f"{failure.pages:,}", readable(failure.example), failure.advice
        table.add_row(failure.outcome, *map(escape, told))
    return table


def _first(shown: int, rows: tuple[object, ...], name: str) -> str:
    return name if len(rows) <= shown else f"the first {shown} of {len(rows)} {name}"
