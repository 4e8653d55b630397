"""`haenyeo export`: write the collection for other programs."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from haenyeo.cli.interrupting import ending_cleanly
from haenyeo.cli.options import as_json, collection, loudness, moment, print_json

if TYPE_CHECKING:
    from haenyeo.collect.exporting.chunk_sizes import ChunkSize
    from haenyeo.collect.exporting.whole import Exported, ExportWish

KINDS = ("jsonl", "csv", "markdown", "parquet", "wacz", "chunks")
CHARACTERS = 2000


@click.command(epilog="Example:  haenyeo export corals --to jsonl --out corals.jsonl")
@collection
@click.option(
    "--to",
    "kind",
    type=click.Choice(KINDS),
    required=True,
    help="markdown is a folder, wacz the archive for replay tools; the others are a file of pages, or of their chunks"
    " (JSON lines, or Parquet if --out ends with .parquet).",
)
@click.option(
    "--out",
    metavar="PATH|ADDRESS",
    help="Where to; '-' is standard output, s3://... another storage. Default: beside the collection.",
)
@click.option(
    "--dedup",
    type=click.Choice(("mark", "drop")),
    help="Near copies, on any site: name the page that each copies in the column duplicate_of, or leave them out.",
)
@click.option(
    "--chunk-size",
    type=click.IntRange(200, 100_000),
    help=f"Characters of a chunk at most.  [default: {CHARACTERS}]",
)
@click.option(
    "--chunk-tokens",
    type=click.IntRange(50, 100_000),
    help="In place of --chunk-size: tokens at most, about as language models count them.",
)
@click.option("--ray", metavar="ADDRESS", help="Write Parquet of all shards on this Ray cluster: auto, local, address.")
@click.option("--since", type=moment, help="With chunks: only what is to be added and removed since then.")
@as_json
@loudness
def command(
    name: Path,
    kind: str,
    out: str | None,
    dedup: str | None,
    chunk_size: int | None,
    chunk_tokens: int | None,
    ray: str | None,
    since: datetime | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Write the pages kept in the collection NAME; may run while a crawl goes on.

    A dataset card is written beside: OUT.card.md, with counts, languages, sites, dates, and a licence to be filled in.
    """
    from haenyeo.collect.collection import Collection
    from haenyeo.collect.exporting.moving import is_elsewhere, write_elsewhere
    from haenyeo.collect.exporting.whole import STANDARD_OUTPUT, ExportWish, write_collection
    from haenyeo.store.shards.catalogue import is_sharded

    size = _chunk_size(chunk_size, chunk_tokens)
    wish = ExportWish(kind=kind, dedup=dedup or "", chunk_size=size, since=since)
    stays_here = out is None or not (is_elsewhere(out) or out == str(STANDARD_OUTPUT))
    if is_sharded(name) and kind == "parquet" and stays_here and not dedup:
        done = _export_shards(name, wish, None if out is None else Path(out), ray)
        _tell(name, wish, done, as_json=as_json, quiet=quiet)
        return
    if ray is not None:
        raise click.UsageError(
            "--ray is for a Parquet file on this machine, of a collection in shards, without --dedup"
        )
    with ending_cleanly(), Collection.open(name, writing=False) as opened:
        if out is not None and is_elsewhere(out):
            done = write_elsewhere(opened.store, opened.settings, wish, out)
        else:
            done = write_collection(opened.store, opened.settings, wish, None if out is None else Path(out))
    if done.out != str(STANDARD_OUTPUT):
        _tell(name, wish, done, as_json=as_json, quiet=quiet)


def _chunk_size(characters: int | None, tokens: int | None) -> ChunkSize:
    from haenyeo.collect.exporting.chunk_sizes import ChunkSize

    if tokens is None:
        return ChunkSize(characters or CHARACTERS)
    if characters is not None:
        raise click.UsageError("--chunk-size and --chunk-tokens cannot both be given")
    return ChunkSize(tokens, "tokens")


def _export_shards(name: Path, wish: ExportWish, out: Path | None, ray: str | None) -> Exported:
    from haenyeo.cli.in_shards import needing_ray
    from haenyeo.cluster.batch import export_shards

    with ending_cleanly(), needing_ray(ray):
        return export_shards(name, wish, out, ray)


def _tell(name: Path, wish: ExportWish, done: Exported, *, as_json: bool, quiet: bool) -> None:
    what = "changes of chunks" if wish.since else "chunks" if wish.kind == "chunks" else "pages"
    if as_json:
        told = {"collection": str(name), "format": wish.kind, "out": done.out, "card": done.card}
        print_json({**told, "pages" if what == "pages" else "chunks": done.count})
    elif not quiet:
        card = f", and what they are to {Path(done.card).name}" if done.card else ""
        click.echo(f"{done.count} {what} written to {done.out}{card}")
