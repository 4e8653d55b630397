"""Pages in folders and in lists: files that a browser or a mirror has saved, and JSON lines.

Where a saved page came from is what it says itself: the mark that browsers leave in it, its canonical address, or else
its place below a base address or below a folder that is named for its host, as mirrors make them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

import msgspec

from haenyeo.collect.importing.warc_files import moment_of
from haenyeo.html.mime import ContentKind, kind_of
from haenyeo.html.urls import canonical, resolve
from haenyeo.model.pages import Url
from haenyeo.model.visits import Hop

SUFFIXES = frozenset({".html", ".htm", ".xhtml"})
HEAD_BYTES = 1 << 16
BEGINNING_BYTES = 1024
LONGEST_LINE = 64 << 20

_SAVED_FROM = re.compile(rb"<!--\s*saved from url=\(\d+\)(https?://\S+?)\s*-->", re.IGNORECASE)
_CANONICAL = (
    re.compile(
        rb"<link\b[^>]{0,300}\brel=[\"']?canonical[\"']?[^>]{0,300}\bhref=[\"']?(https?://[^\"'\s>]+)", re.IGNORECASE
    ),
    re.compile(rb"<link\b[^>]{0,300}\bhref=[\"']?(https?://[^\"'\s>]+)[^>]{0,300}\brel=[\"']?canonical", re.IGNORECASE),
    re.compile(
        rb"<meta\b[^>]{0,300}\bproperty=[\"']?og:url[\"']?[^>]{0,300}\bcontent=[\"']?(https?://[^\"'\s>]+)",
        re.IGNORECASE,
    ),
)
_HOST = re.compile(r"(?!.*\.\.)(?:[a-z0-9][a-z0-9.-]*\.[a-z-]{2,}|\d+(?:\.\d+){3})(?:[+:]\d+)?", re.IGNORECASE)
_HTML = (("Content-Type", "text/html"),)
_UTF8_HTML = (("Content-Type", "text/html; charset=utf-8"),)


class ListedHtml(msgspec.Struct, frozen=True):
    """A line of a list of pages."""

    url: str
    html: str
    date: str | float | None = None


def saved_files(folder: Path) -> list[Path]:
    """The saved pages in a folder and all below it, in the order of their names."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and _is_page(path))


def _is_page(path: Path) -> bool:
    """Whether a file is a page, by its name or by how it begins: mirrors keep names as servers have them."""
    if path.suffix.lower() in SUFFIXES:
        return True
    with path.open("rb") as file:
        return kind_of("", file.read(BEGINNING_BYTES)) is ContentKind.HTML


def saved_page(path: Path, folder: Path, base: str) -> Hop | None:
    """A page that was saved as a file, at the time the file has; None if nobody knows its address."""
    data = path.read_bytes()
    url = _said(data[:HEAD_BYTES]) or _placed(path.relative_to(folder), base)
    if url is None:
        return None
    at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return Hop(url=url, status=200, headers=_HTML, body=data, at=at)


def _said(head: bytes) -> Url | None:
    for pattern in (_SAVED_FROM, *_CANONICAL):
        found = pattern.search(head)
        if found:
            return canonical(found[1].decode("utf-8", "replace"))
    return None


def _placed(place: Path, base: str) -> Url | None:
    """The address of a file by its place: below a base address, or below a host's folder."""
    parts = place.parts
    if not base:
        if len(parts) < 2 or not _HOST.fullmatch(parts[0]):  # noqa: PLR2004 - a host and a file
            return None
        base, parts = f"http://{parts[0].replace('+', ':')}/", parts[1:]
    path = "/".join(quote(part, safe="%?=&;~@!$'()*,:+") for part in parts)
    path = re.sub(r"(^|/)index\.html?$", r"\1", path)
    found = resolve(base if base.endswith("/") else f"{base}/", path or "./")
    return canonical(found) if found else None


def listed_pages(file: BinaryIO, now: datetime) -> Iterator[Hop | None]:
    """The page on each line of a list, None for a line that is none; those without a date are of `now`."""
    while line := file.readline(LONGEST_LINE):
        if line.strip():
            yield _listed(line, now)


def _listed(line: bytes, now: datetime) -> Hop | None:
    try:
        listed = msgspec.json.decode(line, type=ListedHtml)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    url = canonical(listed.url)
    if url is None:
        return None
    said = listed.date
    at = datetime.fromtimestamp(said, UTC) if isinstance(said, int | float) else moment_of(said or "")
    return Hop(url=url, status=200, headers=_UTF8_HTML, body=listed.html.encode("utf-8", "replace"), at=at or now)
