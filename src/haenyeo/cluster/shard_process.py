"""The process of one shard: `python -m haenyeo.cluster.shard_process FOLDER NUMBER`, started by a coordinator."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from pathlib import Path

from haenyeo.cluster.messages import read_run
from haenyeo.cluster.shard import ShardCrawl
from haenyeo.cluster.ties import RUN, FolderTies
from haenyeo.store.shards.catalogue import Catalogue

YOUNG_OBJECTS = 50_000  # made before the collector looks at them


async def work(folder: Path, number: int) -> None:
    """Crawl the shard in the run that the catalogue names."""
    with Catalogue(folder) as catalogue:
        run, owners = catalogue.get(RUN), catalogue.owners()
    if run is None:
        return
    ties = FolderTies(folder, number)
    try:
        await ShardCrawl(folder, number, owners, ties, read_run(run)).work()
    finally:
        ties.close()


def main(arguments: list[str]) -> None:
    """Work on the shard that the arguments name."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(message)s")
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)
    with asyncio.Runner(loop_factory=_fast_loop) as runner:
        runner.run(work(Path(arguments[0]), int(arguments[1])))


def _fast_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


if __name__ == "__main__":
    main(sys.argv[1:])
