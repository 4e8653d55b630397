"""What the process of one shard does, from its first to its last moment."""

from __future__ import annotations

import asyncio
import gc
import logging
from pathlib import Path

from haenyeo.cluster.messages import read_run
from haenyeo.cluster.shard import ShardCrawl
from haenyeo.cluster.snapshots.journal import CopiedTies
from haenyeo.cluster.snapshots.restoring import come_back
from haenyeo.cluster.snapshots.taking import is_copied
from haenyeo.cluster.ties import RUN, FolderTies
from haenyeo.collect.settings_file import read_settings
from haenyeo.store.shards.catalogue import Catalogue

YOUNG_OBJECTS = 100_000  # made before the collector looks at them


async def work(folder: Path, number: int) -> None:
    """Crawl the shard in the run that the catalogue names."""
    with Catalogue(folder) as catalogue:
        run, owners, division = catalogue.get(RUN), catalogue.owners(), catalogue.division
    if run is None:
        return
    storage = read_settings(folder).storage
    come_back(folder, number, division, storage)
    copied = is_copied(storage)
    ties = CopiedTies(folder, number, storage.archive, division) if copied else FolderTies(folder, number)
    try:
        await ShardCrawl(folder, number, owners, ties, read_run(run)).work()
    finally:
        ties.close()


def main(folder: Path, number: int) -> None:
    """Work on a shard until the orders say to stop."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(message)s")
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)
    with asyncio.Runner(loop_factory=_fast_loop) as runner:
        runner.run(work(folder, number))


def _fast_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()
