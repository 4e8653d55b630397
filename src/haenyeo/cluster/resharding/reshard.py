"""More or fewer shards, or none: everything is copied into new folders, which then take the place of the old ones.

The copy is made beside the collection, which can be read meanwhile. When it is complete it is renamed, and from then on
a kill can only mean that the rest is done by the next call: the old folders go, the new ones come.
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from haenyeo.cluster.learning.sums import ALL
from haenyeo.cluster.messages import unpacked
from haenyeo.cluster.resharding.carrying import Remembered, number_anew
from haenyeo.cluster.snapshots.manifests import ShardAddress
from haenyeo.cluster.snapshots.restoring import bring_home
from haenyeo.cluster.ties import ENDING, INBOX
from haenyeo.collect.links.outbox import LinksSent, Outbox
from haenyeo.collect.settings_file import read_settings
from haenyeo.store import NewLink, Store
from haenyeo.store.lock import WriterLock
from haenyeo.store.shards.catalogue import FILE_NAME, SHARDS, Catalogue, Owners, dealt_out, is_sharded, shard_folder
from haenyeo.store.shards.resharding import ShardMaking

UNFINISHED, COMPLETE, OLD_GONE = "resharded.part", "resharded", "old-gone"
MANY = 1 << 30
Told = Callable[[int, int], None]
"""Hears how many of how many copies are made."""


def reshard(folder: Path, count: int, told: Told = lambda _done, _all: None) -> None:
    """Give the collection so many shards; with 1 it is in one piece."""
    finish(folder)
    with ExitStack() as held:
        if is_sharded(folder):
            held.callback(WriterLock(folder).release)
            _bring_all_home(folder)
        sources = _sources(folder)
        stores = [held.enter_context(Store.open(source, writing=True)) for source in sources]
        _copy(folder, sources, stores, count, told)
        (folder / UNFINISHED).rename(folder / COMPLETE)
    finish(folder)


def finish(folder: Path) -> None:
    """Let a complete copy take the place of what was there; does nothing if there is none."""
    new = folder / COMPLETE
    if not new.exists():
        return
    if not (new / OLD_GONE).exists():
        _remove_old(folder)
        (new / OLD_GONE).touch()
    shards = sorted(path for path in new.iterdir() if path.is_dir())
    if (folder / SHARDS).exists() or len(shards) > 1:
        (folder / SHARDS).mkdir(exist_ok=True)
        for shard in shards:
            shard.rename(folder / SHARDS / shard.name)
        Catalogue.create(folder, dealt_out(len(list((folder / SHARDS).iterdir()))))
    else:
        for path in [path for shard in shards for path in shard.iterdir() if path.name != "haenyeo.lock"]:
            path.rename(folder / path.name)
    shutil.rmtree(new)


def _bring_all_home(folder: Path) -> None:
    """Have the last of every shard here, if shards are kept on the disks of other machines."""
    storage = read_settings(folder).storage
    if not storage.disk:
        return
    with Catalogue(folder) as catalogue:
        division = catalogue.division
    for number, shard in enumerate(_sources(folder)):
        bring_home(shard, ShardAddress(storage.archive, division, number))


def _sources(folder: Path) -> list[Path]:
    if not is_sharded(folder):
        return [folder]
    with Catalogue(folder) as catalogue:
        return [shard_folder(folder, number) for number in range(catalogue.owners().shards)]


def _had(folder: Path, count: int) -> list[Callable[[str], bool]]:
    """Which sites each of the old stores has had."""
    if not is_sharded(folder):
        return [lambda _: True]
    with Catalogue(folder) as catalogue:
        of = catalogue.owners().of
    return [lambda site, number=number: of(site) == number for number in range(count)]  # type: ignore[misc]


def _copy(folder: Path, sources: list[Path], stores: list[Store], count: int, told: Told) -> None:
    """Make the new shards from the old ones; the database of each is read in its own file."""
    shutil.rmtree(folder / UNFINISHED, ignore_errors=True)
    owners, had = Owners(dealt_out(count)), _had(folder, len(sources))
    for store in stores:
        store.flush()
    for number in range(count):
        with ShardMaking.create(folder / UNFINISHED / f"{number:04d}") as made:

            def owns(site: str, number: int = number) -> bool:
                return owners.of(site) == number

            for done, (source, store) in enumerate(zip(sources, stores, strict=True)):
                remembered = Remembered(store, owns, had[done])
                made.take_over(source, owns, remembered.is_wanted, first=number == 0)
                remembered.put_unsettled(made)
                for depth, links in _on_their_way(source, store, owns).items():
                    made.add_sent(links, depth)
                told(number * len(sources) + done + 1, count * len(sources))
            number_anew(made)


def _on_their_way(source: Path, store: Store, owns: Callable[[str], bool]) -> dict[int, list[NewLink]]:
    """The links that wait in a shard's outbox or inbox and lead to our sites, by their depth."""
    found: dict[int, list[NewLink]] = defaultdict(list)
    for sent in _sent(source, store, owns):
        found[sent.depth] += [link for link in sent.links if owns(link.site)]
    return found


def _sent(source: Path, store: Store, owns: Callable[[str], bool]) -> Iterator[LinksSent]:
    yield from (sent for _, sent in Outbox(store, owns).first(MANY))
    if (source / INBOX).is_dir():
        for path in sorted((source / INBOX).glob(f"*{ENDING}")):
            yield from unpacked(path.read_bytes()).links


def _remove_old(folder: Path) -> None:
    for name in (SHARDS, "archive"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for name in (FILE_NAME, ALL, "haenyeo.db", "search.db"):
        for suffix in ("", "-wal", "-shm"):
            (folder / f"{name}{suffix}").unlink(missing_ok=True)
