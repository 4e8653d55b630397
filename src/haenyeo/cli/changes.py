"""`haenyeo changes`: what changed, as the visits found it."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import click

from haenyeo.cli.options import as_json, collection, loudness, moment, print_json

if TYPE_CHECKING:
    from haenyeo.collect.collection import Collection

KINDS = (
    *("content", "title", "records", "layout", "broken", "proposed", "repair", "rollback", "works"),
    *("relearn", "trouble", "back"),
)


@click.command(epilog="Example:  haenyeo changes corals --since 2d --kind layout --kind repair")
@collection
@click.option("--since", type=moment, help="From this time on: 2024-03-05, or 2d for two days ago.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Only changes of this kind; repeat.")
@click.option("--atom", is_flag=True, help="As an Atom feed, for programs that read feeds.")
@click.option("--rss", is_flag=True, help="As an RSS feed.")
@click.option("--diff", "url", metavar="URL", help="How the text of this page changed from version to version.")
@as_json
@loudness
def command(
    name: Path,
    since: datetime | None,
    kinds: tuple[str, ...],
    atom: bool,
    rss: bool,
    url: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Show what changed in the collection NAME: content, records, layouts (alarm or notice), repaired rules, troubles.

    May run while a crawl goes on.
    """
    from haenyeo.collect.collection import Collection

    with Collection.open(name, writing=False) as opened:
        if url is not None:
            _show_diff(opened, url, since, as_json=as_json)
        elif atom or rss:
            from haenyeo.collect.exporting.feed import atom_feed, latest_changes, rss_feed

            changes = latest_changes(opened.store, since, kinds)
            feed = rss_feed if rss else atom_feed
            click.echo(feed(opened.folder.absolute().name, changes).decode())
        else:
            _show_changes(opened, since, kinds, as_json=as_json, quiet=quiet)


def _show_changes(
    opened: Collection, since: datetime | None, kinds: tuple[str, ...], *, as_json: bool, quiet: bool
) -> None:
    import msgspec

    from haenyeo.collect.exporting.feed import latest_changes

    found = latest_changes(opened.store, since, kinds)
    if as_json:
        rows = [{"id": event.id, "at": event.at, "kind": event.kind, **msgspec.to_builtins(c)} for event, c in found]
        print_json({"collection": str(opened.folder), "changes": rows})
        return
    from haenyeo.cli.watch_tables import show_changes

    show_changes([(event.at, change) for event, change in found])
    if not found and not quiet:
        click.echo("nothing changed" + (f" since {since:%Y-%m-%d %H:%M}" if since else " so far"))


def _show_diff(opened: Collection, url: str, since: datetime | None, *, as_json: bool) -> None:
    from haenyeo.collect.adapters.reading.versions import text_versions
    from haenyeo.watch.content import text_diff

    versions = text_versions(opened.store, url, opened.settings.strategy.extractor, opened.settings.parts)
    if not versions:
        raise click.UsageError(f"{url} is not in the collection; haenyeo export {opened.folder} lists its pages")
    pairs = [(old, new) for old, new in pairwise(versions) if not since or new.at >= since]
    diffs = [
        (old.at, new.at, text_diff(old.text, new.text, (f"{old.at:%F %T}", f"{new.at:%F %T}"))) for old, new in pairs
    ]
    if as_json:
        rows = [{"from": was, "to": now, "diff": lines} for was, now, lines in diffs]
        print_json({"url": url, "versions": len(versions), "diffs": rows})
        return
    for _, _, lines in diffs:
        click.echo("\n".join(lines) or "the same text in other markup")
    if not diffs:
        click.echo(f"one version is stored, of {versions[0].at:%Y-%m-%d %H:%M}")
