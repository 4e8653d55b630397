"""Writes visits into the archive and keeps the database's account of its files."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Protocol

from haenyeo.model.errors import StoreError
from haenyeo.model.visits import Answer, Hop
from haenyeo.store.archive import GrowingFile, file_name, mend, read
from haenyeo.store.pages import ArchivePlace
from haenyeo.store.warc import (
    NOT_MODIFIED,
    SAME_PAYLOAD,
    Original,
    Session,
    exchange,
    new_id,
    payload_digest,
    rendering,
    warcinfo,
)

log = logging.getLogger(__name__)

SMALLEST_REVISIT = 1024  # bytes; referring to a smaller body would save nothing
PAYLOADS_IN_MEMORY = 30_000


class Archive(Protocol):
    """What a store asks of its archive; see `Archivist`."""

    @property
    def length(self) -> int:
        """How long the growing file is."""
        ...

    @property
    def needs_file(self) -> bool:
        """Whether `start_file` must be called before the next page."""
        ...

    def start_file(self) -> None:
        """Begin the next file."""
        ...

    def finish_file(self) -> None:
        """Let the growing file be finished."""
        ...

    def mark(self, session: Session) -> None:
        """Let the archive show how the next record follows those before."""
        ...

    def write(self, answer: Answer, visit: int, earlier_body: int | None) -> ArchivePlace:
        """Archive the hops of a visit."""
        ...

    def write_hops(self, hops: Sequence[Hop]) -> None:
        """Archive requests that are no visits."""
        ...

    def note_length(self) -> None:
        """Tell the database how far the growing file is good."""
        ...

    def hand_over(self) -> None:
        """Hand to the system what waits."""
        ...

    def cut(self, length: int) -> None:
        """Forget the bytes past this length."""
        ...

    def reload(self) -> None:
        """Forget what was remembered."""
        ...

    def close(self) -> None:
        """Let go of the files."""
        ...


class Archivist:
    """The one who writes in the archive; rows go into the transaction that is open, except `start_file`'s own.

    A payload is known again if the same address had it last, or any address lately. An index of all payloads would know
    every one, but every page would have to write to a random place of it.
    """

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        self._connection = connection
        self._folder = folder / "archive"
        self._collection = folder.absolute().name
        self._file: GrowingFile | None = None
        self._serial = 0
        self._recent: dict[bytes, int] = {}
        self._session, self._marked = Session.BEGINS, (0, Session.GOES_ON)
        self._folder.mkdir(exist_ok=True)
        self._take_up()
        self.reload()

    def reload(self) -> None:
        """Forget what was remembered, as after a rollback."""
        rows = self._connection.execute(
            "SELECT digest, id FROM visit WHERE archive IS NOT NULL AND body_visit IS NULL AND size >= ?"
            " ORDER BY id DESC LIMIT ?",
            (SMALLEST_REVISIT, PAYLOADS_IN_MEMORY),
        ).fetchall()
        self._recent = dict(reversed(rows))

    @property
    def length(self) -> int:
        """How long the growing file is."""
        return self._file.length if self._file else 0

    @property
    def needs_file(self) -> bool:
        """Whether `start_file` must be called before the next page."""
        return self._file is None or self._file.full

    def start_file(self) -> None:
        """Begin the next file, announced in a transaction of its own; none may be open."""
        last = self._connection.execute("SELECT coalesce(max(id), 0) FROM archive").fetchone()[0]
        name = file_name(last + 1, datetime.now(UTC))
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("DELETE FROM archive WHERE length = 0")
        self._connection.execute("UPDATE archive SET closed = 1 WHERE NOT closed")
        self._connection.execute("INSERT INTO archive VALUES (?, ?, 0, 0)", (last + 1, name))
        self._connection.execute("COMMIT")
        self.close()
        self._file, self._serial = GrowingFile(self._folder / name, 0), last + 1

    def finish_file(self) -> None:
        """Let the growing file be finished though it is not full, if anything is in it; no transaction may be open."""
        if self.length == 0:
            return
        self.close()
        self._connection.execute("UPDATE archive SET closed = 1 WHERE id = ?", (self._serial,))

    def mark(self, session: Session) -> None:
        """Let a record before the next one say how it follows those before.

        Whoever takes the archive in anew then puts down what it has learnt where it was put down at the time.
        """
        self._session = max(self._session, session)

    def write(self, answer: Answer, visit: int, earlier_body: int | None) -> ArchivePlace:
        """Archive the hops of a visit; `earlier_body` is the visit with the address's last content."""
        hops = [hop for hop in answer.hops if hop.status]
        if not hops:
            return ArchivePlace()
        last = hops.pop()
        if answer.rendered:
            return self._write_rendered(answer, hops, last)
        digest = payload_digest(last.body)
        body_visit, original = self._original(last, digest, earlier_body)
        records = b"".join(self._redirections(hops)) if hops else b""
        final = exchange(last, digest, original)
        start = self._append(records + final.response + final.request) + len(records)
        if original is None and _is_worth_a_reference(last):
            self._remember(digest, visit)
        return ArchivePlace(
            archive=self._serial,
            start=start,
            length=len(final.response),
            digest=digest,
            size=sum([len(hop.body) for hop in hops], len(last.body)),
            body_visit=body_visit,
        )

    def _write_rendered(self, answer: Answer, hops: Sequence[Hop], last: Hop) -> ArchivePlace:
        """Archive a page as it was sent and, behind that, as a browser shows it: the visit's content is the latter."""
        made_from = new_id()
        sent = exchange(last, payload_digest(last.body), response_id=made_from)
        digest = payload_digest(answer.body)
        before = b"".join((*self._redirections(hops), sent.response, sent.request))
        shown = rendering(last, answer.body, digest, made_from)
        size = sum([len(hop.body) for hop in hops], len(last.body))
        start = self._append(before + shown) + len(before)
        return ArchivePlace(archive=self._serial, start=start, length=len(shown), digest=digest, size=size)

    def write_hops(self, hops: Sequence[Hop]) -> None:
        """Archive requests that are no visits, such as those for robots.txt."""
        self._append(b"".join(self._redirections([hop for hop in hops if hop.status])))

    def note_length(self) -> None:
        """Tell the database how far the growing file is good."""
        self.hand_over()
        if self._file:
            self._connection.execute(
                "UPDATE archive SET length = ? WHERE id = ? AND length <> ?", (self.length, self._serial, self.length)
            )

    def hand_over(self) -> None:
        """Hand to the system what waits, as must be done before it is read or committed."""
        if self._file:
            self._file.hand_over()

    def cut(self, length: int) -> None:
        """Forget the bytes past this length, as after a rollback."""
        if self._file:
            self._file.cut(length)
            if length <= self._marked[0]:
                self.mark(self._marked[1])

    def close(self) -> None:
        """Let go of the growing file."""
        if self._file:
            file, self._file = self._file, None
            file.close()

    def _append(self, data: bytes) -> int:
        """Take in records, after one that opens the file or the session; returns where they start."""
        assert self._file is not None, "start_file comes first"
        at, opening = self._file.length, b""
        if at == 0 or self._session is not Session.GOES_ON:
            opening = warcinfo(self._file.path.name, self._collection, datetime.now(UTC), self._session)
        start = self._file.append(opening + data) + len(opening)
        if opening:
            self._marked, self._session = (at, self._session), Session.GOES_ON
        return start

    def _redirections(self, hops: Sequence[Hop]) -> list[bytes]:
        exchanges = [exchange(hop, payload_digest(hop.body)) for hop in hops]
        return [record for made in exchanges for record in (made.response, made.request)]

    def _original(self, hop: Hop, digest: bytes, earlier_body: int | None) -> tuple[int | None, Original | None]:
        """The visit whose record already has this payload, if any."""
        visit = None
        if hop.status == HTTPStatus.NOT_MODIFIED:
            visit = earlier_body
        elif _is_worth_a_reference(hop):
            visit = self._recent.get(digest) or self._same_as_before(digest, earlier_body)
        archived = self._archived(visit) if visit else None
        if archived is None:
            return None, None
        if hop.status == HTTPStatus.NOT_MODIFIED:
            return visit, Original(url=archived.url, at=archived.at, profile=NOT_MODIFIED)
        # The bytes decide, not the digest: two bodies of one SHA-1 can be made.
        if archived.body != hop.body:
            return None, None
        return visit, Original(url=archived.url, at=archived.at, profile=SAME_PAYLOAD)

    def _same_as_before(self, digest: bytes, earlier_body: int | None) -> int | None:
        if earlier_body is None:
            return None
        row = self._connection.execute("SELECT digest FROM visit WHERE id = ?", (earlier_body,)).fetchone()
        return earlier_body if row and row[0] == digest else None

    def _remember(self, digest: bytes, visit: int) -> None:
        self._recent[digest] = visit
        if len(self._recent) > PAYLOADS_IN_MEMORY:
            del self._recent[next(iter(self._recent))]

    def _archived(self, visit: int) -> Hop | None:
        """The response of an earlier visit, if its file is still there."""
        row = self._connection.execute(
            "SELECT archive.name, start, visit.length FROM visit JOIN archive ON archive.id = visit.archive"
            " WHERE visit.id = ?",
            (visit,),
        ).fetchone()
        if row is None:
            return None
        self.hand_over()
        with suppress(StoreError):
            return read(self._folder, *row)
        return None

    def _take_up(self) -> None:
        """Bring the files that were growing back to what was committed, and go on with the last of them."""
        for serial, name, length in self._connection.execute(
            "SELECT id, name, length FROM archive WHERE NOT closed"
        ).fetchall():
            there = mend(self._folder / name, length)
            if length == 0:
                self._connection.execute("DELETE FROM archive WHERE id = ?", (serial,))
            elif there < length:
                self._give_up_tail(serial, name, there)
            else:
                self._file, self._serial = GrowingFile(self._folder / name, length), serial

    def _give_up_tail(self, serial: int, name: str, there: int) -> None:
        """A power failure took bytes that were committed: keep the whole records before them, and close the file."""
        log.warning("%s has lost its end; the pages are there, some of their original bytes are not", name)
        whole = "SELECT coalesce(max(start + length), 0) FROM visit WHERE archive = ? AND start + length <= ?"
        good: int = self._connection.execute(whole, (serial, there)).fetchone()[0]
        mend(self._folder / name, good)
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute(
            "UPDATE visit SET archive = NULL WHERE archive = ? AND start + length > ?", (serial, good)
        )
        self._connection.execute("UPDATE archive SET length = ?, closed = 1 WHERE id = ?", (good, serial))
        self._connection.execute("COMMIT")


def _is_worth_a_reference(hop: Hop) -> bool:
    return len(hop.body) >= SMALLEST_REVISIT and not hop.cut
