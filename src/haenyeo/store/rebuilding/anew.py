"""The database that grows beside the old one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Self

from haenyeo.model.errors import StoreError
from haenyeo.store.archive import archived_files
from haenyeo.store.lock import WriterLock
from haenyeo.store.reading.connected import DATABASE
from haenyeo.store.rebuilding.recorded import RecordedArchive
from haenyeo.store.sealed import reading_address
from haenyeo.store.search.index import FILE_NAME as INDEX
from haenyeo.store.sqlite import Store

UNFINISHED = "haenyeo.db-new"
BEFORE = "haenyeo.db-before"
BESIDE = ("-wal", "-shm")


class RebuildingStore(Store):
    """The store of a collection whose database is being made anew."""

    name = UNFINISHED

    @classmethod
    def take_up(cls, folder: Path) -> Self:
        """Begin a new database, or go on with one that was not finished; raises `StoreError` without an archive."""
        if not archived_files(folder):
            raise StoreError(
                f"{folder} has no files in archive/ to make its database from",
                advice="put them back from a copy, or crawl anew: haenyeo new, haenyeo crawl",
            )
        return cls._open_writing(folder)

    @property
    def archive(self) -> RecordedArchive:
        """What the database is made from."""
        assert isinstance(self._archivist, RecordedArchive)
        return self._archivist

    def copy_states(self, parts: Iterable[str]) -> int:
        """Take over what the old database remembers for these parts; -1 if it cannot be read, or there is none."""
        old = self.folder / DATABASE
        if not old.exists():
            return -1
        wanted = ",".join(f"'{part}'" for part in parts)
        query = f"SELECT part, key, value FROM state WHERE part IN ({wanted})"  # noqa: S608 - names of our own
        try:
            with closing(sqlite3.connect(reading_address(old), uri=True)) as connection:
                found = connection.execute(query).fetchall()
        except (sqlite3.Error, StoreError):
            return -1
        for part, key, value in found:
            self.put_state(part, key, value)
        return len(found)

    def flush(self) -> None:
        """Nothing yet: what was learnt must be committed with the visits it was learnt from, and that is `commit`."""

    def commit(self) -> None:
        """Commit what is pending; after a kill the work goes on from here."""
        super().flush()

    def finish(self) -> None:
        """Put the new database in the place of the old one, which is kept under another name."""
        self.commit()
        lock, self._lock = self._lock, None
        assert isinstance(lock, WriterLock)
        try:
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            super().close()
            _replace(self.folder)
        finally:
            lock.release()

    @staticmethod
    def _archive_of(connection: sqlite3.Connection, folder: Path) -> RecordedArchive:
        return RecordedArchive(connection, folder)


def _replace(folder: Path) -> None:
    """Swap the databases; killed at any moment, the new one is still there to be put in place.

    The old log goes first: SQLite would take it for the log of whatever database stands beside it. The search index
    knows pages by the numbers they had.
    """
    for suffix in ("", *BESIDE):
        (folder / (INDEX + suffix)).unlink(missing_ok=True)
    for suffix in (*BESIDE, ""):
        old = folder / (DATABASE + suffix)
        if old.exists():
            old.replace(folder / (BEFORE + suffix))
    (folder / UNFINISHED).replace(folder / DATABASE)
