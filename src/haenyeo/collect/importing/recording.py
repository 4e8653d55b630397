"""Records of others in place of the network: what is worth taking in, one after another.

Taken in are answers that may be pages, and redirects whose target comes next. What is no newer than the visit that the
collection has of a page is passed over, so a file that is imported twice, or gone on with, doubles nothing.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence

import msgspec

from haenyeo.collect.importing.sources import FoundRecord, SourceFile, records_of
from haenyeo.collect.importing.warc_files import ForeignRecord
from haenyeo.collect.visit.pdf_pages import nobody_reads
from haenyeo.fetch.answers import is_page_status
from haenyeo.fetch.chain import REDIRECTS
from haenyeo.html.urls import canonical, resolve
from haenyeo.model.errors import StoreError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Hop
from haenyeo.store import Store
from haenyeo.store.rebuilding import ArchivedRecord
from haenyeo.store.warc import ReadRecord

PART = "import"
"""The part under whose name the store has how many records of a file were taken in."""
ROBOTS = "/robots.txt"


class Tally(msgspec.Struct, kw_only=True):
    """What was found: pages, what was known already, records that are no pages, and those that could not be read.

    `passed` counts the records that an earlier import has read.
    """

    pages: int = 0
    known: int = 0
    other: int = 0
    lost: int = 0
    passed: int = 0
    unread: list[str] = msgspec.field(default_factory=list)


class Recording:
    """The records of some files that are worth taking in; `place` and `done` say how far they were read."""

    def __init__(self, store: Store, sources: Sequence[SourceFile], base: str) -> None:
        self._store, self._sources, self._base = store, sources, base
        self.tally = Tally()
        self.done = 0
        self._key, self._place = "", 0

    def records(self) -> Iterator[ArchivedRecord]:
        """What is worth taking in."""
        before = 0
        for source in self._sources:
            skipped = int(self._store.state(PART, source.key) or b"0")
            self._key, self._place = source.key, skipped
            self.tally.passed += skipped
            try:
                yield from _joined(self._worthwhile(source, skipped, before))
            except (ValueError, zlib.error, OSError) as error:
                self.tally.unread.append(f"{source.path.name}: {error}")
            before += source.size
            self.done = before
            self.note()

    def note(self) -> None:
        """Remember how far the file at hand was taken in."""
        if self._key:
            self._store.put_state(PART, self._key, str(self._place).encode())

    def turn_to(self, record: ArchivedRecord) -> None:
        """Take note of the place that is reached."""
        self._place = record.start

    def payload(self, record: ReadRecord) -> bytes | None:
        """The body of a record."""
        return record.hop.body

    def _worthwhile(self, source: SourceFile, skipped: int, before: int) -> Iterator[ArchivedRecord]:
        for found in records_of(source, self._base, skipped):
            self.done = before + min(found.done, source.size)
            record = None if found.record is None else self._filled(found.record)
            if record is None or not self._is_wanted(record):
                self.tally.other += 1
                continue
            yield _archived(record, found, self.done)

    def _filled(self, record: ForeignRecord) -> ForeignRecord | None:
        """The record with its payload; that of a revisit is one that was taken in before."""
        url = canonical(record.hop.url)
        if url is None:
            return None
        body = record.hop.body
        if record.kind == "revisit" and not body:
            earlier = self._earlier(canonical(record.refers_to) or url)
            if earlier is None:
                self.tally.lost += 1
                return None
            replaced = msgspec.structs.replace(earlier, url=url, at=record.hop.at)
            return ForeignRecord(kind="response", hop=replaced)
        return msgspec.structs.replace(record, hop=msgspec.structs.replace(record.hop, url=url))

    def _earlier(self, url: Url) -> Hop | None:
        visits = [visit for visit in self._store.visits(url) if visit.archive]
        try:
            return self._store.payload(visits[-1]) if visits else None
        except StoreError:
            return None

    def _is_wanted(self, record: ForeignRecord) -> bool:
        hop = record.hop
        if record.kind == "conversion":
            return True
        if hop.url.endswith(ROBOTS) or not (is_page_status(hop.status) or hop.status in REDIRECTS):
            return False
        return hop.status in REDIRECTS or not nobody_reads(hop.header("content-type"))


def is_known(store: Store, hop: Hop) -> bool:
    """Whether the collection has a visit of the page that is as new."""
    known = store.page(hop.url)
    return known is not None and known.fetched_at is not None and known.fetched_at >= hop.at


def _archived(record: ForeignRecord, found: FoundRecord, done: int) -> ArchivedRecord:
    read = ReadRecord(hop=record.hop, digest=b"", rendered=record.kind == "conversion")
    return ArchivedRecord(read=read, file=0, start=found.place, length=0, done=done)


def _joined(records: Iterator[ArchivedRecord]) -> Iterator[ArchivedRecord]:
    """The records with renderings put to their pages, and without redirects whose targets do not come next."""
    waiting: list[ArchivedRecord] = []
    for record in records:
        last = waiting[-1] if waiting else None
        if record.read.rendered:
            if last is not None and last.read.hop.url == record.read.hop.url:
                waiting[-1] = msgspec.structs.replace(last, rendered=record)
            continue
        if last is not None and not _leads_to(last.read.hop, record.read.hop.url):
            yield from _complete(waiting)
            waiting = []
        waiting.append(record)
    yield from _complete(waiting)


def _leads_to(hop: Hop, url: Url) -> bool:
    target = resolve(hop.url, hop.header("location")) if hop.status in REDIRECTS else None
    return target is not None and canonical(target) == url


def _complete(chain: list[ArchivedRecord]) -> Iterator[ArchivedRecord]:
    """A chain of redirects if it ends with a page, else nothing."""
    if chain and chain[-1].read.hop.status not in REDIRECTS:
        yield from chain
