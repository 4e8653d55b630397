"""`haenyeo status`: one screen about a collection."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from haenyeo.cli.options import as_json, collection, loudness, print_json

SITES_SHOWN = 10
FAILURES_SHOWN = 8


@click.command()
@collection
@as_json
@loudness
def command(name: Path, as_json: bool, quiet: bool) -> None:
    """Show what the collection NAME holds; may run while a crawl goes on."""
    from haenyeo.collect.collection import Collection
    from haenyeo.collect.overview import overview_of

    del quiet
    with Collection.open(name, writing=False) as opened:
        overview = overview_of(opened)
    if as_json:
        print_json(msgspec.to_builtins(overview))
    else:
        from haenyeo.cli.tables import show_overview

        show_overview(overview)
