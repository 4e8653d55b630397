"""`haenyeo read`: read all pages of a collection again, with all that their sites have taught."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from haenyeo.cli.compiled import long_work
from haenyeo.cli.options import FOR_SHARDS, as_json, collection, loudness, print_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from haenyeo.collect.adapters.reading.stored import Reread


@click.command(epilog="Example:  haenyeo read corals")
@collection
@click.option("--method", metavar="M", help="How to read; default: the extractor in haenyeo.toml.")
@click.option("--ray", metavar="ADDRESS", help="Read all shards on this Ray cluster: auto, local, or its address.")
@as_json
@loudness
@long_work
def command(name: Path, method: str | None, ray: str | None, as_json: bool, quiet: bool) -> None:
    """Derive the texts of the collection NAME again, from its archive; nothing is fetched.

    A crawl reads each page with what its site has taught by then. Reading again gives the first pages of every site
    what the later ones taught, and applies another --method to all. Stop with Ctrl-C; what was read again is kept.
    """
    from haenyeo.collect.adapters.reading.stored import read_again
    from haenyeo.collect.collection import Collection
    from haenyeo.store.search.index import FILE_NAME
    from haenyeo.store.shards.catalogue import is_sharded

    if ray is not None and not is_sharded(name):
        raise click.UsageError(FOR_SHARDS)
    with click.progressbar(length=1, label="reading", hidden=quiet or as_json) as bar:

        def tell(done: int, everything: int) -> None:
            bar.length = everything
            bar.update(done - bar.pos)

        if is_sharded(name):
            result = _read_shards(name, method, ray, tell)
        else:
            with Collection.open(name) as opened:
                extractor = method or opened.settings.strategy.extractor
                result = read_again(opened.store, extractor, tell, opened.settings.parts)
            if result.changed:
                (name / FILE_NAME).unlink(missing_ok=True)  # the index grows again from the new texts
    if as_json:
        print_json({"collection": str(name), **msgspec.to_builtins(result)})
    elif not quiet:
        click.echo(f"{result.pages} pages of {result.sites} sites read, {result.changed} texts changed")
        if result.lost:
            click.echo(f"{result.lost} pages are not in the archive and stay as they were")


def _read_shards(name: Path, method: str | None, ray: str | None, tell: Callable[[int, int], None]) -> Reread:
    from haenyeo.cli.in_shards import needing_ray
    from haenyeo.cluster.batch import read_shards

    with needing_ray(ray):
        return read_shards(name, method, ray, tell)
