"""The archive as it is: its records one after another, and their places for the visits that are read from them."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from haenyeo.html.urls import url_hash
from haenyeo.model.visits import Answer, Hop
from haenyeo.store.archive import archived_files, explained, members, read
from haenyeo.store.elsewhere import length_of
from haenyeo.store.encoding import blob, microseconds, signed
from haenyeo.store.pages import ArchivePlace
from haenyeo.store.warc import NOT_MODIFIED, ReadRecord, Session, read_record, read_session

PART, PLACE = "rebuild", "place"
_PUT_PLACE = "INSERT INTO state VALUES (?, ?, ?) ON CONFLICT (part, key) DO UPDATE SET value = excluded.value"


class ArchivedRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A response in the archive and where it is; `done` is how many bytes of all files lie before its end.

    `session` says how it follows those before it, `rendered` is the record that has what a browser made of it.
    """

    read: ReadRecord
    file: int
    start: int
    length: int
    done: int
    session: Session = Session.GOES_ON
    rendered: ArchivedRecord | None = None


class RecordedArchive:
    """The archive as it is: nothing is written, each visit gets the place of the record it was read from."""

    length, needs_file = 0, False

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        self._connection, self._folder = connection, folder / "archive"
        self.files = archived_files(folder)
        self.unread: list[str] = []
        self._at_hand: ArchivedRecord | None = None
        self._note_files()

    def records(self) -> Iterator[ArchivedRecord]:
        """The responses that were not taken in yet, each with its rendering if it has one."""
        response: ArchivedRecord | None = None
        for record in self._each():
            if not record.read.rendered:
                if response is not None:
                    yield response
                response = record
            elif response is not None and response.read.hop.url == record.read.hop.url:
                response = msgspec.structs.replace(response, rendered=record)
        if response is not None:
            yield response

    def _each(self) -> Iterator[ArchivedRecord]:
        """Responses and renderings as they stand; a file that is damaged is read up to the damage."""
        first, start = self._place()
        done, session = sum(map(length_of, self.files[: first - 1])), Session.GOES_ON
        for number, path in enumerate(self.files[first - 1 :], first):
            size = length_of(path)
            try:
                for at, length, record in members(path, size, start):
                    session = max(session, read_session(record))
                    if found := read_record(record):
                        end = done + at + length
                        yield ArchivedRecord(
                            read=found, file=number, start=at, length=length, done=end, session=session
                        )
                        session = Session.GOES_ON
            except OSError as error:
                raise explained(error, path) from error
            except (zlib.error, ValueError) as error:
                self.unread.append(f"{path.name}: {error}")
            done, start = done + size, 0

    def turn_to(self, record: ArchivedRecord) -> None:
        """Say from which record the next visit is read."""
        self._at_hand = record

    def payload(self, record: ReadRecord) -> bytes | None:
        """The body of a response, also if another record has it; None if that one is not there."""
        if record.original is None or record.original.profile == NOT_MODIFIED:
            return record.hop.body
        visit = self._visit_of(record)
        row = self._connection.execute("SELECT archive, start, length FROM visit WHERE id = ?", (visit,)).fetchone()
        return None if row is None else read(self._folder, self.files[row[0] - 1].name, row[1], row[2]).body

    def write(self, answer: Answer, visit: int, earlier_body: int | None) -> ArchivePlace:
        """The place of the record at hand; an answer that came without one has none."""
        del visit
        record = self._at_hand
        if record is None or not answer.hops:
            return ArchivePlace()
        self._connection.execute(
            _PUT_PLACE, (PART, PLACE, blob(msgspec.msgpack.encode((record.file, record.start + record.length))))
        )
        original = record.read.original
        body_visit = earlier_body if original and original.profile == NOT_MODIFIED else self._visit_of(record.read)
        return ArchivePlace(
            archive=record.file,
            start=record.start,
            length=record.length,
            digest=record.read.digest,
            size=sum(len(hop.body) for hop in answer.hops),
            body_visit=body_visit,
        )

    def start_file(self) -> None:
        """Nothing is written."""

    def finish_file(self) -> None:
        """Nothing is written."""

    def mark(self, session: Session) -> None:
        """Nothing is written."""

    def write_hops(self, hops: Sequence[Hop]) -> None:
        """Nothing is written."""

    def note_length(self) -> None:
        """Nothing has grown."""

    def hand_over(self) -> None:
        """Nothing waits."""

    def cut(self, length: int) -> None:
        """Nothing has grown."""

    def reload(self) -> None:
        """Nothing is remembered."""

    def close(self) -> None:
        """No file is held."""

    def _note_files(self) -> None:
        rows = [(number, path.name, length_of(path)) for number, path in enumerate(self.files, 1)]
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.executemany("INSERT OR REPLACE INTO archive VALUES (?, ?, ?, 1)", rows)
        self._connection.execute("COMMIT")

    def _place(self) -> tuple[int, int]:
        """The file and the byte to go on from."""
        found = self._connection.execute("SELECT value FROM state WHERE part = ? AND key = ?", (PART, PLACE)).fetchone()
        return msgspec.msgpack.decode(found[0], type=tuple[int, int]) if found else (1, 0)

    def _visit_of(self, record: ReadRecord) -> int | None:
        """The visit whose record has the payload of this one."""
        original = record.original
        if original is None:
            return None
        found = self._connection.execute(
            "SELECT visit.id FROM page JOIN visit ON visit.page = page.id"
            " WHERE page.hash = ? AND page.url = ? AND visit.at_us = ? AND visit.archive IS NOT NULL",
            (signed(url_hash(original.url)), original.url, microseconds(original.at)),
        ).fetchone()
        return found[0] if found else None
