"""What do shards gain and cost, do they bring the same pages, and does a kill cost any?

    python -m bench.cluster                            6,000 pages of 3,000 sites: in one piece, with 1, 2 and 4 shards
    python -m bench.cluster --shards 0 2 --pages 2000 --sites 300
    python -m bench.cluster --shards 4 --kills 20      kills random shards and coordinators at random moments

A made-up web (`made_web.py`) is served by this process; its CPU seconds are not counted with the crawl. On two cores
it takes its share of one, so that pages a second are those of crawl and server together. 0 shards is a crawl in one
piece. "asked twice" counts pages that the server was asked for more than once: after a kill those under way are. The
"shortest gap" is between two pages of one site, as the server sees it: not below the delay but for what the way takes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import random
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from bench.made_web import MadeWeb, Proxy, address

from haenyeo.cluster.ties import inbox_of, waiting
from haenyeo.collect.links.outbox import PART
from haenyeo.model.errors import HaenyeoError
from haenyeo.store import Store
from haenyeo.store.lock import writer_of
from haenyeo.store.shards.catalogue import is_sharded, shard_folder
from haenyeo.store.shards.opening import open_store

CALL = [sys.executable, "-m", "haenyeo"]
TOPIC = "diving in the sea, reef and coral"
KILL_EVERY = (0.5, 3.0)  # seconds between two kills
NEARLY = 0.9  # of the delay: requests are on their way for a while, and this process has more to do than to note times
Figures = dict[str, float | str | list[str]]


class Counting(Proxy):
    """Notes every page that is asked for, and the shortest time between two requests of each site."""

    def __init__(self, web: MadeWeb, asked: Counter[bytes], gaps: Gaps | None = None) -> None:
        super().__init__(web, [0])
        self._pages, self._gaps = asked, gaps

    def _answer(self, head: bytes) -> bytes:
        url = head.split(b" ", 2)[1]
        if not url.endswith(b"robots.txt"):  # that is asked for in the same turn as the first page
            self._pages[url] += 1
            if self._gaps is not None:
                self._gaps.note(url.split(b"/", 3)[2])
        return super()._answer(head)


class Gaps:
    """The time between two requests of a site: the shortest of all, and how many were shorter than they may be."""

    def __init__(self, least: float) -> None:
        self._least = NEARLY * least
        self._last: dict[bytes, float] = {}
        self.shortest, self.too_short = math.inf, 0

    def note(self, site: bytes) -> None:
        """The site is asked now."""
        now = time.monotonic()
        gap = now - self._last.get(site, -math.inf)
        self.shortest, self._last[site] = min(self.shortest, gap), now
        self.too_short += gap < self._least


async def crawled(options: argparse.Namespace, place: Path, shards: int) -> Figures:
    """Crawl the whole web with so many shards, and return what it took and brought."""
    web, asked, gaps = MadeWeb(options.sites, options.pages), Counter[bytes](), Gaps(options.delay)
    server = await asyncio.get_running_loop().create_server(lambda: Counting(web, asked, gaps), "127.0.0.1", 0)
    proxy = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    seeds = [f"--seed={address(site, 0)}" for site in range(0, options.sites, max(1, options.sites // 20))]
    made = await asyncio.create_subprocess_exec(*CALL, "new", str(place), "--topic", TOPIC, *seeds, "-q")
    await made.wait()
    before, began = _used_by_children(), time.monotonic()
    command = [*CALL, "crawl", str(place), "--delay", str(options.delay), "--proxy", proxy, "-q", "--no-index"]
    command += ["--strategy", options.strategy, *(["--shards", str(shards)] if shards else [])]
    kills = await _run(command, place, shards, options.kills)
    seconds, used = time.monotonic() - began, _used_by_children() - before
    server.close()
    stored = _stored(place)
    return {
        "shards": shards,
        "pages": len(stored),
        "of": sum(web.sizes),
        "stored twice": len(stored) - len(set(stored)),
        "asked twice": sum(count > 1 for count in asked.values()),
        "seconds": seconds,
        "pages/s": len(stored) / seconds,
        "cpu s/1,000": used / max(1, len(stored)) * 1000,
        "kills": kills,
        "s shortest gap": gaps.shortest,
        "gaps too short": gaps.too_short,
        "unsent": _unsent(place, shards),
        "urls": stored,
    }


async def _run(command: list[str], place: Path, shards: int, kills: int) -> int:
    """Run the crawl to its end, started again whenever it is killed; returns how often something was killed."""
    done, chance = 0, random.Random(7)
    process = await asyncio.create_subprocess_exec(*command)
    while done < kills and process.returncode is None:
        await asyncio.sleep(chance.uniform(*KILL_EVERY))
        victim = chance.randrange(-1, shards)
        if victim < 0 and process.returncode is None:
            process.kill()
            await process.wait()
            process = await asyncio.create_subprocess_exec(*command)
            done += 1
        elif pid := is_sharded(place) and writer_of(shard_folder(place, max(0, victim))):
            os.kill(pid, signal.SIGKILL)
            done += 1
    if await process.wait():
        sys.exit(f"the crawl ended with {process.returncode}")
    return done


def _unsent(place: Path, shards: int) -> int:
    """What is left in the outboxes and inboxes of all shards."""
    left = 0
    for number in range(shards):
        with Store.open(shard_folder(place, number), writing=False) as store:
            left += store.state_count(PART) + waiting(inbox_of(place, number))
    return left


def _stored(place: Path) -> list[str]:
    try:
        with open_store(place, writing=False) as store:
            return [page.url for page in store.pages(kept_only=False)]
    except HaenyeoError as error:
        sys.exit(str(error))


def _used_by_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def show(found: Figures) -> None:
    """Print the figures of one crawl."""
    parts = [f"{value:,.{0 if float(value).is_integer() else 2}f} {name}" for name, value in found.items()
             if isinstance(value, int | float)]  # fmt: skip
    print("  ".join(parts), flush=True)


def main() -> None:
    """Measure what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shards", type=int, nargs="+", default=[0, 1, 2, 4])
    parser.add_argument("--pages", type=int, default=6_000)
    parser.add_argument("--sites", type=int, default=3_000)
    parser.add_argument("--strategy", default="bfs")
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--runs", type=int, default=1, help="of each number of shards, by turns")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    first: set[str] | None = None
    with tempfile.TemporaryDirectory() as folder:
        for number, shards in enumerate(options.shards * options.runs):
            found = asyncio.run(crawled(options, Path(folder) / str(number), shards))
            urls = {str(url) for url in found.pop("urls")}  # type: ignore[union-attr]
            print(json.dumps(found)) if options.json else show(found)
            if first is not None and urls != first:
                sys.exit(f"{len(urls ^ first)} pages differ from those of the first crawl")
            first = urls


if __name__ == "__main__":
    main()
