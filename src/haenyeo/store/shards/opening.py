"""Opens a collection's store and index, whether it is in shards or in one piece."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from haenyeo.model.errors import CollectionError
from haenyeo.store.search import SearchIndex
from haenyeo.store.shards.catalogue import SHARDS, Catalogue, is_sharded, shard_folder
from haenyeo.store.shards.found_together import ShardsIndex
from haenyeo.store.shards.together import ShardsStore
from haenyeo.store.sqlite import Store


def open_store(folder: Path, *, writing: bool) -> Store:
    """The store of a collection; one in shards can only be read as a whole."""
    if not is_sharded(folder):
        return Store.open(folder, writing=writing)
    if writing:
        raise CollectionError(
            f"{folder} is in shards, and this cannot be done to all of them at once",
            advice=f"name a shard ({folder}/shards/0000), or make it one piece: haenyeo reshard {folder} --shards 1",
        )
    return ShardsStore(folder)


def open_index(folder: Path) -> SearchIndex:
    """The index of a collection."""
    return ShardsIndex(folder) if is_sharded(folder) else SearchIndex(folder)


def homes_of(folder: Path, site: str) -> list[Path]:
    """The folders of all shards, or the collection's own; the one with the site's pages comes first."""
    if not is_sharded(folder):
        return [folder]
    with Catalogue(folder) as catalogue:
        owners = catalogue.owners()
    first = owners.of(site)
    return [shard_folder(folder, shard) for shard in sorted(range(owners.shards), key=lambda shard: shard != first)]


def owned_by(folder: Path) -> Callable[[str], bool] | None:
    """Says which sites belong to a folder that is a shard of a collection; None if it is none, and has all."""
    whole = folder.absolute().parent.parent
    if folder.absolute().parent.name != SHARDS or not is_sharded(whole):
        return None
    with Catalogue(whole) as catalogue:
        owners = catalogue.owners()
    number = int(folder.name)
    return lambda site: owners.of(site) == number
