"""`haenyeo import`: pages that others have collected."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from haenyeo.cli.compiled import long_work
from haenyeo.cli.options import as_json, collection, loudness, print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from haenyeo.collect.collection import Collection
    from haenyeo.collect.importing.importer import Imported

FAILED = 1
ADVICE = (
    "pages are WARC records of answers with status 200 that hold HTML, lines of JSON with url and html, "
    "or saved files that end in .html; a folder may need --base URL"
)


@click.command(name="import", epilog="Example:  haenyeo import corals old-crawl.warc.gz pages.jsonl saved-pages/")
@collection
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--base", metavar="URL", default="", help="The address of a folder of pages that do not say their own.")
@click.option(
    "--cc-index",
    "index",
    type=click.Path(path_type=Path, exists=True),
    help="Addresses of a Common Crawl index, as seeds.",
)
@as_json
@loudness
@long_work
def command(name: Path, files: tuple[Path, ...], base: str, index: Path | None, as_json: bool, quiet: bool) -> int:
    """Take in pages from FILEs: WARC, WACZ, JSON lines with url, html and date, or a folder of saved pages.

    They enter the collection NAME as visits of their time: read, judged, archived, their links queued; nothing is asked
    for. What the collection has seen since is left alone. Stop with Ctrl-C and start again to go on.

    The exit code is 1 if no file has a page.
    """
    from haenyeo.cli.in_shards import homes
    from haenyeo.collect.collection import Collection
    from haenyeo.native.c_library import give_large_blocks_back

    if not files and index is None:
        raise click.UsageError("name files to import, or an index with --cc-index")
    give_large_blocks_back()
    seeds, result = 0, None
    for number, (home, _) in enumerate(homes(name, ())):
        with Collection.open(home) as opened:
            if index is not None and not number:
                seeds = Collection(name, opened.settings, opened.store).add_indexed(index)
            if files:
                done = _imported(opened, files, base, loud=not (quiet or as_json))
                result = done if result is None else result.joined(done)
    if as_json:
        print_json({"collection": str(name), "seeds": seeds, **(msgspec.to_builtins(result) if result else {})})
    elif not quiet:
        _show(name, result, seeds if index is not None else None)
    if result is None or not result.brought_nothing:
        return 0
    if not as_json:
        click.echo("no page was found in what was to be imported", err=True)
        click.echo(f"  {ADVICE}", err=True)
    return FAILED


def _imported(opened: Collection, files: Sequence[Path], base: str, *, loud: bool) -> Imported:
    with click.progressbar(length=1, label="importing", hidden=not loud) as bar:

        def tell(done: int, everything: int) -> None:
            bar.length = max(1, everything)
            bar.update(done - bar.pos)

        return opened.import_(files, base=base, told=tell)


def _show(name: Path, result: Imported | None, seeds: int | None) -> None:
    if seeds is not None:
        click.echo(f"{seeds} addresses of the index are new seeds; next: haenyeo crawl {name}")
    if result is None:
        return
    click.echo(
        f"{result.pages} pages taken in, {result.kept} more are kept now; {result.known} were known as new or newer"
    )
    if result.passed:
        click.echo(f"{result.passed} records were read by an earlier import")
    if result.other or result.lost:
        click.echo(f"{result.other} records are no pages, {result.lost} refer to what no file has")
    for place in result.unread:
        click.echo(f"not read to its end: {place}")
