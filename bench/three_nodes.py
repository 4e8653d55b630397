"""Does a crawl on a Ray cluster of three nodes end complete when a node is killed in the middle of it?

    python -m bench.three_nodes            three nodes on this machine, one killed after a fifth of the pages
    python -m bench.three_nodes --disks    each node keeps its shards in a folder of its own, which is lost with it

Without disks of their own all nodes use the collection's folder. With them they send snapshots to another folder, and
the shard of the dead node is made anew from the last of them on another. The made-up web (`made_web.py`) is served by
this process. Printed are the pages stored, those there are, and those stored or asked for twice.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from bench.cluster import CALL, TOPIC, Counting
from bench.made_web import MadeWeb, address

from haenyeo.store.shards.opening import open_store

SITES, PAGES, SHARDS, NODES, PORT = 60, 600, 3, 3, 6397
RAY = [str(Path(sys.executable).with_name("ray")), "start", "--block", "--num-cpus=1", "--disable-usage-stats"]
# The nodes let in only who has the cluster's token; this one is made for the measurement, and known to nobody else.
ENVIRONMENT = {**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
READY = 15.0  # seconds that a node gets to start


def node(number: int, disks: Path) -> subprocess.Popen[bytes]:
    """Start a node with an address and a disk of its own on this machine; the first one is the head."""
    here = [f"--node-ip-address=127.0.0.{number + 1}"]
    role = ["--head", f"--port={PORT}", "--include-dashboard=false"] if number == 0 else [f"--address=127.0.0.1:{PORT}"]
    environment = {**ENVIRONMENT, "NODE_DISK": str(disks / str(number))}
    started = subprocess.Popen([*RAY, *here, *role], stdout=subprocess.DEVNULL, start_new_session=True, env=environment)
    time.sleep(READY)
    return started


async def crawled(place: Path, disks: Path) -> int:
    """Crawl on the cluster, kill a node and lose its disk, and print what the crawl has brought in the end.

    The first node is the cluster's head and is spared; of the others that with most shards on its disk is killed.
    """
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
    disk = max((disks / str(number) for number in range(1, NODES)), key=lambda each: len(on_disk(each)))
    lost = on_disk(disk)
    for process in processes_of(disk):
        os.kill(process, signal.SIGKILL)
    shutil.rmtree(disk, ignore_errors=True)
    code = await crawl.wait()
    server.close()
    with open_store(place, writing=False) as store:
        urls = [page.url for page in store.pages(kept_only=False)]
    twice = len(urls) - len(set(urls))
    again = sum(count > 1 for count in asked.values())
    print(
        f"a node killed after {before} pages, with shards {lost} on its disk; exit {code}; {len(urls)} pages of"
        f" {sum(web.sizes)}, {twice} stored twice, {again} asked for twice"
    )
    return code or int(len(set(urls)) != sum(web.sizes))


def on_disk(disk: Path) -> list[str]:
    """The shards that a node has on its disk."""
    return sorted(path.name for path in disk.glob("*/shards/*"))


def processes_of(disk: Path) -> list[int]:
    """All processes of the node that has this disk: Ray's own, and those of the actors."""
    mark, found = f"NODE_DISK={disk}".encode(), []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if mark in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found


def keep_on_disks(settings: Path, far: Path) -> None:
    """Let a collection's settings say that shards are on the disks of their nodes, and snapshots elsewhere."""
    wish = f'[storage]\narchive = "file://{far}"\nsnapshots = true\ndisk = "$NODE_DISK"\n'
    settings.write_text(settings.read_text("utf-8").replace("[storage]\n", wish), "utf-8")


def main() -> None:
    """Make the cluster and crawl on it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--disks", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(measured(Path(folder), own_disks=options.disks))


def measured(folder: Path, *, own_disks: bool) -> int:
    """Make the cluster and crawl on it; returns the exit code."""
    nodes = [node(number, folder / "disks") for number in range(NODES)]
    try:
        place = folder / "c"
        seeds = [f"--seed={address(site, 0)}" for site in range(0, SITES, 10)]
        subprocess.run([*CALL, "new", str(place), "--topic", TOPIC, "-q", *seeds], check=True)
        if own_disks:
            keep_on_disks(place / "haenyeo.toml", folder / "far")
        return asyncio.run(crawled(place, folder / "disks"))
    finally:
        for number in range(NODES):
            for process in processes_of(folder / "disks" / str(number)):
                os.kill(process, signal.SIGKILL)
        for each in nodes:
            each.wait()


if __name__ == "__main__":
    main()
