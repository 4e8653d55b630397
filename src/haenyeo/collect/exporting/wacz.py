"""Writes a collection as one WACZ file: the archive with its index and list of pages, for ReplayWeb.page and others.

The form is that of version 1.1.1 of the specification by Webrecorder.
"""

from __future__ import annotations

import gzip
import hashlib
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import msgspec

from haenyeo import __version__
from haenyeo.collect.exporting.formats import Row
from haenyeo.model.errors import StoreError
from haenyeo.store import Store
from haenyeo.store.cdx import index_lines
from haenyeo.store.elsewhere import opened

VERSION = "1.1.1"
_STEP = 1 << 20
_PAGES = {"format": "json-pages-1.0", "id": "pages", "title": "All Pages", "hasText": True}


def write_wacz(rows: Iterable[Row], out: BinaryIO, *, store: Store) -> int:
    """The whole archive, with these pages in its list; returns how many there are."""
    counted: list[int] = []
    archives = store.archives()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as packed:
        package = _Package(packed)
        names = _names([path for path, _ in archives])
        for path, length in archives:
            package.add(f"archive/{names[path]}", _beginning(path, length))
        lines = sorted(line for path, length in archives for line in index_lines(path, length, names[path]))
        package.add("indexes/index.cdx.gz", [gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0)])
        package.add("pages/pages.jsonl", _pages(rows, counted))
        package.close(store.folder.absolute().name)
    return len(counted)


def _names(paths: Sequence[Path]) -> dict[Path, str]:
    """A name of its own for each file: shards that were begun in one second have files of one name."""
    shards = len({path.parent for path in paths}) > 1
    return {path: f"{path.parent.parent.name}-{path.name}" if shards else path.name for path in paths}


class _Package:
    """The files of the package, each with its digest."""

    def __init__(self, packed: zipfile.ZipFile) -> None:
        self._packed = packed
        self._resources: list[dict[str, object]] = []

    def add(self, path: str, parts: Iterable[bytes]) -> str:
        """Write a file; returns its digest."""
        digest, size = hashlib.sha256(), 0
        with self._packed.open(path, "w", force_zip64=True) as file:
            for part in parts:
                file.write(part)
                digest.update(part)
                size += len(part)
        said = f"sha256:{digest.hexdigest()}"
        self._resources.append({"name": path.rpartition("/")[2], "path": path, "hash": said, "bytes": size})
        return said

    def close(self, title: str) -> None:
        """Write the list of files, and the list's own digest."""
        listed = {
            "profile": "data-package",
            "wacz_version": VERSION,
            "title": title,
            "created": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "software": f"haenyeo {__version__}",
            "resources": list(self._resources),
        }
        said = self.add("datapackage.json", [msgspec.json.format(msgspec.json.encode(listed))])
        self.add("datapackage-digest.json", [msgspec.json.encode({"path": "datapackage.json", "hash": said})])


def _beginning(path: Path, length: int) -> Iterator[bytes]:
    """The first bytes of a file; what stands behind them belongs to no committed page."""
    with opened(path) as file:
        while length:
            part = file.read(min(_STEP, length))
            if not part:
                raise StoreError(f"archive/{path.name} is shorter than it was", advice="put the file back as it was")
            length -= len(part)
            yield part


def _pages(rows: Iterable[Row], counted: list[int]) -> Iterator[bytes]:
    yield msgspec.json.encode(_PAGES) + b"\n"
    for page, _ in rows:
        counted.append(page.id)
        said = {"id": str(page.id), "url": page.url, "title": page.title, "text": page.text}
        moment = {"ts": page.fetched_at.strftime("%Y-%m-%dT%H:%M:%SZ")} if page.fetched_at else {}
        yield msgspec.json.encode({**said, **moment}) + b"\n"
