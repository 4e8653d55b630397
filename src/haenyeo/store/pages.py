"""Page and visit rows: what is known about an address, and what each visit to it brought."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable
from typing import Any

import msgspec
import xxhash

from haenyeo.html.urls import site_of, url_hash
from haenyeo.model.pages import Url
from haenyeo.model.visits import Found, Outcome
from haenyeo.store.encoding import blob, microseconds, pack, signed, utf8
from haenyeo.store.records import PageRecord

REPLACING = frozenset({Outcome.PAGE, Outcome.DUPLICATE, Outcome.LISTING})  # others leave earlier content in place
FETCHED = REPLACING | {Outcome.USELESS}
CONFIRMING = REPLACING | {Outcome.UNCHANGED}
SITES_IN_MEMORY = 100_000
FIND = "SELECT id, digest, body_visit, kept FROM page WHERE hash = ? AND url = ?"
INSERT_PAGE = (
    "INSERT INTO page VALUES (?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
INSERT_TEXT = "INSERT INTO text VALUES (?, ?)"
REPLACE_TEXT = "INSERT OR REPLACE INTO text VALUES (?, ?)"
INSERT_VISIT = (
    "INSERT INTO visit VALUES (?, ?, ?, ?, ?, ?, nullif(?, -1), ?, ?, ?, nullif(?, -1), ?, ?, ?, ?, nullif(?, -1), ?)"
)
NOTHING = -1  # in place of None, which SQLite's module would look for an adapter for

_encoder = msgspec.msgpack.Encoder()


class ArchivePlace(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Where the archive has a visit's response; `body_visit` if only another visit's record has the payload."""

    archive: int | None = None
    start: int = 0
    length: int = 0
    digest: bytes = b""
    size: int = 0
    body_visit: int | None = None


