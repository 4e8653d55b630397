"""Collections that can be read but not written: archives, snapshots, folders of others.

SQLite needs two small files beside a database that has a write-ahead log, even to read it. Where they can neither be
found nor made it can read the database as one that nobody changes; then it does not look at the log. So such a database
is opened that way only if nothing waits in its log.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import xxhash

from haenyeo.model.errors import StoreError

ELSEWHERE = "copy the whole folder to a place where you may write, and use it there"


def is_sealed(folder: Path) -> bool:
    """Whether files cannot be made in this folder, because of its rights or because its disk is read-only."""
    return not os.access(folder, os.W_OK)


def reading_address(path: Path) -> str:
    """The URI under which SQLite can read a database; raises `StoreError` if that would lose what is in its log."""
    address = f"{path.absolute().as_uri()}?mode=ro"
    if not is_sealed(path.parent) or _can_be_read(address):
        return address
    log = path.with_name(path.name + "-wal")
    waiting = log.stat().st_size if log.exists() else 0
    if waiting:
        raise StoreError(
            f"{path.parent} cannot be written, and {log.name} has {waiting:,} bytes that are not in {path.name} yet:"
            " without them pages would be missing",
            advice=ELSEWHERE,
        )
    return f"{address}&immutable=1"


def index_place(database: Path) -> Path:
    """Where the search index of a sealed collection is kept: in the user's cache, apart for every state of it."""
    state = database.stat()
    named = f"{database.absolute().resolve()}\n{state.st_mtime_ns}\n{state.st_size}"
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "haenyeo"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"{database.parent} cannot be written, and its search index cannot be made in {folder}: {error.strerror}",
            advice="name a folder where you may write: XDG_CACHE_HOME=FOLDER haenyeo search ...",
        ) from error
    return folder / f"search-{xxhash.xxh3_64_hexdigest(named.encode())}.db"


def _can_be_read(address: str) -> bool:
    """Whether SQLite finds all that it needs at this address; what is wrong with the database itself is no answer."""
    with closing(sqlite3.connect(address, uri=True)) as connection:
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError:
            return False
        except sqlite3.DatabaseError:
            pass
    return True
