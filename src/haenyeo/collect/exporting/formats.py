"""Writes a collection's pages in formats other programs read: JSON lines, CSV, Markdown files and Parquet."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Document
from haenyeo.store import StoredPage

LONGEST_NAME = 80  # characters of a Markdown file's name taken from the title
ROWS_IN_GROUP = 1_000  # of a Parquet file

COLUMNS = (
    *("url", "title", "text", "lang", "site", "author", "published", "modified", "description", "site_name"),
    *("relevance", "depth", "fetched_at", "status", "content_type", "note", "duplicate_of"),
    *("kind", "published_by", "modified_by", "licence"),
)
"""What the exports say of a page, in order."""

_OF_KINDS = ("posts", "product")

Row = tuple[StoredPage, Document]
"""A page of the store, and what it says of itself."""


def as_stored(page: StoredPage) -> Row:
    """The page with nothing more than the store has."""
    return page, Document(url=page.url, title=page.title, text=page.text, language=page.language, kind=page.kind)


def record(row: Row) -> dict[str, object]:
    """The page as the exports show it."""
    page, document = row
    return {
        "url": page.url,
        "title": page.title,
        "text": page.text,
        "lang": page.language,
        "site": page.site,
        "author": document.author,
        "published": document.published,
        "modified": document.modified,
        "description": document.description,
        "site_name": document.site_name,
        "relevance": page.relevance,
        "depth": page.depth,
        "fetched_at": page.fetched_at,
        "status": page.status,
        "content_type": page.content_type,
        "note": page.reason,
        "duplicate_of": document.duplicate_of,
        "kind": document.kind,
        "published_by": document.published_by,
        "modified_by": document.modified_by,
        "licence": document.licence,
    }


def write_jsonl(rows: Iterable[Row], out: BinaryIO) -> int:
    """One JSON object a line, that of a thread with its posts and of a product with its facts; returns how many."""
    encoder = msgspec.json.Encoder()
    count = 0
    for row in rows:
        more = {name: value for name in _OF_KINDS if (value := getattr(row[1], name))}
        out.write(encoder.encode(record(row) | more) + b"\n")
        count += 1
    return count


def write_csv(rows: Iterable[Row], out: BinaryIO) -> int:
    """Comma-separated values with a heading, UTF-8 with the mark spreadsheets look for; returns how many."""
    text = io.TextIOWrapper(out, encoding="utf-8-sig", newline="", write_through=True)
    writer = csv.DictWriter(text, fieldnames=COLUMNS)
    writer.writeheader()
    count = 0
    for row in rows:
        writer.writerow({key: cell(value) for key, value in record(row).items()})
        count += 1
    text.detach()
    return count


def cell(value: object) -> object:
    """A spreadsheet must not run a page's text as a formula."""
    if isinstance(value, dict):
        return "; ".join(f"{key}={part:.3f}" for key, part in value.items())
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t"):
        return "'" + value
    return value


def write_markdown(rows: Iterable[Row], folder: Path) -> int:
    """One file a page with its facts as front matter; returns how many."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for row in rows:
        page, document = row
        facts = {key: value for key, value in record(row).items() if key != "text" and value not in (None, "", {})}
        matter = "".join(f"{key}: {msgspec.json.encode(value).decode()}\n" for key, value in facts.items())
        text = document.markdown or page.text.replace("\n", "\n\n")
        heading = "" if text.startswith("# ") else f"# {page.title or page.url}\n\n"
        (folder / _file_name(page)).write_text(f"---\n{matter}---\n\n{heading}{text}\n", encoding="utf-8")
        count += 1
    return count


def write_parquet(rows: Iterable[Row], out: BinaryIO) -> int:
    """A Parquet file, compressed, with typed columns; returns how many rows."""
    schema = arrow_schema()
    from pyarrow import parquet

    rows, count = iter(rows), 0
    with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
        while group := list(islice(rows, ROWS_IN_GROUP)):
            writer.write_table(arrow_table(group, schema))
            count += len(group)
    return count


def joined_parquet(parts: Iterable[Path], out: BinaryIO) -> int:
    """The rows of some Parquet files in one, a group of rows in memory at a time; returns how many rows."""
    schema = arrow_schema()
    from pyarrow import parquet

    count = 0
    with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
        for path in parts:
            with parquet.ParquetFile(path) as part:
                for group in range(part.num_row_groups):
                    writer.write_table(part.read_row_group(group))
                count += part.metadata.num_rows
    return count


def arrow_schema() -> Any:
    """The typed columns of pages; raises `UsageError` where pyarrow is not installed."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise UsageError(
            "Parquet files and Arrow tables need pyarrow, which is not installed",
            advice='install it: pip install "haenyeo[parquet]"',
        ) from error
    kinds: dict[str, Any] = {
        "relevance": pa.map_(pa.string(), pa.float64()),
        "depth": pa.int32(),
        "status": pa.int32(),
        "fetched_at": pa.timestamp("us", tz="UTC"),
    }
    return pa.schema([(name, kinds.get(name, pa.string())) for name in COLUMNS])


def arrow_table(rows: Iterable[Row], schema: Any) -> Any:
    """Some pages as an Arrow table."""
    import pyarrow as pa

    return pa.Table.from_pylist([_pairs(record(row)) for row in rows], schema)


def _pairs(row: dict[str, object]) -> dict[str, object]:
    """The row with its mapping as pairs, as Arrow wants it."""
    relevance = row["relevance"]
    assert isinstance(relevance, dict)
    return {**row, "relevance": list(relevance.items())}


def _file_name(page: StoredPage) -> str:
    """A name that says what is inside, cannot leave the folder, and differs for every address."""
    words = re.sub(r"[^\w가-힣]+", "-", page.title or page.url).strip("-")[:LONGEST_NAME] or "page"
    digest = hashlib.blake2b(page.url.encode(), digest_size=4).hexdigest()
    return f"{words}-{digest}.md"


Write = Callable[[Iterable[Row], BinaryIO], int]

FORMATS: dict[str, Write] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": write_parquet,
}
"""Formats that are one stream; Markdown is a folder."""


def write_file(rows: Iterable[Row], write: Write, target: Path) -> int:
    """Write the pages to a file, complete or not at all; returns how many."""
    with _replacing(target) as out:
        return write(rows, out)


@contextmanager
def _replacing(target: Path) -> Iterator[BinaryIO]:
    """A file that takes the target's place only when everything was written; whatever happens, no half of it stays."""
    unfinished = target.with_name(target.name + ".part")
    try:
        with unfinished.open("wb") as out:
            yield out
        unfinished.replace(target)
    except OSError as error:
        raise UsageError(f"cannot write {target}: {error.strerror or error}", advice="choose another --out") from error
    finally:
        unfinished.unlink(missing_ok=True)
