"""What does a crawl over thousands of sites cost, and does it cost the same from the first page to the last?

    python -m bench.many_sites                                     50,000 pages of 3,000 sites, bfs and default
    python -m bench.many_sites --pages 2000 --sites 300 --strategy bfs
    python -m bench.many_sites --keep FOLDER --json                leaves the collections there

A made-up web (`made_web.py`) is served by this process; `haenyeo crawl` runs in its own, asks through it as a proxy,
and is looked at when a tenth, two fifths and all of the pages were asked for. Printed are, for each strategy: CPU
seconds per 1,000 pages in each of these parts and its peak memory so far; the CPU seconds in which the links of the
collection are taken up again; CPU seconds and memory of the first search. On a busy machine CPU seconds can still be
compared, wall time cannot, and is not shown.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from bench.made_web import MadeWeb, Proxy, address

from haenyeo.collect.adapters.finding.parts import stored_traps
from haenyeo.collect.links.queue import CrawlQueue
from haenyeo.collect.links.scope import Scope
from haenyeo.find.bfs import BreadthFirst
from haenyeo.model.config import Settings
from haenyeo.store import Store

PARTS = (0.1, 0.4, float("inf"))  # of the pages; the last part lasts until the crawl has ended
BEYOND = 12  # pages of the web for each that is crawled, so that links are left over
STRATEGIES = {"bfs": ["--strategy", "bfs"], "default": []}
TOPIC_WORDS = "diving in the sea, reef and coral"
LOOK_SECONDS = 0.02
Figures = dict[str, float]


async def measured(options: argparse.Namespace, place: Path, strategy: str) -> list[Figures]:
    """Crawl, and return what each part has cost."""
    web, asked = MadeWeb(options.sites, BEYOND * options.pages), [0]
    server = await asyncio.get_running_loop().create_server(lambda: Proxy(web, asked), "127.0.0.1", 0)
    proxy = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    call = [sys.executable, "-m", "haenyeo"]
    seeds = [f"--seed={address(site, 0)}" for site in range(0, options.sites, max(1, options.sites // 20))]
    made = await asyncio.create_subprocess_exec(*call, "new", str(place), "--topic", TOPIC_WORDS, *seeds, "-q")
    await made.wait()
    limits = ["--pages", str(options.pages), "--delay", "0", "--proxy", proxy, "-q", "--no-index"]
    process = await asyncio.create_subprocess_exec(*call, "crawl", str(place), *limits, *STRATEGIES[strategy])
    rows = [await _part(process, asked, part * options.pages) for part in PARTS]
    if await process.wait():
        sys.exit(f"the crawl ended with {process.returncode}")
    server.close()
    return [_cost(before, row) for before, row in zip([{"pages": 0.0, "cpu s": 0.0}, *rows], rows, strict=False)]


async def _part(process: asyncio.subprocess.Process, asked: list[int], pages: float) -> Figures:
    """What the process has used when so many pages were asked for, or at its end."""
    used: Figures = {}
    while process.returncode is None and asked[0] < pages:
        with suppress(OSError, IndexError):  # the process may just have ended
            used = {"pages": float(asked[0]), **used_by(process.pid)}
        await asyncio.sleep(LOOK_SECONDS)
    return used


def used_by(pid: int) -> Figures:
    """CPU seconds and peak memory of a process so far, its children's CPU seconds with them once they have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    cpu = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return {"cpu s": cpu, "peak MB": int(status.partition("VmHWM:")[2].split()[0]) / 1024}


def _cost(before: Figures, now: Figures) -> Figures:
    pages = now["pages"] - before["pages"]
    return {
        "pages": now["pages"],
        "cpu s/1,000": (now["cpu s"] - before["cpu s"]) / max(1.0, pages) * 1000,
        "peak MB": now["peak MB"],
    }


def taken_up(place: Path) -> Figures:
    """What it costs to take the links of a collection up again; run in a process of its own."""
    with Store.open(place, writing=False) as store:
        began = time.process_time()
        queue = CrawlQueue(store, Scope(Settings().scope), BreadthFirst(), stored_traps(store), per_site=1)
        queue.rebuild()
        return {
            "links": float(store.counts().found),
            "waiting": float(len(queue)),
            "cpu s": time.process_time() - began,
            "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }


def of_command(command: list[str]) -> Figures:
    """CPU seconds and peak memory of a command."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    return {"cpu s": used.ru_utime + used.ru_stime, "peak MB": used.ru_maxrss / 1024}


def measure(options: argparse.Namespace, folder: Path, strategy: str) -> dict[str, object]:
    """All figures for one strategy."""
    place = folder / strategy
    parts = asyncio.run(measured(options, place, strategy))
    resumed = subprocess.run(
        [sys.executable, "-m", __spec__.name, "--resume", str(place)], check=True, capture_output=True
    )
    call = [sys.executable, "-m", "haenyeo", "search", str(place)]
    return {
        "strategy": strategy,
        "parts": parts,
        "resumed": json.loads(resumed.stdout),
        "first search": of_command([*call, "coral reef"]),
        "second search": of_command([*call, "boat"]),
    }


def show(found: dict[str, object]) -> None:
    """Print the figures of one strategy."""
    print(found.pop("strategy"))
    for part in found.pop("parts"):  # type: ignore[attr-defined]
        print("  crawl          " + _said(part))
    for name, figures in found.items():
        print(f"  {name:<15}" + _said(figures))  # type: ignore[arg-type]


def _said(figures: Figures) -> str:
    return "  ".join(f"{value:>9,.{0 if value.is_integer() else 2}f} {name}" for name, value in figures.items())


def main() -> None:
    """Measure what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=50_000)
    parser.add_argument("--sites", type=int, default=3_000)
    parser.add_argument("--strategy", choices=STRATEGIES, action="append")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--resume", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.resume:
        print(json.dumps(taken_up(options.resume)))
        return
    with tempfile.TemporaryDirectory() as folder:
        for strategy in options.strategy or STRATEGIES:
            found = measure(options, options.keep or Path(folder), strategy)
            print(json.dumps(found)) if options.json else show(found)


if __name__ == "__main__":
    main()
