"""Pages cut into chunks for search by meaning: at headings, within a size, each with its place and a lasting name.

A chunk's name is made of what it says and where: one that did not change has the name it had before, and one that did
has another. What changed since a time is told by names: those to be added, with their text, and those to be removed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from datetime import datetime

import msgspec

from haenyeo.collect.adapters.archive import html_of
from haenyeo.collect.adapters.reading.stored import StoredReader
from haenyeo.collect.exporting.chunk_sizes import ANY_SIZE, ChunkSize, Ruler, estimated_tokens, ruler_for
from haenyeo.collect.exporting.formats import Row
from haenyeo.model.pages import Document
from haenyeo.model.visits import Outcome
from haenyeo.store import Store, StoredPage

SMALLEST = 0.25
"""Of the size: a part that is smaller goes to the one before it, if that has room."""

_HEADING = re.compile(r"(#{1,6}) +(.+)")
_SENTENCE = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+")
_WITH_CONTENT = frozenset({Outcome.PAGE, Outcome.DUPLICATE, Outcome.UNCHANGED})


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a page's Markdown: `start` and `end` are its place there, `headings` those it stands under.

    `tokens` is about how many it has, see `chunk_sizes`.
    """

    id: str
    url: str
    text: str
    headings: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    title: str = ""
    language: str = ""
    site: str = ""
    fetched_at: datetime | None = None
    relevance: dict[str, float] = {}
    author: str = ""
    published: str = ""
    tokens: int = 0


class ChunkChange(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a chunk since a time: to be added, with all it says, or removed."""

    op: str
    id: str
    url: str
    chunk: Chunk | None = None


def chunks_of(page: StoredPage, document: Document, size: ChunkSize = ANY_SIZE) -> list[Chunk]:
    """The chunks of a page, none longer than the size."""
    markdown = document.markdown or page.text
    found: dict[str, Chunk] = {}
    for start, end, headings in _parts(markdown, ruler_for(markdown, size)):
        text = markdown[start:end].strip()
        name = _name(page.url, headings, text, found)
        found[name] = Chunk(
            id=name,
            url=page.url,
            text=text,
            headings=headings,
            start=start,
            end=end,
            title=page.title,
            language=page.language,
            site=page.site,
            fetched_at=page.fetched_at,
            relevance=page.relevance,
            author=document.author,
            published=document.published,
            tokens=estimated_tokens(text),
        )
    return list(found.values())


def chunks_of_all(rows: Iterable[Row], size: ChunkSize) -> Iterator[Chunk]:
    """The chunks of all pages."""
    for page, document in rows:
        yield from chunks_of(page, document, size)


def changed_chunks(
    store: Store, reader: StoredReader, since: datetime, size: ChunkSize = ANY_SIZE
) -> Iterator[ChunkChange]:
    """What is to be removed and added to bring what was written at a time up to date."""
    for page in store.pages(kept_only=False, since=since):
        now = {chunk.id: chunk for chunk in chunks_of(page, reader.read(page), size)} if page.kept else {}
        before = {chunk.id: chunk for chunk in _chunks_at(store, reader, page, since, size)}
        for name in before.keys() - now.keys():
            yield ChunkChange(op="remove", id=name, url=page.url)
        for name, chunk in now.items():
            if name not in before:
                yield ChunkChange(op="add", id=name, url=page.url, chunk=chunk)


def _chunks_at(store: Store, reader: StoredReader, page: StoredPage, at: datetime, size: ChunkSize) -> list[Chunk]:
    """The chunks that the page had at a time; none if it was not there yet."""
    visits = [visit for visit in store.visits(page.url) if visit.outcome in _WITH_CONTENT and visit.archive]
    earlier = [visit for visit in visits if visit.at < at]
    html = html_of(store, earlier[-1]) if earlier else None
    return chunks_of(page, reader.read_html(page, html), size) if html else []


def _name(url: str, headings: tuple[str, ...], text: str, taken: dict[str, Chunk]) -> str:
    """A name that no other chunk of the page has."""
    for count in range(len(taken) + 1):
        said = "\0".join((url, *headings, text, str(count) if count else ""))
        name = hashlib.blake2b(said.encode("utf-8", "replace"), digest_size=12).hexdigest()
        if name not in taken:
            break
    return name


def _parts(markdown: str, ruler: Ruler) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Start, end and headings of each part, in order, that has any text."""
    open_at, open_end, open_path = -1, -1, tuple[str, ...]()
    for start, end, path in _blocks(markdown, ruler):
        joins = open_at >= 0 and ruler.fits(open_at, end)
        small = open_at >= 0 and ruler.fits(open_at, open_end, SMALLEST)
        if joins and (path == open_path or (small and path[: len(open_path)] == open_path)):
            open_end, open_path = end, path
            continue
        if open_at >= 0:
            yield open_at, open_end, open_path
        open_at, open_end, open_path = start, end, path
    if open_at >= 0:
        yield open_at, open_end, open_path


def _blocks(markdown: str, ruler: Ruler) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Each paragraph, or a piece of one that is too long, with the headings above it."""
    path: list[tuple[int, str]] = []
    at = 0
    for block in re.split(r"(\n\n+)", markdown):
        heading = _HEADING.match(block)
        if heading:
            path = [each for each in path if each[0] < len(heading[1])] + [(len(heading[1]), heading[2].strip())]
        end = at + len(block)
        if block.strip():
            names = tuple(name for _, name in path)
            for start, stop in _pieces(markdown, at, end, ruler):
                yield start, stop, names
        at = end


def _pieces(markdown: str, start: int, end: int, ruler: Ruler) -> Iterator[tuple[int, int]]:
    """A block in pieces of the size at most: at sentences where there are any, else anywhere."""
    while not ruler.fits(start, end):
        furthest = ruler.reach(start)
        ends = [found.end() for found in _SENTENCE.finditer(markdown, start, furthest)]
        blank = markdown.rfind(" ", start + 1, furthest)
        stop = ends[-1] if ends else blank if blank > start else furthest
        yield start, stop
        start = stop
    yield start, end
