"""`haenyeo extract`: the main text of saved pages, pages of one site read together."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import click

from haenyeo.cli.compiled import long_work
from haenyeo.cli.options import as_json, loudness


@click.command(
    epilog="Examples:  haenyeo extract saved/*.html   ·   haenyeo extract --jsonl pages.jsonl.gz --out texts.jsonl.zst"
)
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--jsonl",
    "source",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
    help='Read lines {"url", "html", "site"?}; .gz and .zst by suffix, - is standard input.',
)
@click.option("--out", type=click.Path(path_type=Path), help="Write there instead of to standard output.")
@click.option(
    "--method",
    metavar="M",
    default="container",
    show_default=True,
    help="How to read: container, frequency, density, or an extractor that is installed.",
)
@click.option("--markdown", is_flag=True, help="Print Markdown: headings, lists, tables, code and links as they stand.")
@as_json
@loudness
@long_work
def command(
    files: tuple[Path, ...],
    source: Path | None,
    out: Path | None,
    method: str,
    markdown: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the main text of saved pages; the more pages of a site are given, the better each is read.

    FILES are HTML pages; those whose canonical address is on one site, or that lie in one folder, are read together.
    With --jsonl, or with --json, the result is a JSON object a line: url, title, text, lang and what else is known,
    with --markdown also the Markdown.
    """
    from haenyeo.cli.reading_together import read_together
    from haenyeo.store.page_files import pages_of_files, pages_of_lines

    if bool(files) == (source is not None):
        raise click.UsageError("name either files or a list of pages with --jsonl")
    pages = pages_of_lines(source) if source is not None else pages_of_files(files)
    documents = read_together(pages, method, (lambda _: None) if quiet else _warn, markdown=markdown)
    with _opened(out) as output:
        if source is not None or as_json:
            _write_lines(documents, output)
        else:
            _write_texts(documents, output, len(files))


def _warn(words: str) -> None:
    click.echo(f"haenyeo: {words}", err=True)


def _write_lines(documents: Iterable[Any], output: BinaryIO) -> None:
    import msgspec

    from haenyeo.cli.reading_together import row_of

    encode = msgspec.json.Encoder().encode
    output.writelines(encode(row_of(document)) + b"\n" for document in documents)


def _write_texts(documents: Iterable[Any], output: BinaryIO, count: int) -> None:
    for document in documents:
        head = f"== {document.url}\n" if count > 1 else ""
        output.write(f"{head}{document.markdown or document.text}\n".encode("utf-8", "replace"))


@contextlib.contextmanager
def _opened(out: Path | None) -> Iterator[BinaryIO]:
    """Where the result goes; a file is complete or not there at all."""
    from haenyeo.store.page_files import opened_for_writing

    if out is None or str(out) == "-":
        yield sys.stdout.buffer
        return
    unfinished = out.with_name(f".{out.name}.unfinished")
    try:
        with opened_for_writing(unfinished, out.suffix) as file:
            yield file
        unfinished.replace(out)
    finally:
        unfinished.unlink(missing_ok=True)
