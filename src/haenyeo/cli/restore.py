"""`haenyeo restore`: a collection in shards, made anew from its snapshots."""

from __future__ import annotations

from pathlib import Path

import click

from haenyeo.cli.options import as_json, collection, loudness, print_json


@click.command(epilog="Example:  haenyeo restore corals s3://bucket/corals")
@collection
@click.argument("address")
@as_json
@loudness
def command(name: Path, address: str, as_json: bool, quiet: bool) -> None:
    """Make the collection NAME anew from the snapshots that its shards have sent to ADDRESS.

    It is what it was at the last snapshot of each shard; `haenyeo crawl NAME` goes on from there. The archives stay at
    the address, and are read there. If it is cut off, call it again.
    """
    from haenyeo.cluster.snapshots.whole import restore
    from haenyeo.store.shards.opening import open_store

    shards = restore(name, address)
    with open_store(name, writing=False) as store:
        pages = store.counts().kept
    if as_json:
        print_json({"collection": str(name), "shards": shards, "kept": pages})
    elif not quiet:
        click.echo(f"{name} has {shards} shards and {pages} pages; go on with: haenyeo crawl {name}")
