"""`haenyeo reshard`: more or fewer shards."""

from __future__ import annotations

from pathlib import Path

import click

from haenyeo.cli.options import as_json, collection, loudness, print_json


@click.command(epilog="Example:  haenyeo reshard corals --shards 4")
@collection
@click.option(
    "--shards", type=click.IntRange(1, 4096), required=True, help="How many; 1 makes it a collection in one piece."
)
@as_json
@loudness
def command(name: Path, shards: int, as_json: bool, quiet: bool) -> None:
    """Put the collection NAME into so many shards, each to be crawled by a process of its own, or into one piece.

    Everything is copied first, so there must be room for it twice. If it is cut off, call it again.
    """
    from haenyeo.cluster.resharding.reshard import reshard

    with click.progressbar(length=1, label="copying", hidden=quiet or as_json) as bar:

        def told(done: int, of: int) -> None:
            bar.length = of
            bar.update(done - bar.pos)

        reshard(name, shards, told)
    if as_json:
        print_json({"collection": str(name), "shards": shards})
    elif not quiet:
        click.echo(f"{name} has {shards} shards" if shards > 1 else f"{name} is in one piece")
