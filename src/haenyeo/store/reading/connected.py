"""A collection's database, asked in small steps."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from haenyeo.store.database import explaining
from haenyeo.store.links import LinkTable

DATABASE = "haenyeo.db"
ROWS_IN_STEP = 256
LARGEST_NUMBER = 2**63 - 1
"""No row has a higher number."""


class Connected:
    """What all readings of a collection share: its folder and the connection to its database."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, name: str = DATABASE) -> None:
        self.folder = folder
        self._connection = connection
        self._path = folder / name
        self._archive_folder = folder / "archive"
        with explaining(self._path):
            self._links = LinkTable(connection)

    def limit_cache(self, kibibytes: int) -> None:
        """Keep at most so much of the database in this connection's memory."""
        self._rows(f"PRAGMA cache_size = -{kibibytes:d}")

    def close(self) -> None:
        """Let go of the files."""
        self._connection.close()

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        with explaining(self._path):
            return self._connection.execute(query, values).fetchall()

    def _steps(self, query: str, values: Sequence[Any] = (), *, after: int = 0, order: str = "id") -> Iterator[Any]:
        """The rows of a query whose first parameter is the last number seen, a few at a time."""
        step = f"{query} ORDER BY {order} LIMIT {ROWS_IN_STEP}"
        while rows := self._rows(step, (after, *values)):
            yield from rows
            after = rows[-1][0]
