"""Brings finished files of the archive to the storage that the settings name, and exports to any address."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec

from haenyeo.collect.exporting.whole import Exported, ExportWish, write_collection
from haenyeo.model.config import Settings, StorageSettings
from haenyeo.store import Store
from haenyeo.store.elsewhere import is_noted, move, send
from haenyeo.store.shards.opening import open_store


def is_elsewhere(place: str) -> bool:
    """Whether a place to write to is an address of another storage.

    >>> is_elsewhere("s3://bucket/corals.jsonl"), is_elsewhere("corals.jsonl"), is_elsewhere("C:/corals.jsonl")
    (True, False, False)
    """
    return "://" in place


def move_finished(folder: Path, storage: StorageSettings) -> list[str]:
    """Bring the finished files of a collection's archive elsewhere, one after the other; where they are now.

    Files of shards go into folders of their own, as here: two may have the same name. May run while a crawl writes the
    next file. Raises `StoreError` or `UsageError` at the first that cannot be brought.
    """
    with open_store(folder, writing=False) as store:
        finished = [path for path in store.closed_archives() if path.exists() and not (storage.keep and is_noted(path))]
    return [move(path, _place_of(path, folder, storage), keep=storage.keep).address for path in finished]


def _place_of(path: Path, folder: Path, storage: StorageSettings) -> str:
    """The folder elsewhere of a file: that of the collection's archive, or its shard's in it."""
    shard = path.parent.parent.relative_to(folder).as_posix()
    return storage.archive if shard == "." else f"{storage.archive.rstrip('/')}/{shard}"


def write_elsewhere(store: Store, settings: Settings, wish: ExportWish, address: str) -> Exported:
    """Write the pages that are kept to an address of another storage: made here first, sent, and read back."""
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder)
        done = write_collection(store, settings, wish, whole / address.rstrip("/").rpartition("/")[2])
        parent = address.rstrip("/").rpartition("/")[0]
        for path in sorted(path for path in whole.rglob("*") if path.is_file()):
            send(path, f"{parent}/{path.relative_to(whole).as_posix()}")
    card = f"{parent}/{Path(done.card).name}" if done.card else ""
    return msgspec.structs.replace(done, out=address, card=card)
