"""Addresses out of an index of Common Crawl: lines of CDXJ, or of JSON as its index server gives them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from haenyeo.collect.importing.warc_files import unpacked
from haenyeo.html.urls import canonical
from haenyeo.model.pages import Url

LONGEST_LINE = 1 << 16


class IndexLine(msgspec.Struct, frozen=True):
    """What a line says of a capture."""

    url: str
    status: str | int = "200"
    mime: str = "text/html"


def indexed_addresses(path: Path) -> Iterator[Url]:
    """The addresses of pages that an index names, each once for every time it does."""
    with path.open("rb") as file, unpacked(file) as lines:
        while line := lines.readline(LONGEST_LINE):
            begin = line.find(b"{")
            found = _read(line[begin:]) if begin >= 0 else None
            if found is not None and str(found.status) == "200" and "html" in found.mime:
                url = canonical(found.url)
                if url is not None:
                    yield url


def _read(text: bytes) -> IndexLine | None:
    try:
        return msgspec.json.decode(text, type=IndexLine)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
