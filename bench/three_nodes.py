"""Does a crawl on a Ray cluster of three nodes end complete when a node is killed in the middle of it?

    python -m bench.three_nodes            three nodes on this machine, one killed after a fifth of the pages

The made-up web (`made_web.py`) is served by this process. Printed are the pages stored, those there are, and those
stored twice.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from bench.cluster import CALL, TOPIC, Counting
from bench.made_web import MadeWeb, address

from haenyeo.store.shards.opening import open_store

SITES, PAGES, SHARDS, PORT = 60, 600, 3, 6397
RAY = [str(Path(sys.executable).with_name("ray")), "start", "--block", "--num-cpus=1", "--disable-usage-stats"]
# The nodes let in only who has the cluster's token; this one is made for the measurement, and known to nobody else.
ENVIRONMENT = {**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
READY = 15.0  # seconds that a node gets to start


def node(number: int) -> subprocess.Popen[bytes]:
    """Start a node with an address of its own on this machine; the first one is the head."""
    here = [f"--node-ip-address=127.0.0.{number + 1}"]
    role = ["--head", f"--port={PORT}", "--include-dashboard=false"] if number == 0 else [f"--address=127.0.0.1:{PORT}"]
    started = subprocess.Popen([*RAY, *here, *role], stdout=subprocess.DEVNULL, start_new_session=True, env=ENVIRONMENT)
    time.sleep(READY)
    return started


async def crawled(place: Path, victim: subprocess.Popen[bytes]) -> int:
    """Crawl on the cluster, kill a node, and print what the crawl has brought in the end."""
    web, asked = MadeWeb(SITES, PAGES), Counter[bytes]()
    server = await asyncio.get_running_loop().create_server(lambda: Counting(web, asked), "127.0.0.1", 0)
    proxy = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    options = ["--shards", str(SHARDS), "--ray", f"127.0.0.1:{PORT}", "--strategy", "bfs", "--delay", "0.2", "-q"]
    crawl = await asyncio.create_subprocess_exec(
        *CALL, "crawl", str(place), *options, "--proxy", proxy, env=ENVIRONMENT
    )
    while len(asked) < sum(web.sizes) // 5 and crawl.returncode is None:  # noqa: ASYNC110 - another process asks
        await asyncio.sleep(0.1)
    before = len(asked)
    os.killpg(victim.pid, signal.SIGKILL)
    code = await crawl.wait()
    server.close()
    with open_store(place, writing=False) as store:
        urls = [page.url for page in store.pages(kept_only=False)]
    twice = len(urls) - len(set(urls))
    print(
        f"a node killed after {before} pages; exit {code}; {len(urls)} pages of {sum(web.sizes)}, {twice} stored twice"
    )
    return code or int(len(set(urls)) != sum(web.sizes))


def main() -> None:
    """Make the cluster and crawl on it."""
    nodes = [node(number) for number in range(3)]
    try:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "c"
            seeds = [f"--seed={address(site, 0)}" for site in range(0, SITES, 10)]
            subprocess.run([*CALL, "new", str(place), "--topic", TOPIC, "-q", *seeds], check=True)
            code = asyncio.run(crawled(place, nodes[-1]))
    finally:
        for each in nodes[:-1]:
            os.killpg(each.pid, signal.SIGTERM)
            each.wait()
    sys.exit(code)


if __name__ == "__main__":
    main()
