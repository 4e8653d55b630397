"""`haenyeo watch`: keep pages and result lists under watch."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from haenyeo.cli.options import as_json, collection, loudness, print_json, span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from haenyeo.collect.adapters.watching.changes import Change
    from haenyeo.collect.adapters.watching.coordinator import KeptPatterns
    from haenyeo.collect.adapters.watching.watch_states import WatchedAddress
    from haenyeo.collect.adapters.watching.watchlist import WatchedPage
    from haenyeo.collect.collection import Collection
    from haenyeo.collect.crawl.parts import Parts
    from haenyeo.collect.events import Event

TROUBLE = 1


@click.command(
    epilog='Example:  haenyeo watch corals "https://a.example/search?q={query}" --query coral --query reef --every 6h'
)
@collection
@click.argument("urls", nargs=-1, metavar='[URL|"https://site/search?q={query}"]...')
@click.option("--query", "queries", multiple=True, help="Words to put in place of {query}; repeat for more.")
@click.option("--every", type=span, default="6h", show_default=True, help="How often: 30m, 6h, 2d.")
@click.option("--pages", default=2, show_default=True, type=click.IntRange(1, 100), help="Pages of a list to look at.")
@click.option("--ignore", multiple=True, metavar="REGEX", help="Changed lines that match do not count; repeat.")
@click.option("--least", type=click.FloatRange(0, 100), default=0.0, help="Per cent of the text that must change.")
@click.option(
    "--items", default=0, type=click.IntRange(0), metavar="N", help="Items a round that are fetched, if not there yet."
)
@click.option("--now", "at_once", is_flag=True, help="Visit all watched pages now, whether due or not.")
@click.option("--look", is_flag=True, help="Only show their state; ask for nothing.")
@click.option("--patterns", is_flag=True, help="Show the patterns kept of each page; watcher vilo only.")
@click.option("--remove", is_flag=True, help="Watch these URLs no more.")
@click.option("--delay", type=click.FloatRange(0), help="Seconds between two requests to a site.")
@as_json
@loudness
def command(
    name: Path,
    urls: tuple[str, ...],
    queries: tuple[str, ...],
    every: timedelta,
    pages: int,
    ignore: tuple[str, ...],
    least: float,
    items: int,
    at_once: bool,
    look: bool,
    patterns: bool,
    remove: bool,
    delay: float | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Keep URLs of the collection NAME under watch; without URL: visit those that are due, and show their state.

    A visited page is compared with what it was: its content, its layout (alarm: what we take from it is gone; notice:
    other markup), and the records that rules take from it. An error of the server is told as such, never as a change.
    Exit codes: 0 all pages answer, 1 some do not.
    """
    from haenyeo.cli.in_shards import homes
    from haenyeo.collect.adapters.watching.watchlist import watched_page
    from haenyeo.collect.collection import Collection

    now = datetime.now(UTC)
    told: list[Change] = []
    watched: list[WatchedPage] = []
    addresses: list[WatchedAddress] = []
    kept: list[KeptPatterns] = []
    for home, named in homes(name, urls):
        with Collection.open(home, writing=not look) as opened:
            if remove:
                here = _remove(opened, named)
            elif look:
                here = _all(opened)
            else:
                wishes = {"ignore": _checked(ignore), "least": least / 100}
                _add(opened, [watched_page(url, queries, every, pages, now, items) for url in named], wishes)
                here = _visit(opened, told, at_once=at_once, delay=delay)
            addresses += _addresses(opened, here)
            kept += _patterns(opened) if patterns else []
        watched += here
    if patterns and not kept:
        click.echo('no patterns are kept: set watcher = "vilo" under [strategy], then visit', err=True)
    _show(_Shown(watched, addresses, told, kept), as_json=as_json, quiet=quiet)
    return TROUBLE if any(not standing.fine for page in watched for standing in page.standings) else 0


def _all(opened: Collection) -> list[WatchedPage]:
    from haenyeo.collect.adapters.watching.watchlist import Watchlist

    return list(Watchlist(opened.store))


