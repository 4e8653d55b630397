"""Tables of watched pages, changes and records for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from haenyeo.collect.adapters.watching.changes import Change, RuleRepaired
from haenyeo.collect.adapters.watching.watch_states import WatchedAddress
from haenyeo.collect.adapters.watching.wording import details, headline
from haenyeo.html.urls import readable

SHOWN_VALUE = 48


def show_watched(addresses: Sequence[WatchedAddress]) -> None:
    """Print how the watched addresses are, and below how the rules for them are."""
    table = Table(Column("page", overflow="fold"), "state", "since", "last visit", "next visit")
    for each in addresses:
        times = (f"{at:%m-%d %H:%M}" if at else "" for at in (each.since, each.last_at, each.next_at))
        table.add_row(escape(readable(each.url)), escape(each.state), *times)
    console = Console(highlight=False)
    console.print(table)
    for line in dict.fromkeys(line for each in addresses for line in each.rule_states):
        console.print(escape(line), soft_wrap=True)


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
