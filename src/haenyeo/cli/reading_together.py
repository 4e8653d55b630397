"""Reads saved pages together, with bounded memory.

The pages of a site may stand anywhere among those of others, so all are looked at once before any is read. What the
first look yields waits in a temporary file; of the sites, those met last are in memory and the others wait there too.
"""

from __future__ import annotations

import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

import msgspec

from haenyeo.model.compression import zstd
from haenyeo.model.pages import Document, Url
from haenyeo.read.extract import Method, method_named
from haenyeo.store.page_files import GivenPage

MOST_SITES = 512
"""Sites in memory at a time."""
HELD_BYTES = 64 << 20
"""Of what the first look yields, so much stays in memory."""

_LENGTH_BYTES = 5
_decode = msgspec.msgpack.Decoder(tuple[str, bytes, bytes]).decode  # site, what the first look has yielded, and HTML


def read_together(
    pages: Iterable[GivenPage], method: str, warn: Callable[[str], None] = lambda _: None, *, markdown: bool = False
) -> Iterator[Document]:
    """What each page says, in the order given, once all pages have been looked at; as Markdown too if that is wished.

    `warn` is told of each site once whose pages the method cannot read, and why.
    """
    if markdown:
        from haenyeo.read.markdown import with_markdown
    with tempfile.TemporaryFile() as file:
        spool = _Spool(file)
        sites = _Sites(method_named(method), spool)
        places = []
        for page in pages:
            prepared = sites.learning(page.site).learn(Url(page.url), page.html)
            html = page.html.encode("utf-8", "replace") if markdown else b""
            places.append(spool.add(msgspec.msgpack.encode((page.site, prepared, html))))
            sites.note(page.site, places[-1])
        told = set[str]()
        for place in places:
            site, prepared, html = _decode(spool.at(place))
            reader = sites.reading(site)
            document = reader.read(prepared)
            trouble = "" if document.text or site in told else getattr(reader, "trouble", "")
            if trouble:
                told.add(site)
                warn(f"no text was found on {site or document.url}: {trouble}")
            yield with_markdown(document, html.decode()) if markdown else document


class _Spool:
    """Records found again by their place: the first in memory, the others in a file, compressed."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._end = 0
        self._held: list[bytes] = []
        self._room = HELD_BYTES
        self._compressor = zstd.ZstdCompressor(level=1)

    def add(self, record: bytes) -> int:
        """The place of a new record; those in memory have negative ones."""
        if len(record) <= self._room:
            self._room -= len(record)
            self._held.append(record)
            return -len(self._held)
        place, packed = self._end, self._compressor.compress(record, zstd.ZstdCompressor.FLUSH_FRAME)
        self._file.seek(place)
        self._file.write(len(packed).to_bytes(_LENGTH_BYTES, "big") + packed)
        self._end += _LENGTH_BYTES + len(packed)
        return place

    def at(self, place: int) -> bytes:
        """The record of a place."""
        if place < 0:
            return self._held[-place - 1]
        self._file.seek(place)
        length = int.from_bytes(self._file.read(_LENGTH_BYTES), "big")
        return zstd.ZstdDecompressor().decompress(self._file.read(length))


class _Sites:
    """What has been learned of each site; of the sites not met for long it waits in the spool.

    Of a site with one page that is the page, if the method can do with it; most sites have no other.
    """

    def __init__(self, kind: type[Method], spool: _Spool) -> None:
        self._kind = kind
        self._spool = spool
        self._live: OrderedDict[str, Method] = OrderedDict()
        self._waiting: dict[str, int] = {}
        self._only_pages: dict[str, int | None] = {}  # where they are; of sites with more, None
        self._of_page: Callable[[Callable[[], bytes]], Method] | None = getattr(kind, "of_page", None)

    def note(self, site: str, place: int) -> None:
        """Say where a page of the site is that has been learned."""
        self._only_pages[site] = None if site in self._only_pages else place

    def learning(self, site: str) -> Method:
        """The method that is to learn a page of the site; what waited of it before is out of date."""
        method = self.reading(site)
        self._waiting.pop(site, None)
        return method

    def reading(self, site: str) -> Method:
        """The method that knows the site."""
        if site not in self._live:
            self._live[site] = self._taken_up(site)
            if len(self._live) > MOST_SITES:
                self._put_aside()
        self._live.move_to_end(site)
        return self._live[site]

    def _taken_up(self, site: str) -> Method:
        waiting, page = self._waiting.get(site), self._only_pages.get(site)
        if waiting is not None:
            return self._kind.from_bytes(self._spool.at(waiting))
        if page is not None and self._of_page is not None:
            return self._of_page(lambda: _decode(self._spool.at(page))[1])
        return self._kind()

    def _put_aside(self) -> None:
        site, method = self._live.popitem(last=False)
        is_page = self._of_page is not None and self._only_pages.get(site) is not None
        if site not in self._waiting and not is_page:
            self._waiting[site] = self._spool.add(method.to_bytes())


_TOLD = (
    *("kind", "author", "published", "published_by", "modified", "modified_by", "description", "site_name", "licence"),
    *("canonical", "comments", "posts", "product", "duplicate", "markdown"),
)


def row_of(document: Document) -> dict[str, Any]:
    """A document as a line of JSON; what is empty is left out, apart from what every line has."""
    row: dict[str, Any] = {
        "url": document.url,
        "title": document.title,
        "text": document.text,
        "lang": document.language,
    }
    for name in _TOLD:
        value = getattr(document, name)
        if value:
            row[name] = value
    return row
