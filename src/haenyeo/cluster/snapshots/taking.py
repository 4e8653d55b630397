"""Takes snapshots of a shard while it is worked on; see `manifests` for what is elsewhere then, and in which order."""

from __future__ import annotations

import asyncio
import logging
import time
from pathlib import Path

import msgspec

from haenyeo.cluster.layout import put_file
from haenyeo.cluster.snapshots.journal import LinkJournal
from haenyeo.cluster.snapshots.manifests import (
    NOTE,
    LifeNote,
    Manifest,
    ShardAddress,
    database_name,
    new_life,
    now,
    read_note,
)
from haenyeo.model.config import StorageSettings
from haenyeo.model.errors import StoreError
from haenyeo.store import Store
from haenyeo.store.elsewhere import move, send
from haenyeo.store.elsewhere.notes import MovedFile, moved
from haenyeo.store.elsewhere.pinned import PinnedStore

log = logging.getLogger(__name__)

SHORTEST_PAUSE = 10.0  # seconds between two snapshots
PAUSE = 20  # times as long as the last one took: copying takes a twentieth of the time at most
UNSENT = "snapshot.part"
"""The copy of the database in the shard's folder, until it was sent."""


def is_copied(storage: StorageSettings) -> bool:
    """Whether shards send snapshots elsewhere."""
    return storage.snapshots and bool(storage.archive)


class ShardSnapshots:
    """The snapshots of a shard's folder, sent to its place elsewhere; finished files may `keep` being here as well."""

    def __init__(self, folder: Path, place: ShardAddress, *, keep: bool) -> None:
        self._folder, self._address, self._keep = folder, place, keep
        note = read_note(folder)
        self._life = note.life if note else new_life()
        last = self._address.newest()
        self._number = last.number if last else 0
        self.journal = LinkJournal(self._address, self._life)
        self.taken_at, self.trouble = 0.0, ""
        self._due_at, self._visits = time.monotonic() + SHORTEST_PAUSE, -1
        self._taking: asyncio.Task[None] | None = None

    def step(self, store: Store) -> None:
        """Begin a snapshot if it is time for one, and something was done since the last."""
        if self._taking is not None and not self._taking.done():
            return
        if time.monotonic() >= self._due_at and (store.newest_visit() != self._visits or self.journal.written()):
            self._taking = asyncio.create_task(self.take(store))

    async def end(self, store: Store) -> None:
        """Take a last snapshot, of all that is there."""
        if self._taking is not None:
            await self._taking
        await self.take(store)

    async def take(self, store: Store) -> None:
        """Take a snapshot; what goes wrong is noted as `trouble`, and it is tried again when the next is due."""
        began, visits, names = time.monotonic(), store.newest_visit(), self.journal.written()
        pinned = store.pinned()
        try:
            await asyncio.to_thread(self.copy, pinned)
            await asyncio.to_thread(self.journal.forget, names)
            self.taken_at, self.trouble, self._visits = now(), "", visits
        except (StoreError, OSError) as error:
            self.trouble = str(error)
            log.warning("no snapshot of %s: %s", self._folder, error)
        self._due_at = time.monotonic() + max(SHORTEST_PAUSE, PAUSE * (time.monotonic() - began))

    def copy(self, pinned: PinnedStore) -> None:
        """Send what was pinned, and let go of it: archive, database, and at last the manifest."""
        unsent = self._folder / UNSENT
        with pinned:
            names = pinned.finished_files()
            pinned.copy_to(unsent)
        archives = tuple(self._sent(self._folder / "archive" / name) for name in names)
        number = self._number + 1
        database = send(unsent, f"{self._address.folder}/{database_name(number)}")
        self._address.publish(Manifest(number=number, life=self._life, at=now(), database=database, archives=archives))
        self._number = number
        put_file(self._folder / NOTE, msgspec.json.encode(LifeNote(life=self._life, number=number)))
        unsent.unlink(missing_ok=True)

    def _sent(self, path: Path) -> MovedFile:
        """Where a finished file is, sent there if it was not yet."""
        return move(path, self._address.folder, keep=self._keep) if path.exists() else _noted(path)


def _noted(path: Path) -> MovedFile:
    found = moved(path)
    if found is None:
        raise StoreError(f"{path} is missing, and no note says where it is", advice="put it back")
    return found
