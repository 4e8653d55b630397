"""`haenyeo add`: more seeds for a collection."""

from __future__ import annotations

from pathlib import Path

import click

from haenyeo.cli.options import as_json, collection, listed, loudness, print_json


@click.command(epilog="Example:  haenyeo add corals https://a.example/reefs @more-seeds.txt")
@collection
@click.argument("urls", nargs=-1, required=True, metavar="URL|@LIST...")
@as_json
@loudness
def command(name: Path, urls: tuple[str, ...], as_json: bool, quiet: bool) -> None:
    """Add seeds to the collection NAME; the next crawl asks for them, also for those that had failed before."""
    from haenyeo.collect.collection import Collection
    from haenyeo.store.shards.catalogue import is_sharded

    seeds = listed(urls)
    with Collection.open(name, writing=not is_sharded(name)) as opened:
        added = opened.add(seeds)
        outside = opened.outside(seeds)
    if as_json:
        print_json({"collection": str(name), "added": added, "known": len(seeds) - added, "outside": outside})
    elif not quiet:
        known = f", {len(seeds) - added} known already" if added < len(seeds) else ""
        click.echo(f"{added} seed{'' if added == 1 else 's'} added{known}; next: haenyeo crawl {name}")
        if outside:
            click.echo(f"{len(outside)} lie outside [scope] in {name}/haenyeo.toml, such as {outside[0]}")
