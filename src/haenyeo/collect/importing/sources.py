"""Files to be imported, whatever they are, as one row of records; each file is gone on with where it was left."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import msgspec

from haenyeo.collect.importing.saved_pages import listed_pages, saved_files, saved_page
from haenyeo.collect.importing.warc_files import ForeignRecord, unpacked, warc_records
from haenyeo.model.errors import UsageError

WARC, WACZ, JSONL, FOLDER = "warc", "wacz", "jsonl", "folder"
STEP = 1 << 16

_ENDINGS = (
    *((ending, WARC) for ending in (".warc", ".warc.gz")),
    *((ending, JSONL) for ending in (".jsonl", ".jsonl.gz", ".ndjson")),
    (".wacz", WACZ),
)


class SourceFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file to be imported; `key` tells it from others and from what it was, `size` is that on the disk."""

    path: Path
    kind: str
    key: str
    size: int


class FoundRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The record at a place of a file, counted from 1; None is one that tells of no page. `done` bytes were read."""

    place: int
    record: ForeignRecord | None
    done: int


def source_of(path: Path) -> SourceFile:
    """What a file is, by its name; raises `UsageError` for one that is none of those that can be imported."""
    if path.is_dir():
        files = saved_files(path)
        size = sum(file.stat().st_size for file in files)
        return SourceFile(path=path, kind=FOLDER, key=f"{path.name} {len(files)} {size}", size=size)
    if not path.is_file():
        raise UsageError(f"{path} is not there", advice="check the spelling or the path")
    kind = next((kind for ending, kind in _ENDINGS if path.name.lower().endswith(ending)), "")
    if not kind:
        raise UsageError(
            f"{path} is nothing that can be imported", advice="give .warc, .warc.gz, .wacz, .jsonl or a folder of pages"
        )
    size = path.stat().st_size
    with path.open("rb") as file:
        digest = hashlib.sha256(file.read(STEP)).hexdigest()[:16]
    return SourceFile(path=path, kind=kind, key=f"{path.name} {size} {digest}", size=size)


def records_of(source: SourceFile, base: str, skipped: int) -> Iterator[FoundRecord]:
    """The records of a file from the one behind `skipped` on; raises `ValueError`, `zlib.error` or `OSError`."""
    for place, (record, done) in enumerate(_READERS[source.kind](source, base), 1):
        if place > skipped:
            yield FoundRecord(place=place, record=record, done=done)


_Read = Iterator[tuple[ForeignRecord | None, int]]


def _from_warc(source: SourceFile, base: str) -> _Read:
    del base
    with source.path.open("rb") as file, _content(file) as content:
        for record in warc_records(content):
            yield record, file.tell()


def _from_wacz(source: SourceFile, base: str) -> _Read:
    """The records of all WARC files in the package."""
    del base
    try:
        packed = zipfile.ZipFile(source.path)
    except zipfile.BadZipFile as error:
        raise ValueError(f"it is no WACZ: {error}") from error
    with packed:
        done = 0
        for entry in sorted(packed.infolist(), key=lambda entry: entry.filename):
            if entry.filename.startswith("archive/") and entry.filename.endswith((".warc", ".warc.gz")):
                with packed.open(entry) as file, _content(file) as content:
                    for record in warc_records(content):
                        yield record, done + file.tell()
                done += entry.compress_size


def _from_jsonl(source: SourceFile, base: str) -> _Read:
    del base
    now = datetime.now(UTC)
    with source.path.open("rb") as file, _content(file) as content:
        for hop in listed_pages(content, now):
            yield (None if hop is None else ForeignRecord(kind="resource", hop=hop)), file.tell()


def _from_folder(source: SourceFile, base: str) -> _Read:
    done = 0
    for path in saved_files(source.path):
        hop = saved_page(path, source.path, base)
        done += path.stat().st_size
        yield (None if hop is None else ForeignRecord(kind="resource", hop=hop)), done


_READERS: dict[str, Callable[[SourceFile, str], _Read]] = {
    WARC: _from_warc,
    WACZ: _from_wacz,
    JSONL: _from_jsonl,
    FOLDER: _from_folder,
}


@contextmanager
def _content(file: object) -> Iterator[BinaryIO]:
    """What is in a file that may be packed; a packing that is broken is a `ValueError`."""
    content = unpacked(file)  # type: ignore[arg-type]
    try:
        yield content
    except (EOFError, zlib.error) as error:
        raise ValueError(f"it is broken: {error}") from error
    finally:
        if content is not file:
            content.close()
