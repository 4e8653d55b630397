"""Pages and visits, back to the original bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from haenyeo.html.urls import url_hash
from haenyeo.model.errors import StoreError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Found, Hop, Outcome, Validators
from haenyeo.store import archive
from haenyeo.store.encoding import microseconds, moment, signed, unpack, unsigned
from haenyeo.store.reading.connected import LARGEST_NUMBER, Connected
from haenyeo.store.records import ListedPage, PageVisit, StoredFingerprint, StoredJudgement, StoredPage, StoredVisit

PAGE_QUERY = (
    "SELECT page.id, moved_to, url, site.name, depth, kept, outcome, reason, status, visits, first_us, last_us,"
    " fetched_us, changed_us, content_type, etag, last_modified, title, language, digest, simhash, relevance,"
    " text.text, kind FROM page JOIN site ON site.id = page.site LEFT JOIN text ON text.page = page.id"
)
VISIT_QUERY = (
    "SELECT visit.id, page.url, at_us, visit.outcome, visit.reason, visit.status, changed, visit.kept, size, seconds,"
    " ref, visit.digest, coalesce(archive.name, ''), start, visit.length, visit.body_visit, found"
    " FROM visit JOIN page ON page.id = visit.page LEFT JOIN archive ON archive.id = visit.archive"
)
LISTED_QUERY = (
    "SELECT page.id, url, title, site.name, language, relevance, changed_us, kept, text.text, kind FROM page"
    " JOIN site ON site.id = page.site LEFT JOIN text ON text.page = page.id WHERE page.id IN "
)
JUDGEMENT_QUERY = (
    "SELECT id, url, title, relevance, kept FROM page"
    " WHERE id > ? AND moved_to IS NULL AND outcome = 'page' AND reason NOT IN ('noindex', 'another language')"
)
FINGERPRINT_QUERY = "SELECT id, digest, simhash FROM page WHERE id IN "

_relevance = msgspec.msgpack.Decoder(dict[str, float])


class PageReading(Connected):
    """The questions about pages and visits."""

    def page(self, url: str) -> StoredPage | None:
        """What is known about an address, after the redirects that were seen; None if it was never visited."""
        rows = self._rows(PAGE_QUERY + " WHERE hash = ? AND url = ?", (signed(url_hash(url)), url))
        while rows and rows[0][1] is not None:
            rows = self._rows(PAGE_QUERY + " WHERE page.id = ?", (rows[0][1],))
        return _page(rows[0]) if rows else None

    def page_numbered(self, number: int) -> StoredPage | None:
        """The page of this number, after the redirects that were seen; None if there is none."""
        rows = self._rows("SELECT url FROM page WHERE id = ?", (number,)) if number <= LARGEST_NUMBER else []
        return self.page(rows[0][0]) if rows else None

    def newest_page(self) -> int:
        """The highest number of a page; 0 if there is none."""
        return int(self._rows("SELECT coalesce(max(id), 0) FROM page")[0][0])

    def pages(self, *, kept_only: bool = True, since: datetime | None = None, after: int = 0) -> Iterator[StoredPage]:
        """The pages in the order of their first visits, those with numbers above `after`.

        `since` leaves out those with no new content since then.
        """
        query = PAGE_QUERY + " WHERE page.id > ? AND moved_to IS NULL AND (kept OR NOT ?) AND (changed_us >= ? OR ?)"
        for row in self._steps(
            query, (kept_only, microseconds(since) if since else 0, since is None), after=after, order="page.id"
        ):
            yield _page(row)

    def listed_pages(self, numbers: Sequence[int]) -> list[ListedPage]:
        """The pages of these numbers as a list shows them, in this order; a number without a page is left out."""
        wanted = ",".join(str(int(number)) for number in numbers)
        found = {row[0]: row for row in self._rows(f"{LISTED_QUERY}({wanted})")}
        return [_listed(found[number]) for number in numbers if number in found]

    def newest_addresses(self, outcome: Outcome, most: int) -> list[Url]:
        """The addresses whose last visit ended so, those found last first."""
        query = "SELECT url FROM page WHERE outcome = ? ORDER BY id DESC LIMIT ?"
        return [Url(url) for (url,) in self._rows(query, (outcome.value, most))]

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

    def fingerprints(self) -> Iterator[StoredFingerprint]:
        """What tells kept pages with the same or nearly the same content, in the order of their first visits."""
        query = "SELECT id, digest, simhash FROM page WHERE id > ? AND kept AND moved_to IS NULL"
        for number, digest, simhash in self._steps(query):
            yield StoredFingerprint(number, digest, unsigned(simhash))

    def fingerprints_of(self, numbers: Sequence[int]) -> dict[int, StoredFingerprint]:
        """What tells the same for the pages of these numbers."""
        wanted = ",".join(str(int(number)) for number in numbers)
        rows = self._rows(f"{FINGERPRINT_QUERY}({wanted})")
        return {number: StoredFingerprint(number, digest, unsigned(simhash)) for number, digest, simhash in rows}

    def relevances(self) -> Iterator[dict[str, float]]:
        """How relevant each page that is kept is, by topic, in the order they were found."""
        for _, relevance in self._steps("SELECT id, relevance FROM page WHERE id > ? AND kept"):
            yield _relevance.decode(relevance) if relevance else {}

    def judgements(self, newest: int | None = None) -> Iterator[StoredJudgement]:
        """What is thought of each page that may be kept, or of so many of the `newest`, in the order they were found.

        Addresses without a page count for nothing, however many there are.
        """
        last = f"{JUDGEMENT_QUERY} ORDER BY id DESC LIMIT 1 OFFSET ?"
        older = [] if newest is None else self._rows(last, (0, newest))
        after = int(older[0][0]) if older else 0
        for number, url, title, relevance, kept in self._steps(JUDGEMENT_QUERY, after=after):
            yield StoredJudgement(
                number, Url(url), title, _relevance.decode(relevance) if relevance else {}, bool(kept)
            )

    def visits(self, url: str) -> list[StoredVisit]:
        """All visits to an address, or to the one it leads to, first to last."""
        page = self.page(url)
        return self._visits("visit.page = ? ORDER BY visit.id", page.id) if page else []

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

    def archives(self) -> list[tuple[Path, int]]:
        """The files of the archive, and how many bytes of each belong to committed visits."""
        rows = self._rows("SELECT name, length FROM archive WHERE length > 0 ORDER BY id")
        return [(self._archive_folder / name, length) for name, length in rows]

    def closed_archives(self) -> list[Path]:
        """The files of the archive that are never written again."""
        rows = self._rows("SELECT name FROM archive WHERE closed AND length > 0 ORDER BY id")
        return [self._archive_folder / name for (name,) in rows]

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
        kind=row[23],
    )


def _listed(row: Sequence[Any]) -> ListedPage:
    return ListedPage(
        id=row[0],
        url=Url(row[1]),
        title=row[2],
        site=row[3],
        language=row[4],
        relevance=_relevance.decode(row[5]) if row[5] else {},
        changed_at=None if row[6] is None else moment(row[6]),
        kept=bool(row[7]),
        text="" if row[8] is None else unpack(row[8]).decode("utf-8", "replace"),
        kind=row[9],
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
