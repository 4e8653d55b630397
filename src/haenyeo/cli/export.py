"""`haenyeo export`: write the collection for other programs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from haenyeo.cli.interrupting import ending_cleanly
from haenyeo.cli.options import as_json, collection, loudness, print_json

if TYPE_CHECKING:
    from haenyeo.collect.exporting.formats import Row

KINDS = ("jsonl", "csv", "markdown", "parquet", "wacz")


@click.command(epilog="Example:  haenyeo export corals --to jsonl --out corals.jsonl")
@collection
@click.option(
    "--to",
    "kind",
    type=click.Choice(KINDS),
    required=True,
    help="markdown is a folder, wacz the archive for replay tools; the others are a file of pages.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Where to; '-' is standard output. Default: beside the collection."
)
@click.option(
    "--dedup",
    type=click.Choice(("mark", "drop")),
    help="Near copies, on any site: name the page that each copies in the column duplicate_of, or leave them out.",
)
@as_json
@loudness
def command(name: Path, kind: str, out: Path | None, dedup: str | None, as_json: bool, quiet: bool) -> None:
    """Write the pages kept in the collection NAME; may run while a crawl goes on.

    A dataset card is written beside: OUT.card.md, with counts, languages, sites, dates, and a licence to be filled in.
    """
    from haenyeo.collect.adapters.reading.stored import StoredReader
    from haenyeo.collect.collection import Collection
    from haenyeo.collect.exporting.dataset_card import DatasetCard
    from haenyeo.collect.exporting.formats import FORMATS, write_file, write_markdown
    from haenyeo.collect.exporting.near_copies import marked, without_copies
    from haenyeo.collect.exporting.wacz import write_wacz

    with ending_cleanly(), Collection.open(name, writing=False) as opened:
        reader = StoredReader(opened.store, opened.settings.strategy.extractor, opened.settings.parts)
        look = reader.read if kind == "markdown" else reader.described
        rows: Iterator[Row] = ((page, look(page)) for page in opened.pages())
        if dedup is not None:
            rows = (marked if dedup == "mark" else without_copies)(rows)
        write = partial(write_wacz, store=opened.store) if kind == "wacz" else FORMATS.get(kind)
        if out is not None and str(out) == "-":
            if write is None:
                raise click.UsageError(f"{kind} is a folder of files; name it with --out")
            write(rows, sys.stdout.buffer)
            return
        target = out or name.with_name(f"{name.name}-{kind}" if kind == "markdown" else f"{name.name}.{kind}")
        card = DatasetCard(name.name, opened.settings.topic.values())
        counted = card.counting(rows)
        count = write_file(counted, write, target) if write else write_markdown(counted, target)
        card_path = target.with_name(f"{target.name}.card.md")
        card.write(card_path)
    if as_json:
        print_json(
            {"collection": str(name), "format": kind, "out": str(target), "card": str(card_path), "pages": count}
        )
    elif not quiet:
        click.echo(f"{count} pages written to {target}, and what they are to {card_path.name}")
