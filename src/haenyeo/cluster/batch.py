"""Batch work over all shards at a time: texts read anew, Parquet files; by Ray Data, or by processes of this machine.

The work on a shard is a function of its folder that can be sent elsewhere. Shards share nothing, so that as many are
worked on at a time as there are cores, here or in a cluster.
"""

from __future__ import annotations

import os
import pickle
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from haenyeo.cluster.layout import equip
from haenyeo.collect.adapters.reading.stored import Reread, read_again
from haenyeo.collect.collection import Collection
from haenyeo.collect.exporting.dataset_card import DatasetCard
from haenyeo.collect.exporting.formats import joined_parquet, write_file, write_parquet
from haenyeo.collect.exporting.whole import Exported, ExportWish, default_target, exported_rows, put_card
from haenyeo.collect.settings_file import read_settings
from haenyeo.store.search.index import FILE_NAME
from haenyeo.store.shards.catalogue import Catalogue, shard_folder

Result = TypeVar("Result")
Told = Callable[[int, int], None]
"""Hears how many of how many shards are done."""


def read_shards(folder: Path, method: str | None, ray: str | None, told: Told = lambda _done, _all: None) -> Reread:
    """Read the texts of all shards anew; returns what came of it in all."""
    total = Reread()
    for _, each in _over_shards(partial(_read_shard, method=method), folder, ray, told):
        total += each
    return total


def export_shards(folder: Path, wish: ExportWish, out: Path | None, ray: str | None) -> Exported:
    """Write the pages of all shards into one Parquet file, shard after shard; each shard's part is made by itself."""
    target = out or default_target(folder, wish.kind)
    settings = read_settings(folder)
    card = DatasetCard(folder.name, settings.topic.values())
    parts = target.absolute().with_name(f"{target.name}.parts")
    parts.mkdir(parents=True, exist_ok=True)
    try:
        for _, each in _over_shards(partial(_export_shard, wish=wish, parts=parts), folder, ray):
            card.take(each)
        files = sorted(parts.iterdir())
        count = write_file((), lambda _, file: joined_parquet(files, file), target)
    finally:
        shutil.rmtree(parts, ignore_errors=True)
    return Exported(count=count, out=str(target), card=put_card(card, target))


def _read_shard(shard: Path, method: str | None) -> Reread:
    with Collection.open(shard) as opened:
        result = read_again(opened.store, method or opened.settings.strategy.extractor, parts=opened.settings.parts)
    if result.changed:
        (shard / FILE_NAME).unlink(missing_ok=True)  # the index grows again from the new texts
    return result


def _export_shard(shard: Path, wish: ExportWish, parts: Path) -> DatasetCard:
    with Collection.open(shard, writing=False) as opened:
        card = DatasetCard(shard.name, ())
        rows = card.counting(exported_rows(opened.store, opened.settings, wish))
        write_file(rows, write_parquet, parts / f"{shard.name}.parquet")
    return card


def _over_shards(
    work: Callable[[Path], Result], folder: Path, ray: str | None, told: Told = lambda _done, _all: None
) -> Iterator[tuple[int, Result]]:
    """What comes of some work on each shard, in the order in which it is done."""
    with Catalogue(folder) as catalogue:
        count = catalogue.owners().shards
    equip(folder, count)
    shards = [shard_folder(folder.absolute(), number) for number in range(count)]
    results = _by_processes(work, shards) if ray is None else _by_ray(work, shards, ray)
    for done, result in enumerate(results, 1):
        told(done, count)
        yield result


def _by_processes(work: Callable[[Path], Result], shards: list[Path]) -> Iterator[tuple[int, Result]]:
    most = min(len(shards), len(os.sched_getaffinity(0)))
    with ProcessPoolExecutor(most, mp_context=get_context("spawn")) as pool:
        futures = {pool.submit(work, shard): number for number, shard in enumerate(shards)}
        for future in as_completed(futures):
            yield futures[future], future.result()


def _by_ray(work: Callable[[Path], Result], shards: list[Path], address: str) -> Iterator[tuple[int, Result]]:
    from haenyeo.cluster.on_ray import data_of, leave

    def worked(row: dict[str, Any]) -> dict[str, Any]:
        return {"shard": row["item"], "result": pickle.dumps(work(shards[row["item"]]))}

    try:
        for row in data_of(list(range(len(shards))), address).map(worked).iter_rows():
            yield row["shard"], pickle.loads(row["result"])  # noqa: S301 - our own workers'
    finally:
        leave()
