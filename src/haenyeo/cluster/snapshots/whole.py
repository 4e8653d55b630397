"""A collection in shards as a whole: whose snapshots are at an address, and how it is made anew from them."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import msgspec

from haenyeo.cluster.layout import equip, put_file
from haenyeo.cluster.snapshots.manifests import FarFolder, ShardAddress, new_life
from haenyeo.cluster.snapshots.mirror import changed_files
from haenyeo.cluster.snapshots.restoring import bring_home
from haenyeo.collect.settings_file import FILE_NAME
from haenyeo.model.config import StorageSettings
from haenyeo.model.errors import CollectionError, NoCollectionError, StoreError
from haenyeo.store.lock import mark_cut_off
from haenyeo.store.shards.catalogue import Catalogue, shard_folder

OWN_NAME = "collection.id"
"""The file with the name of a collection that no other has, wherever its folder is and whatever it is called."""
PAUSE = 5.0  # seconds between two looks whether all shards have snapshots
_NAME = "collection-"


class WholeCollection(msgspec.Struct, frozen=True, kw_only=True):
    """What belongs to no shard: the collection's own name, its division into shards, and files of its folder."""

    name: str
    division: str
    buckets: bytes
    files: dict[str, bytes]


class WholeNote:
    """Puts what belongs to no shard where the snapshots are, once there are some of all shards of the division.

    Until then what is there holds: the division before, if there was one. Raises `CollectionError` if the snapshots
    of another collection are there.
    """

    def __init__(self, folder: Path, storage: StorageSettings) -> None:
        self._place, self._archive = FarFolder(storage.archive), storage.archive
        with Catalogue(folder) as catalogue:
            self._shards, division, buckets = catalogue.owners().shards, catalogue.division, catalogue.buckets()
        files = {name: data for name, (_, data) in changed_files(folder, {}).items()}
        self._wanted = WholeCollection(name=_own_name(folder), division=division, buckets=buckets, files=files)
        last = _newest(self._place)
        if last is not None and last.name != self._wanted.name:
            raise CollectionError(
                f"{storage.archive} has the snapshots of another collection",
                advice=f"name another address, or bring that one here: haenyeo restore NAME {storage.archive}",
            )
        self._is_there, self._look_at = last == self._wanted, 0.0

    async def step(self) -> None:
        """Write it if that can be done now; looked at now and then."""
        if not self._is_there and time.monotonic() >= self._look_at:
            await self.end()
            self._look_at = time.monotonic() + PAUSE

    async def end(self) -> None:
        """Write it if that can be done."""
        try:
            await asyncio.to_thread(self._write)
        except StoreError:  # the shards tell that the storage refuses
            return

    def _write(self) -> None:
        places = (ShardAddress(self._archive, self._wanted.division, number) for number in range(self._shards))
        if self._is_there or not all(place.newest() for place in places):
            return
        before = self._place.names(_NAME)
        self._place.put(f"{_NAME}{time.time_ns()}.json", msgspec.json.encode(self._wanted))
        self._place.remove(before)
        self._is_there = True


def restore(folder: Path, address: str) -> int:
    """Make a collection anew from its snapshots; returns how many shards it has. To be called again if it is cut off.

    The archives stay where they are, and are read there.
    """
    if (folder / FILE_NAME).exists():
        raise CollectionError(f"there is a collection at {folder} already", advice="choose another name")
    whole = _newest(FarFolder(address))
    if whole is None:
        raise NoCollectionError(f"there are no snapshots at {address}", advice="check the address")
    owners = Catalogue.owners_of(whole.buckets)
    for number in range(owners.shards):
        shard = shard_folder(folder, number)
        bring_home(shard, ShardAddress(address, whole.division, number))
        mark_cut_off(shard)  # whom the other machine asked last is not known here
    Catalogue.create(folder, owners.buckets, whole.division)
    put_file(folder / OWN_NAME, whole.name.encode())
    for name, data in sorted(whole.files.items(), key=lambda file: file[0] == FILE_NAME):  # what makes it one is last
        (folder / name).parent.mkdir(exist_ok=True)
        put_file(folder / name, data)
    equip(folder, owners.shards)
    return owners.shards


def _own_name(folder: Path) -> str:
    path = folder / OWN_NAME
    if not path.exists():
        put_file(path, new_life().encode())
    return path.read_text("ascii")


def _newest(place: FarFolder) -> WholeCollection | None:
    for name in reversed(place.names(_NAME)):
        try:
            return msgspec.json.decode(place.read(name), type=WholeCollection)
        except (msgspec.MsgspecError, FileNotFoundError):
            continue
    return None
