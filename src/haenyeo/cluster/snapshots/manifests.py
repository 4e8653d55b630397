"""What is elsewhere of a shard: copies of its database, finished files of its archive, and manifests that name both.

    ADDRESS/shards-DIVISION/0003/haenyeo-00000012.db                     the database as it was
    ADDRESS/shards-DIVISION/0003/haenyeo-20261118093000-00017.warc.gz    finished files of the archive
    ADDRESS/shards-DIVISION/0003/manifest-00000012.json                  what belongs together; written last
    ADDRESS/shards-DIVISION/0003/links-LIFE-00000040                     links taken in since: see `journal`
    ADDRESS/collection-1763459121000000000.json                          settings and examples of all: see `whole`

Nothing is ever written over. A manifest that was cut off does not decode, and the one before it holds; so a kill
between any two steps leaves a snapshot that is whole. A *life* is the work on a shard in one folder: whoever makes the
shard anew elsewhere begins another, and from then on the folder of the life before is known to be out of date.
"""

from __future__ import annotations

import secrets
import time
from pathlib import Path
from typing import Any

import msgspec

from haenyeo.model.errors import StoreError
from haenyeo.store.elsewhere.notes import MovedFile, file_system
from haenyeo.store.shards.catalogue import SHARDS

NOTE = "snapshot.json"
"""The file in a shard's folder that says which life it is, and which snapshot was the last."""
KEPT = 2
"""Snapshots that are left: the last, and the one before while others may be reading it."""
_NAME = "manifest-"


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """One snapshot of a shard; `number` counts up, also from one life to the next."""

    number: int
    life: str
    at: float
    database: MovedFile
    archives: tuple[MovedFile, ...] = ()


class LifeNote(msgspec.Struct, frozen=True, kw_only=True):
    """Which life of a shard a folder has, and the last snapshot made of it or that it was made from.

    `stamp` are the size and the time of the database when a copy was brought, 0 where it is worked on.
    """

    life: str
    number: int = 0
    stamp: tuple[int, int] = (0, 0)


class FarFolder:
    """A folder elsewhere, by its address."""

    def __init__(self, address: str) -> None:
        self.folder = address.rstrip("/")
        self.system, self._place = file_system(self.folder)

    def names(self, beginning: str) -> list[str]:
        """The names of the files there that begin so, in order."""
        self.system.invalidate_cache()
        try:
            paths: list[Any] = self.system.ls(self._place, detail=False)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StoreError(f"{self.folder} cannot be read: {error}", advice="check the address and rights") from error
        found = (str(path).rstrip("/").rpartition("/")[2] for path in paths)
        return sorted(name for name in found if name.startswith(beginning))

    def read(self, name: str) -> bytes:
        """What a file there holds."""
        return bytes(self.system.cat_file(f"{self._place}/{name}"))

    def put(self, name: str, data: bytes) -> None:
        """Write a file there; raises `StoreError` if that fails."""
        try:
            self.system.makedirs(self._place, exist_ok=True)
            self.system.pipe_file(f"{self._place}/{name}", data)
        except OSError as error:
            raise StoreError(
                f"{name} cannot be written to {self.folder}: {error}", advice="check the rights"
            ) from error

    def remove(self, names: list[str]) -> None:
        """Remove files there; one that is gone already is no trouble."""
        for name in names:
            if self.system.exists(f"{self._place}/{name}"):
                self.system.rm_file(f"{self._place}/{name}")


class ShardAddress(FarFolder):
    """The place elsewhere of one shard of a division into shards."""

    def __init__(self, address: str, division: str, number: int) -> None:
        super().__init__(f"{address.rstrip('/')}/{SHARDS}-{division}/{number:04d}")

    def newest(self) -> Manifest | None:
        """The last manifest that is whole."""
        for name in reversed(self.names(_NAME)):
            try:
                return msgspec.json.decode(self.read(name), type=Manifest)
            except (msgspec.MsgspecError, FileNotFoundError):
                continue
        return None

    def publish(self, manifest: Manifest) -> None:
        """Make a snapshot the last one, unless another life has begun; then remove what is too old to be needed."""
        last = self.newest()
        if last is not None and last.number >= manifest.number:
            raise StoreError(
                f"{self.folder} is worked on by another machine now", advice="what was done here since is not used"
            )
        self.put(f"{_NAME}{manifest.number:08d}.json", msgspec.json.encode(manifest))
        self._remove_old(manifest)

    def _remove_old(self, newest: Manifest) -> None:
        manifests = self.names(_NAME)
        self.remove([name for name in manifests[:-KEPT] if name < f"{_NAME}{newest.number:08d}.json"])
        needed = {_database_of(self.read(name)) for name in self.names(_NAME)}
        databases = [name for name in self.names("haenyeo-") if name.endswith(".db")]
        self.remove([name for name in databases if name < database_name(newest.number) and name not in needed])


def database_name(number: int) -> str:
    """The name of a database's copy."""
    return f"haenyeo-{number:08d}.db"


def new_life() -> str:
    """A name that no other life has."""
    return secrets.token_hex(6)


def read_note(shard: Path) -> LifeNote | None:
    """Which life a shard's folder has; None if it was never copied, or its making was cut off."""
    try:
        return msgspec.json.decode((shard / NOTE).read_bytes(), type=LifeNote)
    except (OSError, msgspec.MsgspecError):
        return None


def now() -> float:
    """The time of a manifest."""
    return time.time()


def _database_of(manifest: bytes) -> str:
    try:
        address = msgspec.json.decode(manifest, type=Manifest).database.address
    except msgspec.MsgspecError:
        return ""
    return address.rpartition("/")[2]
