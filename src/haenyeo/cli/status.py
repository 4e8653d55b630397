"""`haenyeo status`: one screen about a collection."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from haenyeo.cli.options import as_json, collection, loudness, print_json

if TYPE_CHECKING:
    from haenyeo.cluster.standing import ShardStanding

SITES_SHOWN = 10
FAILURES_SHOWN = 8


@click.command()
@collection
@click.option("--topic", metavar="T", help="Show this topic's pages and the links it would follow next.")
@click.option(
    "--next", "count", type=click.IntRange(1, 1000), default=20, help="Links shown with --topic; default: 20."
)
@as_json
@loudness
def command(name: Path, topic: str | None, count: int, as_json: bool, quiet: bool) -> None:
    """Show what the collection NAME holds; may run while a crawl goes on."""
    from haenyeo.collect.collection import Collection

    del quiet
    if topic is not None:
        _show_topic(name, topic, count, as_json=as_json)
        return
    from haenyeo.collect.overview import overview_of

    with Collection.open(name, writing=False) as opened:
        overview = overview_of(opened.store, opened.settings)
    shards = _standing(name)
    if as_json:
        told = {"shards": msgspec.to_builtins(shards)} if shards else {}
        print_json({**msgspec.to_builtins(overview), **told})
    else:
        from haenyeo.cli.tables import show_overview

        show_overview(overview)
        _show_shards(shards)


def _standing(name: Path) -> list[ShardStanding]:
    """How the collection's shards stand, if it has any."""
    from haenyeo.store.shards.catalogue import is_sharded

    if not is_sharded(name):
        return []
    from haenyeo.cluster.standing import standing

    return standing(name)


def _show_shards(shards: list[ShardStanding]) -> None:
    for each in shards:
        lag = f", links of {each.unsent} pages unsent, {each.inbox} batches to take in"
        lag = lag if each.unsent or each.inbox else ""
        brought_back = f", brought back {each.restarts} times" if each.restarts else ""
        rate = f" ({each.rate:.1f}/s)" if each.rate else ""
        again = f", {each.revisits:,} requests for revisits" if each.revisits else ""
        done = f"{each.pages:,} pages in the last run{rate}{again}, {each.waiting:,} links wait"
        copied = f", last copied at {each.copied_at:%H:%M:%S} UTC" if each.copied_at else ""
        copied += f", not copied: {each.trouble}" if each.trouble else ""
        click.echo(f"shard {each.shard}  {each.state}: {done}{lag}{brought_back}{copied}")


def _show_topic(name: Path, topic: str, count: int, *, as_json: bool) -> None:
    from haenyeo.collect.adapters.finding.topic_view import topic_view
    from haenyeo.collect.collection import Collection

    with Collection.open(name, writing=False) as opened:
        view = topic_view(opened.store, opened.settings, topic, count)
    if as_json:
        print_json({"collection": str(name), **msgspec.to_builtins(view)})
    else:
        from haenyeo.cli.tables import show_topic

        show_topic(view)
