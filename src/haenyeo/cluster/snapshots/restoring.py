"""Makes a shard's folder anew from its last snapshot, on whatever machine; what it needs of the archive stays there."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec

from haenyeo.cluster.layout import equip_shard, put_file
from haenyeo.cluster.snapshots.manifests import NOTE, LifeNote, Manifest, ShardAddress, new_life, now, read_note
from haenyeo.cluster.snapshots.taking import ShardSnapshots, is_copied
from haenyeo.model.config import StorageSettings
from haenyeo.model.errors import CollectionError, StoreError
from haenyeo.store import Store
from haenyeo.store.elsewhere.moving import digest_of
from haenyeo.store.elsewhere.notes import MovedFile, file_system, note_of
from haenyeo.store.lock import WriterLock, mark_cut_off
from haenyeo.store.shards.catalogue import shard_folder

UNFINISHED = "restored.part"
WORKED_ON = (0, 0)
_OF_A_LIFE = ("haenyeo.db", "haenyeo.db-wal", "haenyeo.db-shm", "search.db", "search.db-wal", "search.db-shm", "learnt")


def come_back(folder: Path, number: int, division: str, storage: StorageSettings) -> None:
    """Make a shard whose folder is lost anew from its snapshot, if there are snapshots."""
    shard = shard_folder(folder, number)
    if is_copied(storage) and not (shard / "haenyeo.db").exists():
        settle_in(shard, ShardAddress(storage.archive, division, number))
        equip_shard(folder, number)


def settle_in(shard: Path, place: ShardAddress) -> None:
    """Let a machine's own folder of a shard be the last that was worked on: it is, or is made so from the snapshot.

    A shard that has no snapshot yet is left as it is.
    """
    last, note = place.newest(), read_note(shard)
    if last is None or (note is not None and note.life == last.life and (shard / "haenyeo.db").exists()):
        return
    _make(shard, last)
    claimed = msgspec.structs.replace(last, number=last.number + 1, life=new_life(), at=now())
    place.publish(claimed)
    mark_cut_off(shard)  # whom the life before asked last is not known here
    put_file(shard / NOTE, msgspec.json.encode(LifeNote(life=claimed.life, number=claimed.number)))


def send_out(shard: Path, place: ShardAddress, *, keep: bool) -> None:
    """Let the last snapshot of a shard be what the collection's own folder has, unless that was only brought there.

    Raises `CollectionError` if both have changed since.
    """
    last, note = place.newest(), read_note(shard)
    if last is not None and is_as_brought(shard):
        return
    if last is not None and note is not None and note.stamp != WORKED_ON and last.number > note.number:
        raise CollectionError(
            f"{shard} was changed here while a machine of the cluster worked on it",
            advice=f"keep one: remove {shard / 'haenyeo.db'} to go on with the cluster's, or {shard / NOTE} with this",
        )
    (shard / NOTE).unlink(missing_ok=True)
    with Store.open(shard, writing=True) as store:
        ShardSnapshots(shard, place, keep=keep).copy(store.pinned())
    _note_as_brought(shard)


def bring_home(shard: Path, place: ShardAddress) -> None:
    """Let the collection's own folder of a shard show what its last snapshot has, if it does not yet."""
    last, note = place.newest(), read_note(shard)
    if last is None or (note is not None and (note.life, note.number) == (last.life, last.number)):
        return
    _make(shard, last, keeps_index=note is not None and note.life == last.life)
    put_file(shard / NOTE, msgspec.json.encode(LifeNote(life=last.life, number=last.number)))
    _note_as_brought(shard)


def is_as_brought(shard: Path) -> bool:
    """Whether a folder has what its last snapshot has, because nobody has written there since."""
    note, path, log = read_note(shard), shard / "haenyeo.db", shard / "haenyeo.db-wal"
    if note is None or not path.exists():
        return note is not None
    return note.stamp == _stamp_of(path) and not (log.exists() and log.stat().st_size)


def _note_as_brought(shard: Path) -> None:
    note = read_note(shard)
    assert note is not None
    told = msgspec.structs.replace(note, stamp=_stamp_of(shard / "haenyeo.db"))
    put_file(shard / NOTE, msgspec.json.encode(told))


def _stamp_of(database: Path) -> tuple[int, int]:
    state = database.stat()
    return state.st_size, state.st_mtime_ns


def _make(shard: Path, last: Manifest, *, keeps_index: bool = False) -> None:
    """Put what a manifest names in place of what is there; whoever is killed begins again, because the note is gone."""
    shard.mkdir(parents=True, exist_ok=True)
    lock = WriterLock(shard)
    try:
        _fetch(last.database, shard / UNFINISHED)
        (shard / NOTE).unlink(missing_ok=True)
        for name in _OF_A_LIFE:
            if not (keeps_index and name.startswith("search")):
                (shard / name).unlink(missing_ok=True)
        shutil.rmtree(shard / "archive", ignore_errors=True)
        (shard / "archive").mkdir()
        for each in last.archives:
            path = shard / "archive" / each.address.rpartition("/")[2]
            put_file(note_of(path), msgspec.json.encode(each))
        (shard / UNFINISHED).replace(shard / "haenyeo.db")
    finally:
        lock.release()


def _fetch(copy: MovedFile, path: Path) -> None:
    """Bring a copy here; raises `StoreError` if it is not what was sent."""
    system, place = file_system(copy.address)
    try:
        system.get_file(place, str(path))
        with path.open("rb") as file:
            arrived = digest_of(file)
    except OSError as error:
        raise StoreError(
            f"{copy.address} cannot be read: {error}", advice="check the address and the rights"
        ) from error
    if arrived != (copy.sha256, copy.length):
        raise StoreError(
            f"{copy.address} is not what was sent there", advice="remove its manifest: the one before holds"
        )