class KnownPage(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What an earlier visit left behind."""

    id: int
    digest: bytes
    body_visit: int | None
    kept: bool


class JudgedRecord(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A record read in the light of what was known before."""

    page: int
    visit: int
    hash: int
    url: Url
    at_us: int
    outcome: Outcome
    reason: str
    kept: bool
    changed: bool | None
    digest: bytes
    text: bytes | None


class PageTable:
    """Writes site, page, text and visit rows; hands out their numbers."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._insert = connection.cursor().execute
        self._find = connection.cursor().execute
        self._sites: dict[str, int] = {}
        self._last_page = self._last_visit = self._last_site = 0
        self.reload()

    def reload(self) -> None:
        """Forget what was remembered, as after a rollback."""
        self._sites.clear()
        last = "SELECT (SELECT max(id) FROM page), (SELECT max(id) FROM visit), (SELECT max(id) FROM site)"
        numbers = self._connection.execute(last).fetchone()
        self._last_page, self._last_visit, self._last_site = (number or 0 for number in numbers)

    def find(self, url: str) -> KnownPage | None:
        """What is known about an address."""
        return self.look_up(signed(url_hash(url)), url)

    def look_up(self, hashed: int, url: str) -> KnownPage | None:
        """The same for an address whose hash is at hand, signed."""
        row = self._find(FIND, (hashed, url)).fetchone()
        return KnownPage(id=row[0], digest=row[1], body_visit=row[2], kept=bool(row[3])) if row else None

    def judge(self, record: PageRecord, known: KnownPage | None, hashed: int) -> JudgedRecord:
        """Decide what the record means, whose address has this hash; changes nothing."""
        answer, document = record.answer, record.document
        text = utf8(document.text) if document else None
        digest = record.digest or (b"" if text is None else xxhash.xxh3_128_digest(text))
        outcome = _outcome(record, digest, known)
        changed = None
        if outcome is Outcome.UNCHANGED:
            changed = False
        elif digest and known and known.digest:
            changed = digest != known.digest
        return JudgedRecord(
            page=known.id if known else self._last_page + 1,
            visit=self._last_visit + 1,
            hash=hashed,
            url=record.url or answer.final_url,
            at_us=microseconds(answer.hops[-1].at if answer.hops else record.at),
            outcome=outcome,
            reason=record.reason or answer.reason,
            kept=record.kept if known is None or outcome in REPLACING else known.kept,
            changed=changed,
            digest=digest,
            text=None if text is None else pack(text),
        )

    def write(self, record: PageRecord, judged: JudgedRecord, place: ArchivePlace, known: KnownPage | None) -> Found:
        """Write the rows of one visit; returns what it found."""
        found = found_by(record, judged, place, known)
        if known is None:
            self._insert_page(record, judged, place)
        else:
            self._update_page(record, judged, place, changed=found in (Found.NEW, Found.CHANGED))
        if judged.text is not None and judged.outcome is not Outcome.UNCHANGED:
            self._insert(REPLACE_TEXT if known else INSERT_TEXT, (judged.page, blob(judged.text)))
        elif known and judged.outcome in REPLACING:
            self._connection.execute("DELETE FROM text WHERE page = ?", (judged.page,))
        self._insert_visit(record, judged, place, found)
        self._last_page, self._last_visit = max(self._last_page, judged.page), judged.visit
        if record.finished:
            self._redirect(record, judged)
        return found

    def put_text(self, url: str, text: str) -> None:
        """Put another text in place of a page's text."""
        known = self.find(url)
        if known is None:
            return
        data = utf8(text)
        changed = self._connection.execute("UPDATE text SET text = ? WHERE page = ?", (pack(data), known.id))
        if changed.rowcount:
            digest = xxhash.xxh3_128_digest(data)
            self._connection.execute("UPDATE page SET digest = ? WHERE id = ?", (digest, known.id))

    def reopen(self, outcomes: Iterable[Outcome], urls: Iterable[str]) -> int:
        """Let addresses wait again that never brought anything, by how they ended or by name; returns how many."""
        before = self._connection.total_changes
        for outcome in outcomes:
            self._connection.execute(
                "UPDATE page SET finished = 0 WHERE finished AND body_visit IS NULL AND outcome = ?", (outcome.value,)
            )
        query = "SELECT id, moved_to FROM page WHERE finished AND body_visit IS NULL AND "
        for url in urls:
            row = self._connection.execute(query + "hash = ? AND url = ?", (signed(url_hash(url)), url)).fetchone()
            while row is not None:
                self._connection.execute("UPDATE page SET finished = 0 WHERE id = ?", (row[0],))
                row = self._connection.execute(query + "id = ?", (row[1],)).fetchone()
        return self._connection.total_changes - before

    def site_ids(self, sites: Iterable[str]) -> array[int]:
        """The numbers of sites by name."""
        return array("I", [self._site_id(site) for site in sites])

    def _site_id(self, site: str) -> int:
        known = self._sites.get(site)
        if known is not None:
            return known
        row = self._connection.execute("SELECT id FROM site WHERE name = ?", (site,)).fetchone()
        if row is None:
            self._last_site += 1
            self._connection.execute("INSERT INTO site VALUES (?, ?)", (self._last_site, site))
        number: int = row[0] if row else self._last_site
        if len(self._sites) >= SITES_IN_MEMORY:
            self._sites.clear()
        self._sites[site] = number
        return number

    def _insert_page(self, record: PageRecord, judged: JudgedRecord, place: ArchivePlace) -> None:
        fetched = judged.outcome in FETCHED
        self._insert(
            INSERT_PAGE,
            (
                judged.page,
                judged.hash,
                judged.url,
                self._site_id(record.site),
                record.depth,
                int(record.finished),
                int(judged.kept),
                judged.outcome.value,
                judged.reason,
                record.answer.status,
                judged.at_us,
                judged.at_us,
                judged.at_us if fetched else None,
                judged.at_us if fetched else None,
                (place.body_visit or judged.visit) if fetched else None,
                *_content(record, judged),
            ),
        )

    def _update_page(self, record: PageRecord, judged: JudgedRecord, place: ArchivePlace, *, changed: bool) -> None:
        self._connection.execute(
            "UPDATE page SET moved_to = NULL, finished = ?, kept = ?, outcome = ?, reason = ?, status = ?,"
            " visits = visits + 1, last_us = ?, fetched_us = CASE WHEN ? THEN ? ELSE fetched_us END WHERE id = ?",
            (
                record.finished,
                judged.kept,
                judged.outcome.value,
                judged.reason,
                record.answer.status,
                judged.at_us,
                judged.outcome in CONFIRMING,
                judged.at_us,
                judged.page,
            ),
        )
        if judged.outcome in REPLACING:
            self._connection.execute(
                "UPDATE page SET changed_us = CASE WHEN ? THEN ? ELSE changed_us END, body_visit = ?, content_type = ?,"
                " etag = ?, last_modified = ?, title = ?, language = ?, digest = ?, simhash = ?, relevance = ?,"
                " kind = ? WHERE id = ?",
                (
                    changed,
                    judged.at_us,
                    place.body_visit or judged.visit,
                    *_content(record, judged),
                    judged.page,
                ),
            )

    def _insert_visit(self, record: PageRecord, judged: JudgedRecord, place: ArchivePlace, found: Found) -> None:
        self._insert(
            INSERT_VISIT,
            (
                judged.visit,
                judged.page,
                judged.at_us,
                judged.outcome.value,
                judged.reason,
                record.answer.status,
                NOTHING if judged.changed is None else int(found is Found.CHANGED),
                int(judged.kept),
                place.size,
                record.answer.seconds,
                NOTHING if record.ref is None else record.ref,
                blob(place.digest),
                place.archive,
                place.start,
                place.length,
                NOTHING if place.body_visit is None else place.body_visit,
                found.value,
            ),
        )

    def _redirect(self, record: PageRecord, judged: JudgedRecord) -> None:
        """Let the addresses that led to the page lead to it here too."""
        answer = record.answer
        if answer.url == judged.url and len(answer.hops) <= 1:
            return
        for url in dict.fromkeys((answer.url, *(hop.url for hop in answer.hops))):
            if url != judged.url:
                self._move(url, record, judged)

    def _move(self, url: Url, record: PageRecord, judged: JudgedRecord) -> None:
        known = self.find(url)
        if known:
            self._connection.execute(
                "UPDATE page SET moved_to = ?, finished = 1, kept = 0, last_us = ? WHERE id = ?",
                (judged.page, judged.at_us, known.id),
            )
            return
        self._last_page += 1
        outcome, reason, at = judged.outcome.value, judged.reason, judged.at_us
        self._connection.execute(
            "INSERT INTO page VALUES (?, ?, ?, ?, ?, ?, 1, 0, ?, ?, 0, 1, ?, ?, NULL, NULL, NULL,"
            " '', '', '', '', '', x'', 0, x'', '')",
            (
                self._last_page,
                signed(url_hash(url)),
                url,
                self._site_id(site_of(url)),
                record.depth,
                judged.page,
                outcome,
                reason,
                at,
                at,
            ),
        )


def _outcome(record: PageRecord, digest: bytes, known: KnownPage | None) -> Outcome:
    """The visit's outcome; a kept page that is reached once more is unchanged, not a duplicate of itself."""
    outcome = record.outcome or record.answer.outcome
    again = outcome is Outcome.DUPLICATE and known is not None and known.kept and digest == known.digest
    return Outcome.UNCHANGED if again else outcome


def found_by(record: PageRecord, judged: JudgedRecord, place: ArchivePlace, known: KnownPage | None) -> Found:
    """What the visit found in comparison with the last content.

    The same bytes are no change, even if more is known by now of how to read them.
    """
    if judged.outcome is Outcome.GONE:
        return Found.GONE
    if judged.outcome not in CONFIRMING:
        return Found.NOTHING
    if judged.changed is None:
        return Found.NEW
    if known and known.body_visit is not None and place.body_visit == known.body_visit:
        return Found.NOT_MODIFIED if record.answer.outcome is Outcome.UNCHANGED else Found.SAME_BYTES
    if judged.changed:
        return Found.NEAR_TEXT if record.near else Found.CHANGED
    return Found.NOT_MODIFIED if record.answer.outcome is Outcome.UNCHANGED else Found.SAME_TEXT


def _content(record: PageRecord, judged: JudgedRecord) -> tuple[Any, ...]:
    """The columns from `content_type` to `kind`."""
    answer, document = record.answer, record.document
    return (
        _clean(answer.content_type),
        _clean(answer.validators.etag),
        _clean(answer.validators.last_modified),
        _clean(document.title) if document else "",
        document.language if document else "",
        blob(judged.digest),
        signed(record.simhash),
        blob(_encoder.encode(record.relevance)),
        document.kind if document else "",
    )


def _clean(text: str) -> str:
    """The text without what UTF-8 has no place for: headers keep foreign bytes as lone surrogates."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
