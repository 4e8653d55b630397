"""Writes a collection's pages in formats other programs read: JSON lines, CSV and Markdown files."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from haenyeo.model.errors import UsageError
from haenyeo.store import StoredPage

COLUMNS = ("url", "title", "text", "language", "site", "relevance", "depth", "fetched_at", "status", "content_type")
LONGEST_NAME = 80  # characters of a Markdown file's name taken from the title


def record(page: StoredPage) -> dict[str, object]:
    """The page as the exports show it."""
    return {
        "url": page.url,
        "title": page.title,
        "text": page.text,
        "lang": page.language,
        "site": page.site,
        "relevance": page.relevance,
        "depth": page.depth,
        "fetched_at": page.fetched_at,
        "status": page.status,
        "content_type": page.content_type,
    }


def write_jsonl(pages: Iterable[StoredPage], out: BinaryIO) -> int:
    """One JSON object a line; returns how many."""
    encoder = msgspec.json.Encoder()
    count = 0
    for page in pages:
        out.write(encoder.encode(record(page)) + b"\n")
        count += 1
    return count


def write_csv(pages: Iterable[StoredPage], out: BinaryIO) -> int:
    """Comma-separated values with a heading, UTF-8 with the mark spreadsheets look for; returns how many."""
    text = io.TextIOWrapper(out, encoding="utf-8-sig", newline="", write_through=True)
    writer: csv.DictWriter[str] | None = None
    count = 0
    for page in pages:
        row = {key: cell(value) for key, value in record(page).items()}
        if writer is None:
            writer = csv.DictWriter(text, fieldnames=list(row))
            writer.writeheader()
        writer.writerow(row)
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


def write_markdown(pages: Iterable[StoredPage], folder: Path) -> int:
    """One file a page with its facts as front matter; returns how many."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for page in pages:
        facts = {key: value for key, value in record(page).items() if key != "text" and value not in (None, "", {})}
        matter = "".join(f"{key}: {msgspec.json.encode(value).decode()}\n" for key, value in facts.items())
        body = f"---\n{matter}---\n\n# {page.title or page.url}\n\n" + page.text.replace("\n", "\n\n") + "\n"
        (folder / _file_name(page)).write_text(body, encoding="utf-8")
        count += 1
    return count


def _file_name(page: StoredPage) -> str:
    """A name that says what is inside, cannot leave the folder, and differs for every address."""
    words = re.sub(r"[^\w가-힣]+", "-", page.title or page.url).strip("-")[:LONGEST_NAME] or "page"
    digest = hashlib.blake2b(page.url.encode(), digest_size=4).hexdigest()
    return f"{words}-{digest}.md"


FORMATS: dict[str, Callable[[Iterable[StoredPage], BinaryIO], int]] = {"jsonl": write_jsonl, "csv": write_csv}
"""Formats that are one stream; Markdown is a folder."""


def export_pages(pages: Iterable[StoredPage], kind: str, target: Path) -> int:
    """Write the pages to a file (or folder, for Markdown), complete or not at all; returns how many."""
    if kind == "markdown":
        return write_markdown(pages, target)
    with _replacing(target) as out:
        return FORMATS[kind](pages, out)


@contextmanager
def _replacing(target: Path) -> Iterator[BinaryIO]:
    """A file that takes the target's place only when everything was written."""
    unfinished = target.with_name(target.name + ".part")
    try:
        with unfinished.open("wb") as out:
            yield out
        unfinished.replace(target)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise UsageError(f"cannot write {target}: {error.strerror or error}", advice="choose another --out") from error
