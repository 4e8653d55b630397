"""`haenyeo export`: write the collection for other programs."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from haenyeo.cli.options import as_json, collection, loudness, print_json

KINDS = ("jsonl", "csv", "markdown")


@click.command(epilog="Example:  haenyeo export corals --to jsonl --out corals.jsonl")
@collection
@click.option(
    "--to", "kind", type=click.Choice(KINDS), required=True, help="jsonl and csv are a file, markdown is a folder."
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Where to; '-' is standard output. Default: beside the collection."
)
@as_json
@loudness
def command(name: Path, kind: str, out: Path | None, as_json: bool, quiet: bool) -> None:
    """Write the pages kept in the collection NAME; may run while a crawl goes on."""
    from haenyeo.collect.collection import Collection
    from haenyeo.collect.export import FORMATS, export_pages

    with Collection.open(name, writing=False) as opened:
        if out is not None and str(out) == "-":
            if kind not in FORMATS:
                raise click.UsageError(f"{kind} is a folder of files; name it with --out")
            FORMATS[kind](opened.pages(), sys.stdout.buffer)
            return
        target = out or name.with_name(f"{name.name}-{kind}" if kind == "markdown" else f"{name.name}.{kind}")
        count = export_pages(opened.pages(), kind, target)
    if as_json:
        print_json({"collection": str(name), "format": kind, "out": str(target), "pages": count})
    elif not quiet:
        click.echo(f"{count} pages written to {target}")
