"""The catalogue of a collection in shards: which shard has which sites, and what shards and coordinator have told.

Sites fall into 4,096 buckets by the hash of their names, and buckets are dealt out to shards; so a map of any number of
sites takes eight kilobytes. The catalogue is a small SQLite database of names and values: the map, the run under way,
the last report of each shard and the last orders to it. Every change is whole or not there, whoever is killed when.
"""

from __future__ import annotations

import secrets
import sqlite3
from array import array
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

import xxhash

from haenyeo.model.errors import CollectionError, NoCollectionError
from haenyeo.store.database import PATIENCE, explaining

FILE_NAME = "catalogue.db"
SHARDS = "shards"
"""The folder of the shards' folders."""
BUCKETS = 4096
MAP, DIVISION = "map", "division"

_SCHEMA = "CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"


def bucket_of(site: str) -> int:
    """The bucket of a site; the same for ever, on every machine."""
    return xxhash.xxh3_64_intdigest(site.encode("utf-8")) % BUCKETS


def is_sharded(folder: Path) -> bool:
    """Whether the collection in this folder is kept in shards."""
    return (folder / FILE_NAME).exists()


def shard_folder(folder: Path, number: int) -> Path:
    """Where a shard is kept."""
    return folder / SHARDS / f"{number:04d}"


def dealt_out(shards: int) -> array[int]:
    """A map that gives every shard as many buckets, one more or less."""
    if not 1 <= shards <= BUCKETS:
        raise CollectionError(f"a collection cannot have {shards} shards", advice=f"choose 1 to {BUCKETS}")
    return array("H", [bucket % shards for bucket in range(BUCKETS)])


class Owners:
    """Knows which shard has a site."""

    def __init__(self, buckets: array[int]) -> None:
        self.buckets = buckets
        self._known: dict[str, int] = {}
        self.shards = max(buckets) + 1

    def of(self, site: str) -> int:
        """The shard that has this site."""
        known = self._known.get(site)
        if known is None:
            if len(self._known) >= BUCKETS * 16:
                self._known.clear()
            known = self._known[site] = self.buckets[bucket_of(site)]
        return known


class Catalogue:
    """An opened catalogue; any number of processes may read and write it at a time."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        if not self._path.exists():
            raise NoCollectionError(
                f"there is no collection in shards at {folder}", advice=f"make one: haenyeo crawl {folder} --shards 4"
            )
        with explaining(self._path):
            self._connection = _connected(self._path)

    @classmethod
    def create(cls, folder: Path, buckets: array[int], division: str = "") -> None:
        """Put a catalogue with this map into a folder, in place of one that is there; it is a new division if none."""
        unfinished = folder / f"{FILE_NAME}.part"
        unfinished.unlink(missing_ok=True)
        with explaining(unfinished):
            connection = sqlite3.connect(unfinished, isolation_level=None)
            connection.execute(_SCHEMA)
            facts = ((MAP, buckets.tobytes()), (DIVISION, (division or secrets.token_hex(4)).encode()))
            connection.executemany("INSERT INTO fact VALUES (?, ?)", facts)
            connection.close()
        unfinished.replace(folder / FILE_NAME)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def owners(self) -> Owners:
        """Which shard has which site."""
        return self.owners_of(self.buckets())

    @property
    def division(self) -> str:
        """The name of this division into shards, which no other has, also if there are as many shards."""
        return (self.get(DIVISION) or b"first").decode()

    def buckets(self) -> bytes:
        """The map of the buckets, as it is noted."""
        return self.get(MAP) or b""

    @staticmethod
    def owners_of(buckets: bytes) -> Owners:
        """Which shard has which site, by a map as it is noted."""
        found: array[int] = array("H")
        found.frombytes(buckets)
        return Owners(found)

    def get(self, name: str) -> bytes | None:
        """What is noted under a name."""
        with explaining(self._path):
            row = self._connection.execute("SELECT value FROM fact WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def all(self, kind: str) -> dict[int, bytes]:
        """What is noted of each shard under the names `kind/NUMBER`."""
        with explaining(self._path):
            rows = self._connection.execute(
                "SELECT name, value FROM fact WHERE name >= ? AND name < ?", (f"{kind}/", f"{kind}0")
            ).fetchall()
        return {int(name.rpartition("/")[2]): value for name, value in rows}

    def put(self, facts: Iterable[tuple[str, bytes]]) -> None:
        """Note all of these at once, in place of what was there."""
        with explaining(self._path), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT OR REPLACE INTO fact VALUES (?, ?)", list(facts))

    def forget(self, kind: str) -> None:
        """Forget what is noted of the shards under the names `kind/NUMBER`."""
        with explaining(self._path):
            self._connection.execute("DELETE FROM fact WHERE name >= ? AND name < ?", (f"{kind}/", f"{kind}0"))


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = wal")
    connection.execute("PRAGMA synchronous = normal")
    return connection
