"""A collection in shards as a whole: whose snapshots are at an address, and how it is made anew from them."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec

from haenyeo.cluster.layout import equip, put_file
from haenyeo.cluster.snapshots.manifests import FarFolder, new_life
from haenyeo.cluster.snapshots.mirror import changed_files
from haenyeo.cluster.snapshots.restoring import bring_home
from haenyeo.collect.settings_file import FILE_NAME
from haenyeo.model.errors import CollectionError, NoCollectionError
from haenyeo.store.lock import mark_cut_off
from haenyeo.store.shards.catalogue import Catalogue, dealt_out, shard_folder

OWN_NAME = "collection.id"
"""The file with the name of a collection that no other has, wherever its folder is and whatever it is called."""
_NAME = "collection-"


class WholeCollection(msgspec.Struct, frozen=True, kw_only=True):
    """What belongs to no shard: the collection's own name, how many shards it has, and files of its folder."""

    name: str
    shards: int
    files: dict[str, bytes]


def note_whole(folder: Path, shards: int, address: str) -> None:
    """Let what belongs to no shard be where the snapshots are; raises `CollectionError` if others' are there."""
    place, own = FarFolder(address), _own_name(folder)
    last = _newest(place)
    if last is not None and last.name != own:
        raise CollectionError(
            f"{address} has the snapshots of another collection",
            advice=f"name another address, or bring that one here: haenyeo restore NAME {address}",
        )
    files = {name: data for name, (_, data) in changed_files(folder, {}).items()}
    now = WholeCollection(name=own, shards=shards, files=files)
    if now != last:
        before = place.names(_NAME)
        place.put(f"{_NAME}{time.time_ns()}.json", msgspec.json.encode(now))
        place.remove(before)


def restore(folder: Path, address: str) -> int:
    """Make a collection anew from its snapshots; returns how many shards it has. To be called again if it is cut off.

    The archives stay where they are, and are read there.
    """
    if (folder / FILE_NAME).exists():
        raise CollectionError(f"there is a collection at {folder} already", advice="choose another name")
    whole = _newest(FarFolder(address))
    if whole is None:
        raise NoCollectionError(f"there are no snapshots at {address}", advice="check the address")
    for number in range(whole.shards):
        shard = shard_folder(folder, number)
        bring_home(shard, number, address)
        mark_cut_off(shard)  # whom the other machine asked last is not known here
    Catalogue.create(folder, dealt_out(whole.shards))
    put_file(folder / OWN_NAME, whole.name.encode())
    for name, data in sorted(whole.files.items(), key=lambda file: file[0] == FILE_NAME):  # what makes it one is last
        (folder / name).parent.mkdir(exist_ok=True)
        put_file(folder / name, data)
    equip(folder, whole.shards)
    return whole.shards


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
