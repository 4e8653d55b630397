"""Writes chunks, or what became of them: a JSON object a line, or a row of a Parquet file each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, BinaryIO

import msgspec

from haenyeo.collect.exporting.chunks import Chunk, ChunkChange
from haenyeo.collect.exporting.formats import ROWS_IN_GROUP, arrow_schema

ENDING = ".parquet"
"""How the name of a file of chunks ends that is to be Parquet."""


def write_lines(found: Iterable[Chunk | ChunkChange], out: BinaryIO) -> int:
    """One chunk or change a line, as JSON; returns how many."""
    count = 0
    for each in found:
        out.write(msgspec.json.encode(each) + b"\n")
        count += 1
    return count


def write_rows(found: Iterable[Chunk | ChunkChange], out: BinaryIO) -> int:
    """A Parquet file with a chunk a row; that of changes has `op` as well, and no text where it is to be removed."""
    schema = _schema()
    import pyarrow as pa
    from pyarrow import parquet

    rows, count = _rows(found), 0
    with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
        while group := list(islice(rows, ROWS_IN_GROUP)):
            writer.write_table(pa.Table.from_pylist(group, schema))
            count += len(group)
    return count


def _rows(found: Iterable[Chunk | ChunkChange]) -> Iterator[dict[str, object]]:
    for each in found:
        chunk = each.chunk if isinstance(each, ChunkChange) else each
        row: dict[str, object] = {
            "op": each.op if isinstance(each, ChunkChange) else "add",
            "id": each.id,
            "url": each.url,
        }
        if chunk is not None:
            row |= msgspec.structs.asdict(chunk) | {"relevance": list(chunk.relevance.items())}
        yield row


def _schema() -> Any:
    """The columns: those of pages that chunks have too are of the same kind."""
    pages = arrow_schema()
    import pyarrow as pa

    kinds = {
        **{name: pa.int64() for name in ("start", "end", "tokens")},
        **{name: pages.field(name).type for name in ("relevance", "fetched_at")},
        "headings": pa.list_(pa.string()),
    }
    names = ["op", *(field.name for field in msgspec.structs.fields(Chunk))]
    return pa.schema([(name, kinds.get(name, pa.string())) for name in names])
