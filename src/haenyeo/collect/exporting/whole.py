"""Writes a whole collection to one place, in any of the formats, with the card that says what it is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

import msgspec

from haenyeo.collect.adapters.reading.stored import StoredReader
from haenyeo.collect.exporting.chunk_files import ENDING, write_lines, write_rows
from haenyeo.collect.exporting.chunk_sizes import ANY_SIZE, ChunkSize
from haenyeo.collect.exporting.chunks import changed_chunks, chunks_of_all
from haenyeo.collect.exporting.dataset_card import DatasetCard
from haenyeo.collect.exporting.formats import FORMATS, Row, Write, write_file, write_markdown
from haenyeo.collect.exporting.near_copies import marked, without_copies
from haenyeo.collect.exporting.wacz import write_wacz
from haenyeo.model.config import Settings
from haenyeo.model.errors import UsageError
from haenyeo.store import Store

KINDS = ("jsonl", "csv", "markdown", "parquet", "wacz", "chunks")
STANDARD_OUTPUT = Path("-")
_ENDINGS = {"markdown": "-markdown", "chunks": ".chunks.jsonl"}


class ExportWish(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be written: the format, near copies marked or dropped, and, of chunks, their size and since when."""

    kind: str
    dedup: str = ""
    chunk_size: ChunkSize = ANY_SIZE
    since: datetime | None = None


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """What was written: so many pages, chunks or changes, where, and where the card is, if there is one."""

    count: int
    out: str
    card: str = ""


def write_collection(store: Store, settings: Settings, wish: ExportWish, out: Path | None) -> Exported:
    """Write the pages that are kept to a place, or beside the collection; raises `UsageError` for what cannot be."""
    if wish.kind not in KINDS:
        raise UsageError(f"there is no format {wish.kind!r}", advice=f"choose one of {', '.join(KINDS)}")
    write = _writer(store, settings, wish, as_table=out is not None and out.suffix == ENDING)
    if out == STANDARD_OUTPUT:
        if write is None:
            raise UsageError(f"{wish.kind} is a folder of files", advice="name it with --out")
        return Exported(count=write(exported_rows(store, settings, wish), sys.stdout.buffer), out="-")
    target = out or default_target(store.folder, wish.kind)
    if wish.since is not None:
        assert write is not None
        return Exported(count=write_file((), write, target), out=str(target))
    card = DatasetCard(store.folder.name, settings.topic.values())
    counted = card.counting(exported_rows(store, settings, wish))
    count = write_file(counted, write, target) if write else write_markdown(counted, target)
    return Exported(count=count, out=str(target), card=put_card(card, target))


def default_target(folder: Path, kind: str) -> Path:
    """Where a collection is exported to if nobody says."""
    return folder.with_name(f"{folder.absolute().name}{_ENDINGS.get(kind, f'.{kind}')}")


def put_card(card: DatasetCard, target: Path) -> str:
    """Write the card beside what was exported; returns where."""
    path = target.with_name(f"{target.name}.card.md")
    card.write(path)
    return str(path)


def _writer(store: Store, settings: Settings, wish: ExportWish, *, as_table: bool) -> Write | None:
    """Who writes the stream, of chunks as Parquet or lines; None for a folder."""
    write = write_rows if as_table else write_lines
    if wish.since is not None:
        if wish.kind != "chunks":
            raise UsageError("only chunks are written since a time", advice="leave --since out, or write --to chunks")
        reader = StoredReader(store, settings.strategy.extractor, settings.parts)
        changes = changed_chunks(store, reader, wish.since, wish.chunk_size)
        return lambda _, file: write(changes, file)
    if wish.kind == "chunks":
        return lambda rows, file: write(chunks_of_all(rows, wish.chunk_size), file)
    return partial(write_wacz, store=store) if wish.kind == "wacz" else FORMATS.get(wish.kind)


def exported_rows(store: Store, settings: Settings, wish: ExportWish) -> Iterator[Row]:
    """The pages that are kept, each with what it says."""
    if wish.since is not None:
        return iter(())
    reader = StoredReader(store, settings.strategy.extractor, settings.parts)
    look = reader.read if wish.kind in ("markdown", "chunks") else reader.described
    rows: Iterator[Row] = ((page, look(page)) for page in store.pages(kept_only=True))
    if wish.dedup:
        rows = (marked if wish.dedup == "mark" else without_copies)(rows)
    return rows
