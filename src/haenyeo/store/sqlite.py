"""The store: SQLite as the truth, WARC files for the original bytes, and one order in which both are written.

A page's rows go into the open transaction, and `flush` hands the bytes of all pages to the operating system before it
commits. So whatever is killed when, the database never speaks of bytes that are not there; bytes it does not speak of
are cut off when the collection is opened next. A page is whole in a transaction or not in it at all: `save` works
inside a savepoint.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from haenyeo.html.urls import url_hash
from haenyeo.model.errors import CollectionError, NoCollectionError, StoreError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Found, Hop, Outcome
from haenyeo.store import database
from haenyeo.store.archive import archived_files
from haenyeo.store.archiving import Archive, Archivist
from haenyeo.store.elsewhere.pinned import PinnedStore
from haenyeo.store.encoding import blob, microseconds, signed
from haenyeo.store.lock import WriterLock
from haenyeo.store.pages import PageTable
from haenyeo.store.reading import CollectionReading
from haenyeo.store.reading.connected import DATABASE
from haenyeo.store.records import (
    NewEvent,
    NewLink,
    NewRow,
    PageRecord,
    PartState,
    Retraction,
    SavedPage,
    StoredJudgement,
)
from haenyeo.store.sealed import ELSEWHERE, is_sealed
from haenyeo.store.warc import Session

SETTINGS = "haenyeo.toml"
_PIECE = 1 << 20  # bytes of a value that are written at once


class Store(CollectionReading):
    """A collection's database and archive.

    Opened for writing it is the only writer; any number of readers may work beside it, in this process or others. A
    store serves one thread at a time. A method that raises has changed nothing, and the store can be used on; only when
    a disk is full the pages since the last `flush` may be undone as well, and `pending` is 0 then.
    """

    pending: int
    """How many pages were saved since the last `flush`."""

    name = DATABASE
    """The database's file in the collection's folder."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, lock: WriterLock | None) -> None:
        super().__init__(folder, connection, self.name)
        self._lock = lock
        self.pending = self._length = 0
        self._whole = database.Savepoint(connection, self._path, before=self._note_length, undo=self._take_back)
        if lock:
            with database.explaining(self._path):
                self._archivist = self._archive_of(connection, folder)
                self._pages = PageTable(connection)
            self._committed = self._archivist.length

    @classmethod
    def create(cls, folder: Path) -> Self:
        """Make an empty store and open it for writing; completes one whose making was cut short."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CollectionError(f"cannot make {folder}: {error.strerror}", advice="choose another place") from error
        store = cls._open_writing(folder)
        counts = store.counts()
        if counts.found or counts.visits:
            store.close()
            raise CollectionError(f"there is a collection at {folder} already", advice="choose another name")
        return store

    @classmethod
    def open(cls, folder: Path, *, writing: bool) -> Self:
        """Open the store of a collection, mending what a crash has left behind if it is opened for writing."""
        if not (folder / DATABASE).exists():
            _check_not_lost(folder)
        if not (folder / DATABASE).exists() and not (writing and (folder / SETTINGS).exists()):
            raise NoCollectionError(
                f"there is no collection at {folder}", advice="make one: haenyeo new NAME --topic ..."
            )
        return cls._open_writing(folder) if writing else cls._open_reading(folder)

    @staticmethod
    def _archive_of(connection: sqlite3.Connection, folder: Path) -> Archive:
        return Archivist(connection, folder)

    @classmethod
    def _open_writing(cls, folder: Path) -> Self:
        path = folder / cls.name
        with ExitStack() as undo:
            lock = WriterLock(folder)
            undo.callback(lock.release)
            with database.explaining(path):
                connection = database.connect(path, writing=True)
                undo.callback(connection.close)
                database.prepare(connection, database.check_ownership(connection, path))
                store = cls(folder, connection, lock)
            undo.pop_all()
        return store

    @classmethod
    def _open_reading(cls, folder: Path) -> Self:
        path = folder / DATABASE
        with database.explaining(path), ExitStack() as undo:
            connection = database.connect(path, writing=False)
            undo.callback(connection.close)
            if not database.is_current(database.check_ownership(connection, path)):
                undo.close()
                _check_migratable(folder)
                cls._open_writing(folder).close()
                connection = database.connect(path, writing=False)
                undo.callback(connection.close)
            store = cls(folder, connection, None)
            undo.pop_all()
        return store

    @property
    def was_cut_off(self) -> bool:
        """Whether the one that wrote here before has died while it did."""
        return self._lock is not None and self._lock.cut_off

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def save(self, record: PageRecord) -> SavedPage:
        """Store everything a visit caused; it is safe after the next `flush`."""
        if record.answer.hops and self._archivist.needs_file:
            self._start_file()
        with self._whole:
            url = record.url or record.answer.final_url
            hashed = signed(url_hash(url))
            known = self._pages.look_up(hashed, url)
            judged = self._pages.judge(record, known, hashed)
            place = self._archivist.write(record.answer, judged.visit, known.body_visit if known else None)
            found = self._pages.write(record, judged, place, known)
            first_ref = 0
            if record.links or record.targets:
                first_ref = self._add_links(record.links, record.targets, record.depth + 1, (judged.page, judged.url))
            if record.events or record.states:
                self._put(record.events, record.states)
            self._retract(record.retracted)
            if record.rows:
                self._put_rows(record.rows, judged.at_us)
        self.pending += 1
        changed = None if judged.changed is None else found is Found.CHANGED
        return SavedPage(page=judged.page, visit=judged.visit, first_ref=first_ref, changed=changed, found=found)

    def add_seeds(self, seeds: Sequence[NewLink], depth: int = 0) -> int:
        """Store links that stand on no page of this collection; returns the ref of the first."""
        with self._whole:
            return self._add_links(seeds, (), depth, None)

    def archive_hops(self, hops: Sequence[Hop]) -> None:
        """Archive requests that are no visits, such as those for robots.txt."""
        if self._archivist.needs_file:
            self._start_file()
        with self._whole:
            self._archivist.write_hops(hops)

    def mark(self, session: Session) -> None:
        """Let the archive show how the next visit follows those before; the first one begins a session unasked."""
        self._archivist.mark(session)

    def put_state(self, part: str, key: str, value: bytes) -> None:
        """Remember something for a part, in place of what was there."""
        self.put_states((PartState(part=part, key=key, value=value),))

    def put_states(self, states: Sequence[PartState]) -> None:
        """Remember several things, all or none of them."""
        with self._whole:
            self._put((), states)

    def add_event(self, event: NewEvent) -> None:
        """Remember an event that no page caused."""
        with self._whole:
            self._put((event,), ())

    def put_rows(self, rows: Sequence[NewRow], at: datetime, retracted: Sequence[Retraction] = ()) -> None:
        """Remember records seen at a time, others forgotten before; one that is known already is not doubled."""
        with self._whole:
            self._retract(retracted)
            self._put_rows(rows, microseconds(at))

    def rejudge(self, url: str, relevance: Mapping[str, float], *, kept: bool) -> None:
        """Change the verdict on a page that was read."""
        with self._whole:
            self._connection.execute(
                "UPDATE page SET relevance = ?, kept = ? WHERE hash = ? AND url = ?",
                (msgspec.msgpack.encode(dict(relevance)), kept, signed(url_hash(url)), url),
            )

    def rejudge_all(self, judgements: Iterable[StoredJudgement]) -> None:
        """Change the verdicts on pages that were read."""
        encode = msgspec.msgpack.encode
        with self._whole:
            self._connection.executemany(
                "UPDATE page SET relevance = ?, kept = ? WHERE id = ?",
                [(encode(judged.relevance), judged.kept, judged.page) for judged in judgements],
            )

    def reopen(self, outcomes: Iterable[Outcome], urls: Iterable[str] = ()) -> int:
        """Let addresses wait again that never brought anything: those that ended so, and those named; returns how many.

        To be called before a crawl fills its frontier.
        """
        with self._whole:
            return self._pages.reopen(outcomes, urls)

    def forget_states(self, part: str) -> None:
        """Forget all that a part has remembered."""
        with self._whole:
            self._connection.execute("DELETE FROM state WHERE part = ?", (part,))

    def forget_keys(self, part: str, keys: Iterable[str]) -> None:
        """Forget what a part has remembered under these keys."""
        with self._whole:
            self._connection.executemany("DELETE FROM state WHERE part = ? AND key = ?", [(part, key) for key in keys])

    def put_text(self, url: str, text: str) -> None:
        """Put a page's text in place of what was read from the same content before; one without text stays so."""
        with self._whole:
            self._pages.put_text(url, text)

    def flush(self) -> None:
        """Commit what is pending; it survives the death of this process from now on."""
        if not self._connection.in_transaction:
            return
        with self._committing():
            self._archivist.note_length()
            self._connection.execute("COMMIT")

    def pinned(self) -> PinnedStore:
        """What is here now, all of it in finished files, while others are written."""
        self.flush()
        with self._committing():
            self._archivist.finish_file()
        return PinnedStore(self._path)

    def close(self) -> None:
        """Commit what is pending and let go of the files; closing twice does no harm."""
        if self._lock is None:
            super().close()
            return
        with ExitStack() as last:
            last.callback(self._lock.release)
            last.callback(super().close)
            last.callback(self._archivist.close)
            self._lock = None
            self.flush()

    def _hand_over(self) -> None:
        if self._lock:
            self._archivist.hand_over()

    def _start_file(self) -> None:
        self.flush()
        with self._committing():
            self._archivist.start_file()

    def _add_links(
        self, links: Sequence[NewLink], targets: Sequence[int], depth: int, page: tuple[int, Url] | None
    ) -> int:
        sites = self._pages.site_ids([link.site for link in links])
        return self._links.add(links, targets, sites, depth, page)

    def _put(self, events: Sequence[NewEvent], states: Sequence[PartState]) -> None:
        for event in events:
            self._connection.execute(
                "INSERT INTO event (at_us, kind, url, data) VALUES (?, ?, ?, ?)",
                (microseconds(event.at), event.kind, event.url, event.data),
            )
        for state in states:
            if len(state.value) > _PIECE:
                self._put_large(state)
                continue
            self._connection.execute(
                "INSERT INTO state VALUES (?, ?, ?) ON CONFLICT (part, key) DO UPDATE SET value = excluded.value",
                (state.part, state.key, blob(state.value)),
            )

    def _put_large(self, state: PartState) -> None:
        """Write a value piece by piece: as one parameter SQLite would hold it three times.

        It would hold the value before, too, to undo a statement that may fail halfway; the one that makes room cannot.
        """
        execute, key = self._connection.execute, (state.part, state.key)
        execute("INSERT INTO state VALUES (?, ?, x'') ON CONFLICT (part, key) DO NOTHING", key)
        [row] = execute("SELECT rowid FROM state WHERE part = ? AND key = ?", key).fetchone()
        execute("UPDATE state SET value = zeroblob(?) WHERE rowid = ?", (len(state.value), row))
        whole = memoryview(state.value)
        with self._connection.blobopen("state", "value", row) as place:
            for start in range(0, len(whole), _PIECE):
                place.write(whole[start : start + _PIECE])

    def _retract(self, retracted: Sequence[Retraction]) -> None:
        self._connection.executemany(
            "DELETE FROM record WHERE rule = ? AND first_us >= ?",
            [(each.rule, microseconds(each.since)) for each in retracted],
        )

    def _put_rows(self, rows: Sequence[NewRow], at_us: int) -> None:
        self._connection.executemany(
            "INSERT INTO record (rule, key, page, first_us, last_us, changed_us, fields) VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (rule, key) DO UPDATE SET page = excluded.page, last_us = excluded.last_us, changed_us ="
            " CASE WHEN fields = excluded.fields THEN changed_us ELSE excluded.last_us END, fields = excluded.fields"
            " WHERE last_us <= excluded.last_us",
            [(row.rule, row.key, row.page, at_us, at_us, at_us, msgspec.json.encode(row.fields)) for row in rows],
        )

    @contextmanager
    def _committing(self) -> Iterator[None]:
        """What is pending is committed inside, or undone."""
        done = False
        try:
            yield
            self._committed, self.pending = self._archivist.length, 0
            done = True
        except sqlite3.Error as error:
            raise database.explained(error, self._path) from error
        finally:
            if not done:
                self._roll_back()

    def _note_length(self) -> None:
        if self._lock is None:
            raise StoreError(f"{self.folder} was opened for reading only", advice="open it with writing=True")
        self._length = self._archivist.length

    def _take_back(self) -> None:
        """Undo what was begun since the savepoint, or everything since the last commit if SQLite gave that up."""
        try:
            self._whole.roll_back()
        except sqlite3.Error:
            self._roll_back()
            return
        self._archivist.cut(self._length)
        self._forget()

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        self._archivist.cut(self._committed)
        self.pending = 0
        self._forget()

    def _forget(self) -> None:
        self._pages.reload()
        self._links.reload()
        self._archivist.reload()


def _check_migratable(folder: Path) -> None:
    if is_sealed(folder):
        raise StoreError(
            f"{folder} was made by an earlier haenyeo, and cannot be written to bring it up to date", advice=ELSEWHERE
        )


def _check_not_lost(folder: Path) -> None:
    """A folder with pages in its archive had a database once; one without is a collection that was just made."""
    if (folder / SETTINGS).exists() and any(archived_files(folder)):
        raise StoreError(
            f"{folder / DATABASE} is missing; the pages themselves are in {folder / 'archive'}",
            advice=f"make it anew from them: haenyeo rebuild {folder}",
        )
