"""Where the shards of a collection are, and what each of them needs of the collection's own folder."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from haenyeo.cluster.ties import inbox_of
from haenyeo.collect.collection import EXAMPLES
from haenyeo.collect.crawl.seeding.starts import ADDED
from haenyeo.collect.links import steering
from haenyeo.collect.settings_file import FILE_NAME
from haenyeo.model.errors import CollectionError
from haenyeo.store import Store
from haenyeo.store.shards.catalogue import Catalogue, dealt_out, is_sharded, shard_folder


def make_shards(folder: Path, count: int) -> None:
    """Put empty shards into a collection's folder; a catalogue makes it one in shards, last of all."""
    for number in range(count):
        Store.create(shard_folder(folder, number)).close()
    Catalogue.create(folder, dealt_out(count))


def put_in_shards(folder: Path, count: int | None) -> None:
    """Make sure that the collection is in shards, in so many if that is said and it has no pages yet."""
    if is_sharded(folder):
        _check_count(folder, count)
        return
    assert count is not None
    with Store.open(folder, writing=True) as store:
        if store.newest_page():
            raise CollectionError(
                f"{folder} has pages already, in one piece", advice=f"haenyeo reshard {folder} --shards {count}"
            )
        make_shards(folder, count)
    for path in folder.glob("haenyeo.db*"):
        path.unlink()


def _check_count(folder: Path, count: int | None) -> None:
    with Catalogue(folder) as catalogue:
        shards = catalogue.owners().shards
    if count not in (None, shards):
        raise CollectionError(
            f"{folder} has {shards} shards, not {count}", advice=f"haenyeo reshard {folder} --shards {count}"
        )


def equip(folder: Path, count: int) -> None:
    """Give every shard the collection's settings, examples and seeds as they are now, and an inbox."""
    for number in range(count):
        equip_shard(folder, number)


def equip_shard(folder: Path, number: int) -> None:
    """Give one shard what it needs of the collection's folder."""
    shard = shard_folder(folder, number)
    inbox_of(folder, number).mkdir(parents=True, exist_ok=True)
    for name in (FILE_NAME, ADDED):
        if (folder / name).exists():
            put_file(shard / name, (folder / name).read_bytes())
    if (folder / EXAMPLES).is_dir():
        shutil.copytree(folder / EXAMPLES, shard / EXAMPLES, dirs_exist_ok=True)
    with suppress(FileExistsError):  # a link, so that a crawl under way sees what the user changes
        (shard / steering.FILE_NAME).symlink_to(Path(os.pardir) / os.pardir / steering.FILE_NAME)


def put_file(target: Path, data: bytes) -> None:
    """Put a file in place, whole or not at all: others may be reading it."""
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.write_bytes(data)
    unfinished.replace(target)
