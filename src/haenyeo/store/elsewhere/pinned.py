"""A collection as it was at one moment, to be copied while others write on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Self

from haenyeo.store import database


class PinnedStore:
    """Goes on seeing what was in a database when it was made; may be used by another thread.

    It is to be closed soon: until then the database's log cannot be cut.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with database.explaining(path):
            self._connection = database.connect(path, writing=False)
            self._connection.execute("BEGIN")
            self._connection.execute("SELECT count(*) FROM archive").fetchone()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._connection.close()

    def finished_files(self) -> list[str]:
        """The names of the archive's finished files that have something in them."""
        with database.explaining(self._path):
            found = self._connection.execute("SELECT name FROM archive WHERE closed AND length > 0")
            return [name for (name,) in found]

    def copy_to(self, path: Path) -> None:
        """Write the database to a new file."""
        path.unlink(missing_ok=True)
        with database.explaining(path), closing(sqlite3.connect(path)) as copy:
            self._connection.backup(copy)
