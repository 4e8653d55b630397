"""Opening a collection's SQLite database: is it ours, is it of this version, and what do its errors mean?"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from haenyeo.model.errors import CollectionBusyError, DiskFullError, StoreError
from haenyeo.store.migrations import steps
from haenyeo.store.sealed import reading_address

APPLICATION_ID = 0x4841454E  # "HAEN", so that `file` and we can tell our databases from others
PATIENCE = 30.0  # seconds to wait for a lock that someone else's tool holds
PAGE_BYTES = 8192
CACHE_KIB = 8 * 1024
WAL_PAGES = 2000  # 16 MB: rare enough for the disk, small enough to be read through at start
WAL_BYTES_LEFT = 64 * 1024 * 1024

NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE})
BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
PRIMARY_CODE = 0xFF


def connect(path: Path, *, writing: bool) -> sqlite3.Connection:
    """A connection with this application's settings; transactions are begun and ended by hand."""
    address = f"{path.absolute().as_uri()}?mode=rwc" if writing else reading_address(path)
    connection = sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    connection.execute("PRAGMA temp_store = memory")
    return connection


def check_ownership(connection: sqlite3.Connection, path: Path) -> int:
    """The database's version, 0 for an empty one; raises `StoreError` if it is not ours or newer than this program."""
    version, owner = _pragma(connection, "user_version"), _pragma(connection, "application_id")
    empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if owner != APPLICATION_ID and not (empty and version == 0):
        raise StoreError(
            f"{path} is a database of another program", advice="choose another folder, or move that file away"
        )
    newest = steps()[-1][0]
    if version > newest:
        raise StoreError(
            f"{path} was written by a newer haenyeo (database version {version}, this one knows {newest})",
            advice="update haenyeo: pip install -U haenyeo",
        )
    return version


def is_current(version: int) -> bool:
    """Whether nothing is left to migrate."""
    return version == steps()[-1][0]


def prepare(connection: sqlite3.Connection, version: int) -> None:
    """Set up the database for writing and bring it to today's version; a kill between any two steps does no harm."""
    if version == 0:
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
    connection.execute("PRAGMA journal_mode = wal")
    connection.execute("PRAGMA synchronous = normal")
    connection.execute(f"PRAGMA wal_autocheckpoint = {WAL_PAGES}")
    connection.execute(f"PRAGMA journal_size_limit = {WAL_BYTES_LEFT}")
    for number, sql in steps():
        if number > version:
            connection.executescript(
                f"BEGIN IMMEDIATE;\n{sql}\nPRAGMA application_id = {APPLICATION_ID};\n"
                f"PRAGMA user_version = {number};\nCOMMIT;"
            )


@contextmanager
def explaining(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise explained(error, path) from error


def explained(error: sqlite3.Error, path: Path) -> StoreError | CollectionBusyError:
    """SQLite's error as one of ours, with what to do about it."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if code in NO_ROOM:
        return DiskFullError(
            f"no room to write {path}: {error}", advice="make room and go on; everything up to the last commit is safe"
        )
    if code & PRIMARY_CODE in BUSY:
        return CollectionBusyError(f"{path} is locked by another program", advice="close that program and try again")
    if code & PRIMARY_CODE in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return StoreError(
            f"{path} is damaged or no database: {error}",
            advice=f"make it anew from the pages in archive/: haenyeo rebuild {path.parent}",
        )
    return StoreError(f"{path} cannot be used: {error}", advice="check the folder's rights and its disk")


class Savepoint:
    """What is done inside is done whole, or not at all; it can be entered again and again.

    `before` is called first and may refuse, `undo` when something inside has failed. A generator as context would cost
    more than the savepoint itself, for every page.
    """

    def __init__(
        self, connection: sqlite3.Connection, path: Path, *, before: Callable[[], None], undo: Callable[[], None]
    ) -> None:
        self._connection, self._path = connection, path
        self._execute = connection.cursor().execute
        self._before, self._undo = before, undo

    def __enter__(self) -> None:
        self._before()
        try:
            if not self._connection.in_transaction:
                self._execute("BEGIN IMMEDIATE")
            self._execute("SAVEPOINT whole")
        except sqlite3.Error as error:
            self._undo()
            raise explained(error, self._path) from error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            try:
                self._execute("RELEASE whole")
            except sqlite3.Error as failure:
                error = failure
            else:
                return
        self._undo()
        if isinstance(error, sqlite3.Error):
            raise explained(error, self._path) from error

    def roll_back(self) -> None:
        """Undo what was done since the savepoint; raises `sqlite3.Error` if SQLite gave up the whole transaction."""
        self._execute("ROLLBACK TO whole")
        self._execute("RELEASE whole")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value
