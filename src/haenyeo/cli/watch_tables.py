"""Tables of watched pages, changes and records for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from haenyeo.collect.adapters.watching.changes import Change, RuleRepaired
from haenyeo.collect.adapters.watching.saved_rules import SavedRule
from haenyeo.collect.adapters.watching.watchlist import Standing, WatchedPage
from haenyeo.collect.adapters.watching.wording import details, headline
from haenyeo.html.urls import readable

SHOWN_VALUE = 48


def show_watched(pages: Sequence[WatchedPage], rules: Mapping[str, Sequence[SavedRule]]) -> None:
    """Print how the watched pages are, and below how the `rules` for each address are."""
    table = Table(Column("page", overflow="fold"), "state", "since", "last visit", "next visit")
    for page in pages:
        next_at = f"{page.next_at:%m-%d %H:%M}"
        if not page.standings:
            table.add_row(escape(readable(page.url)), "not visited yet", "", "", next_at)
        for standing in page.standings:
            table.add_row(
                escape(readable(standing.url)),
                escape(_state(standing, rules.get(standing.url, ()))),
                f"{standing.since:%m-%d %H:%M}",
                f"{standing.at:%m-%d %H:%M}",
                next_at,
            )
    console = Console(highlight=False)
    console.print(table)
    for line in dict.fromkeys(f"rule {rule.name}: {rule.state}" for found in rules.values() for rule in found):
        console.print(escape(line), soft_wrap=True)


def _state(standing: Standing, rules: Sequence[SavedRule]) -> str:
    """How a page is in a few words: one that answers is not ok as long as a rule finds nothing on it."""
    if not standing.fine:
        return standing.reason or standing.outcome.value
    conditions = {rule.condition for rule in rules}
    if "broken" in conditions:
        return "rule broken"
    return "rule broken, repair proposed" if "proposed" in conditions else "ok"


def show_changes(changes: Sequence[tuple[datetime, Change]]) -> None:
    """Print changes, each with its time, a line or a small table."""
    console = Console(highlight=False)
    for at, change in changes:
        console.print(f"[dim]{at:%Y-%m-%d %H:%M}[/dim]  {escape(headline(change))}", soft_wrap=True)
        for line in details(change):
            console.print(f"    {escape(line)}", soft_wrap=True)
        if isinstance(change, RuleRepaired):
            console.print(_before_after(change))


def _before_after(change: RuleRepaired) -> Table:
    """The rows of the page by the old and by the new version, and the selectors of both."""
    old, new = dict(change.old_selectors), dict(change.new_selectors)
    table = Table("field", "old selector", "new selector", "old rule finds", "new rule finds")
    for name in dict.fromkeys((*old, *new)):
        before = [row.get(name, "") for row in change.before] if name else [f"{change.rows_before} rows"]
        after = [row.get(name, "") for row in change.after] if name else [f"{change.rows_after} rows"]
        cells = [name or "(record)", old.get(name, ""), new.get(name, "(left out)"), *map(_few, (before, after))]
        table.add_row(*map(escape, cells))
    return table


def show_rows(rows: Sequence[dict[str, str]], title: str) -> None:
    """Print records as a table."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = Table(*names, title=title, title_justify="left")
    for row in rows:
        table.add_row(*(escape(_cut(row.get(name, ""), SHOWN_VALUE)) for name in names))
    Console().print(table)


def _few(values: Sequence[str]) -> str:
    return "; ".join(_cut(value, SHOWN_VALUE) for value in values if value) or "nothing"


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
