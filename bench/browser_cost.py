"""What does it cost plain sites that pages may need a browser? CPU seconds with `browser = "auto"` and with "never".

    python -m bench.browser_cost [--pages 1500] [--rounds 5]

A made-up web without scripts (`made_web.py`) is crawled breadth first by each setting in turn, several times; printed
are the CPU seconds per 1,000 pages of every crawl, the medians, and how they compare.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import sys
import tempfile
from pathlib import Path
from statistics import median

from bench.made_web import MadeWeb, Proxy, address

CALL = [sys.executable, "-m", "haenyeo"]
TOPIC = "diving in the sea, reef and coral"


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


async def crawled(place: Path, pages: int, browser: str) -> float:
    """CPU seconds per 1,000 pages of one crawl."""
    web = MadeWeb(100, pages)
    server = await asyncio.get_running_loop().create_server(lambda: Proxy(web, [0]), "127.0.0.1", 0)
    proxy = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    seeds = [f"--seed={address(site, 0)}" for site in range(0, 100, 5)]
    made = await asyncio.create_subprocess_exec(*CALL, "new", str(place), "--topic", TOPIC, *seeds, "-q")
    await made.wait()
    options = ["--delay", "0", "--proxy", proxy, "--no-index", "--strategy", "bfs", "-q"]
    before = _used()
    environment = {**os.environ, "HAENYEO_FETCH__BROWSER": browser}
    crawl = await asyncio.create_subprocess_exec(*CALL, "crawl", str(place), *options, env=environment)
    if await crawl.wait():
        sys.exit("the crawl failed")
    server.close()
    pages_there: int = sum(web.sizes)
    return (_used() - before) / pages_there * 1000


def main() -> None:
    """Crawl in turn, and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    found: dict[str, list[float]] = {"never": [], "auto": []}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.rounds):
            for browser, costs in found.items():
                costs.append(asyncio.run(crawled(Path(folder) / f"{browser}{number}", options.pages, browser)))
                print(f"{browser:<6} {costs[-1]:.3f} CPU s/1,000 pages", flush=True)
    never, auto = (median(found[browser]) for browser in ("never", "auto"))
    print(f"medians: never {never:.3f}, auto {auto:.3f}: {auto / never - 1:+.1%}")


if __name__ == "__main__":
    main()
