"""The reading side: what the collection holds, page by page, in numbers, and back to the original bytes.

Long readings go through the tables in small steps of their own instead of one long query, so that they need little
memory and never keep a crawl from tidying its write-ahead log.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.html.urls import url_hash
from haenyeo.model.errors import StoreError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Found, Hop, Outcome, Validators
from haenyeo.store import archive
from haenyeo.store.database import explained, explaining
from haenyeo.store.encoding import microseconds, moment, signed, unpack, unsigned
from haenyeo.store.links import LinkTable, finished_hashes
from haenyeo.store.records import (
    Counts,
    FailureCounts,
    Fingerprint,
    FoundCounts,
    Inlink,
    LinkBatch,
    PageVisit,
    SiteCounts,
    StoredEvent,
    StoredLink,
    StoredPage,
    StoredRow,
    StoredVisit,
)

ROWS_IN_STEP = 256
PAGE_QUERY = (
    "SELECT page.id, moved_to, url, site.name, depth, kept, outcome, reason, status, visits, first_us, last_us,"
    " fetched_us, changed_us, content_type, etag, last_modified, title, language, digest, simhash, relevance, text.text"
    " FROM page JOIN site ON site.id = page.site LEFT JOIN text ON text.page = page.id"
)
VISIT_QUERY = (
    "SELECT visit.id, page.url, at_us, visit.outcome, visit.reason, visit.status, changed, visit.kept, size, seconds,"
    " ref, visit.digest, coalesce(archive.name, ''), start, visit.length, visit.body_visit, found"
    " FROM visit JOIN page ON page.id = visit.page LEFT JOIN archive ON archive.id = visit.archive"
)

_relevance = msgspec.msgpack.Decoder(dict[str, float])


class Reading:
    """All questions about a collection; asking changes nothing."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._connection = connection
        self._path = folder / "haenyeo.db"
        self._archive_folder = folder / "archive"
        with explaining(self._path):
            self._links = LinkTable(connection)

    def page(self, url: str) -> StoredPage | None:
        """What is known about an address, after the redirects that were seen; None if it was never visited."""
        rows = self._rows(PAGE_QUERY + " WHERE hash = ? AND url = ?", (signed(url_hash(url)), url))
        while rows and rows[0][1] is not None:
            rows = self._rows(PAGE_QUERY + " WHERE page.id = ?", (rows[0][1],))
        return _page(rows[0]) if rows else None

    def pages(self, *, kept_only: bool = True, since: datetime | None = None, after: int = 0) -> Iterator[StoredPage]:
        """The pages in the order of their first visits, those with numbers above `after`.

        `since` leaves out those with no new content since then.
        """
        query = PAGE_QUERY + " WHERE page.id > ? AND moved_to IS NULL AND (kept OR NOT ?) AND (changed_us >= ? OR ?)"
        for row in self._steps(
            query, (kept_only, microseconds(since) if since else 0, since is None), after=after, order="page.id"
        ):
            yield _page(row)

    def texts_by_site(self) -> dict[str, list[Url]]:
        """The addresses of the pages that have a text, by site, in the order of their first visits."""
        rows = self._rows(
            "SELECT site.name, url FROM page JOIN site ON site.id = page.site JOIN text ON text.page = page.id"
            " WHERE moved_to IS NULL AND content_type NOT LIKE 'text/plain%' ORDER BY page.site, page.id"
        )
        texts: dict[str, list[Url]] = {}
        for site, url in rows:
            texts.setdefault(site, []).append(Url(url))
        return texts

    def visits(self, url: str) -> list[StoredVisit]:
        """All visits to an address, or to the one it leads to, first to last."""
        page = self.page(url)
        return self._visits("visit.page = ? ORDER BY visit.id", page.id) if page else []

    def archives(self) -> list[tuple[Path, int]]:
        """The files of the archive, and how many bytes of each belong to committed visits."""
        rows = self._rows("SELECT name, length FROM archive WHERE length > 0 ORDER BY id")
        return [(self._archive_folder / name, length) for name, length in rows]

    def response(self, visit: StoredVisit) -> Hop:
        """The server's response as the archive has it; `body` is as received, its content coding kept.

        Raises `StoreError` if the visit was not archived or the archive's file is gone.
        """
        if not visit.archive:
            raise StoreError(f"the visit to {visit.url} on {visit.at:%Y-%m-%d %H:%M} has no archived response")
        self._hand_over()
        hop = archive.read(self._archive_folder, visit.archive, visit.start, visit.length)
        if visit.body_visit is None:
            return hop
        original = self._visits("visit.id = ?", visit.body_visit)[0]
        return msgspec.structs.replace(hop, body=self.response(original).body)

    def _hand_over(self) -> None:
        """Make sure that all that was archived can be read."""

    def payload(self, visit: StoredVisit) -> Hop:
        """The response that brought the visit's payload: its own, or the earlier one that it refers to.

        Only that one's headers say how the payload is coded; a 304 has none of them.
        """
        if visit.body_visit is None:
            return self.response(visit)
        return self.payload(self._visits("visit.id = ?", visit.body_visit)[0])

    def body(self, visit: StoredVisit) -> bytes:
        """The bytes of the page as received, its content coding kept."""
        return self.response(visit).body

    def links(self, refs: Sequence[int]) -> list[StoredLink]:
        """The links of these numbers, in this order; raises `StoreError` for a number that was never given."""
        try:  # a context would cost as much as a link does
            links = [self._links.get(ref) for ref in refs]
        except sqlite3.Error as error:
            raise explained(error, self._path) from error
        found = [link for link in links if link]
        if len(found) < len(links):
            raise StoreError(f"{self._path} has no link number {refs[links.index(None)]}")
        return found

    def link_batches(self, after: int = -1) -> Iterator[LinkBatch]:
        """All links found, in order, as columns; from these a crawl rebuilds its frontier and what it has seen.

        With `after` only those of pages whose first link has a higher number.
        """
        with explaining(self._path):
            yield from self._links.batches(finished_hashes(self._connection), after)

    def first_scores(self, count: int) -> npt.NDArray[np.float32]:
        """The scores that the first links were found with, in the order they were found."""
        scores = np.zeros(count, np.float32)
        query = "SELECT first_ref, scores FROM link WHERE first_ref > ? AND first_ref < ?"
        for first, packed in self._steps(query, (count,), after=-1, order="first_ref"):
            given = np.frombuffer(packed, np.float32)[: count - first]
            scores[first : first + len(given)] = given
        return scores

    def waiting(self) -> Iterator[LinkBatch]:
        """The links found whose addresses have not been dealt with, in order, as columns."""
        for batch in self.link_batches():
            yield batch.waiting()

    def waiting_count(self) -> int:
        """How many links wait; reads through all of them."""
        return sum(len(batch) for batch in self.waiting())

    def finished(self) -> npt.NDArray[np.uint64]:
        """The hashes of all addresses that were dealt with, those that only redirect included."""
        with explaining(self._path):
            return finished_hashes(self._connection).view(np.uint64)

    def sites(self) -> dict[int, str]:
        """The names of all sites by number."""
        return dict(self._rows("SELECT id, name FROM site"))

    def inlinks(self, url: str) -> list[Inlink]:
        """The pages that link to an address, in the order they were read."""
        with explaining(self._path):
            return list(self._links.inlinks(url))

    def state(self, part: str, key: str) -> bytes | None:
        """What a part has remembered under this key."""
        rows = self._rows("SELECT value FROM state WHERE part = ? AND key = ?", (part, key))
        return rows[0][0] if rows else None

    def states(self, part: str) -> Iterator[tuple[str, bytes]]:
        """All that a part has remembered, by key."""
        rows = self._rows("SELECT key FROM state WHERE part = ? ORDER BY key", (part,))
        for (key,) in rows:
            if (value := self.state(part, key)) is not None:
                yield key, value

    def events(self, since: datetime | None = None, after: int = 0) -> Iterator[StoredEvent]:
        """The events from a time on, or with numbers above `after`, first to last."""
        query = "SELECT id, at_us, kind, url, data FROM event WHERE id > ? AND at_us >= ?"
        for row in self._steps(query, (microseconds(since) if since else 0,), after=after):
            yield StoredEvent(id=row[0], at=moment(row[1]), kind=row[2], url=row[3], data=row[4])

    def rows(self, rule: str) -> list[StoredRow]:
        """The records that a rule has taken, in the order they were first seen."""
        found = self._rows(
            "SELECT key, page, first_us, last_us, changed_us, fields FROM record WHERE rule = ? ORDER BY id", (rule,)
        )
        return [
            StoredRow(
                rule=rule,
                key=key,
                page=Url(page),
                first_at=moment(first),
                last_at=moment(last),
                changed_at=moment(changed),
                fields=msgspec.json.decode(fields, type=dict[str, str]),
            )
            for key, page, first, last, changed, fields in found
        ]

    def row_counts(self) -> dict[str, int]:
        """How many records each rule has taken."""
        return dict(self._rows("SELECT rule, count(*) FROM record GROUP BY rule"))

    def counts(self) -> Counts:
        """The collection in numbers."""
        outcomes = self._rows(
            "SELECT outcome, count(*), sum(kept), sum(body_visit IS NOT NULL) FROM page WHERE moved_to IS NULL"
            " GROUP BY outcome"
        )
        [(visits, addresses, sites, archived)] = self._rows(
            "SELECT (SELECT coalesce(max(id), 0) FROM visit), (SELECT coalesce(max(id), 0) FROM page),"
            " (SELECT count(*) FROM site), (SELECT coalesce(sum(length), 0) FROM archive)"
        )
        asked = sum(row[1] for row in outcomes)
        return Counts(
            found=self._links.found(),
            visits=visits,
            asked=asked,
            fetched=sum(row[3] for row in outcomes),
            kept=sum(row[2] for row in outcomes),
            moved=addresses - asked,
            sites=sites,
            outcomes={row[0]: row[1] for row in outcomes},
            archive_bytes=archived,
            database_bytes=self._path.stat().st_size,
        )

    def site_counts(self) -> list[SiteCounts]:
        """Every site that was asked, in numbers, the one with the most kept pages first."""
        rows = self._rows(
            "SELECT site.name, count(*), sum(body_visit IS NOT NULL), sum(kept), max(last_us) FROM page"
            " JOIN site ON site.id = page.site WHERE moved_to IS NULL GROUP BY site.id ORDER BY 4 DESC, 3 DESC, 1"
        )
        return [
            SiteCounts(site=row[0], asked=row[1], fetched=row[2], kept=row[3], last_at=moment(row[4])) for row in rows
        ]

    def failures(self) -> list[FailureCounts]:
        """Why addresses brought no page, the most frequent reason first."""
        rows = self._rows(
            "SELECT outcome, reason, count(*), min(url) FROM page WHERE moved_to IS NULL AND outcome NOT IN (?, ?, ?)"
            " GROUP BY outcome, reason ORDER BY 3 DESC, 1, 2",
            (Outcome.PAGE.value, Outcome.UNCHANGED.value, Outcome.LISTING.value),
        )
        return [
            FailureCounts(outcome=Outcome(row[0]), reason=row[1], pages=row[2], example=Url(row[3])) for row in rows
        ]

    def relevances(self) -> Iterator[dict[str, float]]:
        """How relevant each page that is kept is, by topic, in the order they were found."""
        for _, relevance in self._steps("SELECT id, relevance FROM page WHERE id > ? AND kept"):
            yield _relevance.decode(relevance) if relevance else {}

    def harvest(self, points: int = 200) -> list[tuple[int, int]]:
        """Pairs of pages fetched and pages kept among them, at most `points`, the last one being the present."""
        rows = self._rows("SELECT kept FROM page WHERE body_visit IS NOT NULL AND moved_to IS NULL ORDER BY id")
        if not rows:
            return []
        kept = np.cumsum([row[0] for row in rows])
        fetched = np.unique(np.linspace(1, len(rows), num=min(points, len(rows)), dtype=np.int64))
        return [(int(number), int(kept[number - 1])) for number in fetched]

    def page_visits(self, after: int = 0) -> Iterator[PageVisit]:
        """The visits after the one of this number to addresses that stand in the collection, in order.

        An address that has moved since then is left out: the one it moved to has visits of its own.
        """
        query = (
            "SELECT visit.id, page.url, site.name, at_us, found, page.kept, page.outcome = 'listing'"
            " FROM visit JOIN page ON page.id = visit.page JOIN site ON site.id = page.site"
            " WHERE visit.id > ? AND page.moved_to IS NULL AND (page.kept OR page.outcome = 'listing')"
        )
        for number, url, site, at_us, found, kept, listing in self._steps(query, after=after, order="visit.id"):
            yield PageVisit(number, Url(url), site, at_us / 1e6, Found(found), bool(kept), bool(listing))

    def found_counts(self, since: datetime | None = None) -> list[FoundCounts]:
        """What visits found, how many and of how many bytes, over all time or since a moment."""
        rows = self._rows(
            "SELECT found, count(*), sum(size) FROM visit WHERE at_us >= ? GROUP BY found ORDER BY 2 DESC",
            (0 if since is None else microseconds(since),),
        )
        return [FoundCounts(found=Found(row[0]), visits=row[1], bytes=row[2]) for row in rows]

    def fingerprints(self) -> Iterator[Fingerprint]:
        """What tells kept pages with the same or nearly the same content, in the order of their first visits."""
        query = "SELECT id, digest, simhash FROM page WHERE id > ? AND kept AND moved_to IS NULL"
        for number, digest, simhash in self._steps(query):
            yield Fingerprint(number, digest, unsigned(simhash))

    def close(self) -> None:
        """Let go of the files."""
        self._connection.close()

    def ask(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """The rows of a query of one's own."""
        return self._rows(query, values)

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        with explaining(self._path):
            return self._connection.execute(query, values).fetchall()

    def _steps(self, query: str, values: Sequence[Any] = (), *, after: int = 0, order: str = "id") -> Iterator[Any]:
        """The rows of a query whose first parameter is the last number seen, a few at a time."""
        step = f"{query} ORDER BY {order} LIMIT {ROWS_IN_STEP}"
        while rows := self._rows(step, (after, *values)):
            yield from rows
            after = rows[-1][0]

    def _visits(self, condition: str, value: int) -> list[StoredVisit]:
        return [_visit(row) for row in self._rows(f"{VISIT_QUERY} WHERE {condition}", (value,))]


def _page(row: Sequence[Any]) -> StoredPage:
    return StoredPage(
        id=row[0],
        url=Url(row[2]),
        site=row[3],
        depth=row[4],
        kept=bool(row[5]),
        outcome=Outcome(row[6]),
        reason=row[7],
        status=row[8],
        visits=row[9],
        first_at=moment(row[10]),
        last_at=moment(row[11]),
        fetched_at=None if row[12] is None else moment(row[12]),
        changed_at=None if row[13] is None else moment(row[13]),
        content_type=row[14],
        validators=Validators(etag=row[15], last_modified=row[16]),
        title=row[17],
        language=row[18],
        digest=row[19],
        simhash=unsigned(row[20]),
        relevance=_relevance.decode(row[21]) if row[21] else {},
        text="" if row[22] is None else unpack(row[22]).decode("utf-8"),
    )


def _visit(row: Sequence[Any]) -> StoredVisit:
    return StoredVisit(
        id=row[0],
        url=Url(row[1]),
        at=moment(row[2]),
        outcome=Outcome(row[3]),
        reason=row[4],
        status=row[5],
        changed=None if row[6] is None else bool(row[6]),
        kept=bool(row[7]),
        size=row[8],
        seconds=row[9],
        ref=row[10],
        digest=row[11],
        archive=row[12],
        start=row[13],
        length=row[14],
        body_visit=row[15],
        found=Found(row[16]),
    )
