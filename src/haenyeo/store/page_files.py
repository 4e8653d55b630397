"""Pages that are given in files: JSON lines, plain or packed with gzip or zstandard, or one HTML document a file."""

from __future__ import annotations

import contextlib
import gzip
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

import msgspec

from haenyeo.html.charset import decode
from haenyeo.html.parse import parse_html
from haenyeo.html.urls import site_of
from haenyeo.model.compression import zstd
from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Url

_READ_AHEAD = 1 << 20  # bytes of a file: a line is a page, and costs a step for each time that it is not at hand


class GivenPage(NamedTuple):
    """A page, the site it is read with, and the address it is known by, as it was given."""

    site: str
    url: str
    html: str


class _PageLine(msgspec.Struct):
    url: str
    html: str
    site: str | None = None


def pages_of_lines(path: Path) -> Iterator[GivenPage]:
    """The pages of a file of JSON lines; raises `UsageError` that names the line which is none."""
    decoder = msgspec.json.Decoder(_PageLine)
    with opened_for_reading(path) as file:
        for number, line in enumerate(file, 1):
            if not line.isspace():
                try:
                    page = decoder.decode(line)
                except (msgspec.DecodeError, UnicodeDecodeError) as error:
                    advice = 'a line is {"url": ..., "html": ...}, with or without "site"'
                    raise UsageError(f"{path}, line {number} is not a page: {error}", advice=advice) from error
                yield GivenPage(page.site or site_of(Url(page.url)) or page.url, page.url, page.html)


def pages_of_files(paths: Sequence[Path]) -> Iterator[GivenPage]:
    """The pages in files; they are known by their paths, and belong to the site they name, or to their folder."""
    for path in paths:
        html = decode(path.read_bytes(), None)
        canonical = parse_html(html, Url("http://localhost/")).canonical
        yield GivenPage(site_of(canonical) if canonical else str(path.parent), str(path), html)


@contextlib.contextmanager
def opened_for_reading(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a plain, gzip or zstandard file, by its suffix."""
    if str(path) == "-":
        yield sys.stdin.buffer
    elif path.suffix == ".gz":
        with gzip.open(path, "rb") as unpacked:
            yield cast("BinaryIO", unpacked)
    elif path.suffix == ".zst":
        with zstd.open(path, "rb") as packed:
            yield cast("BinaryIO", io.BufferedReader(cast("io.RawIOBase", packed)))
    else:
        with path.open("rb", buffering=_READ_AHEAD) as file:
            yield file


@contextlib.contextmanager
def opened_for_writing(path: Path, suffix: str) -> Iterator[BinaryIO]:
    """A file to write to, packed as the suffix says."""
    with path.open("wb") as file:
        if suffix == ".gz":
            with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=6, mtime=0) as packed:
                yield cast("BinaryIO", packed)
        elif suffix == ".zst":
            with zstd.open(file, "wb") as packed:
                yield cast("BinaryIO", packed)
        else:
            yield file