def _addresses(opened: Collection, pages: Sequence[WatchedPage]) -> list[WatchedAddress]:
    from haenyeo.collect.adapters.watching.shelf import Shelf
    from haenyeo.collect.adapters.watching.watch_states import watched_addresses

    return watched_addresses(pages, Shelf(opened.store))


def _remove(opened: Collection, urls: Sequence[str]) -> list[WatchedPage]:
    from haenyeo.collect.adapters.watching.watchlist import Watchlist

    watchlist = Watchlist(opened.store)
    for url in urls:
        page = watchlist.get(url)
        if page is None:
            raise click.UsageError(f"{url} is not under watch; haenyeo watch {opened.folder} --look shows what is")
        watchlist.remove(page)
    opened.store.flush()
    return list(watchlist)


def _add(opened: Collection, pages: Sequence[WatchedPage], wishes: dict[str, Any]) -> None:
    import msgspec

    from haenyeo.collect.adapters.watching.watchlist import Watchlist

    watchlist = Watchlist(opened.store)
    for page in pages:
        watchlist.put(msgspec.structs.replace(page, **wishes))
    opened.store.flush()


def _checked(ignore: tuple[str, ...]) -> tuple[str, ...]:
    """The patterns, if all are regular expressions."""
    import re

    for pattern in ignore:
        try:
            re.compile(pattern)
        except re.error as error:
            raise click.BadParameter(f"{pattern!r} is no regular expression: {error}", param_hint="--ignore") from error
    return ignore


def _visit(opened: Collection, told: list[Change], *, at_once: bool, delay: float | None) -> list[WatchedPage]:
    """Visit what is due, or everything, note what changed, and return all watched pages."""
    from haenyeo.cli.running import run_with_parts
    from haenyeo.collect.adapters.watching.changes import is_change
    from haenyeo.collect.adapters.watching.notify import notify
    from haenyeo.collect.adapters.watching.watchlist import Watchlist
    from haenyeo.collect.service.rounds import Round

    watchlist = Watchlist(opened.store)
    due = list(watchlist) if at_once else watchlist.due(datetime.now(UTC))

    def note(event: Event) -> None:
        if is_change(event):
            told.append(event)

    async def visit(parts: Parts) -> None:
        parts.events.listen(note)
        for page in due:
            await Round(parts).visit_watched(watchlist, page)
        await notify(opened.store, opened.settings.notify)

    if due:
        run_with_parts(opened, visit, delay)
    return list(watchlist)


def _patterns(opened: Collection) -> list[KeptPatterns]:
    from haenyeo.collect.adapters.watching.coordinator import all_kept_patterns

    return list(all_kept_patterns(opened.store))


class _Shown(NamedTuple):
    """What is to be shown: pages, how each of their addresses is, what changed, and patterns."""

    pages: Sequence[WatchedPage]
    addresses: Sequence[WatchedAddress]
    told: Sequence[Change]
    kept: Sequence[KeptPatterns]


def _show(shown: _Shown, *, as_json: bool, quiet: bool) -> None:
    pages, addresses, told, kept = shown
    if as_json:
        import msgspec

        states = [
            {"url": each.url, "rule": rule.name, "condition": rule.condition, "state": rule.state}
            for each in addresses
            for rule in each.rules
        ]
        patterns = {"patterns": msgspec.to_builtins(kept)} if kept else {}
        changes = msgspec.to_builtins(told)
        print_json({"watched": msgspec.to_builtins(pages), "rules": states, "changes": changes, **patterns})
        return
    from haenyeo.cli.watch_tables import show_changes, show_watched

    if not pages and not quiet:
        click.echo("nothing is under watch; add a page: haenyeo watch NAME URL")
        return
    if not quiet:
        show_watched(addresses)
    show_changes([(datetime.now(UTC), change) for change in told])
    for each in kept:
        click.echo(f"{each.verdict}, status {each.status}: {each.url}, {len(each.patterns)} patterns, K = {each.times}")
        for pattern in each.patterns:
            click.echo(f"  {''.join(pattern)}")
