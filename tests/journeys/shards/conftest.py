"""A small web of many sites, served to whoever asks through it as a proxy; it notes who was asked for when."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.made_web import MadeWeb, Proxy, address

SITES, PAGES = 24, 150
ENVIRONMENT = {**os.environ, "NO_COLOR": "1", "HAENYEO_CONTACT": "tests@example.org"}


class ManySites:
    """The web: `log` has every page asked for with the time, `moved` what is answered with a redirect."""

    def __init__(self) -> None:
        self.web = MadeWeb(SITES, PAGES)
        self.log: list[tuple[str, float]] = []
        self.moved: dict[str, str] = {}
        self.proxy = ""

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return sum(self.web.sizes)

    @property
    def asked(self) -> list[str]:
        """The addresses that were asked for, robots.txt apart."""
        return [url for url, _ in self.log if not url.endswith("robots.txt")]


class _Noting(Proxy):
    def __init__(self, served: ManySites) -> None:
        super().__init__(served.web, [0])
        self._served = served

    def _answer(self, head: bytes) -> bytes:
        url = head.split(b" ", 2)[1].decode("ascii")
        self._served.log.append((url, time.monotonic()))
        if url in self._served.moved:
            target = self._served.moved[url].encode()
            return b"HTTP/1.1 301 Moved\r\nLocation: " + target + b"\r\nContent-Length: 0\r\n\r\n"
        return super()._answer(head)


@pytest.fixture
def sites() -> Iterator[ManySites]:
    """The web, served by a thread until the test ends."""
    served, ready, loop = ManySites(), threading.Event(), asyncio.new_event_loop()

    async def serve() -> None:
        server = await loop.create_server(lambda: _Noting(served), "127.0.0.1", 0)
        served.proxy = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        ready.set()
        async with server:
            await stopped.wait()

    stopped = asyncio.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    assert ready.wait(30)
    yield served
    loop.call_soon_threadsafe(stopped.set)
    thread.join()
    loop.close()


class Crawling:
    """Makes a collection with seeds on a few sites if there is none, and starts crawls of it."""

    def __init__(self, folder: Path, sites: ManySites) -> None:
        self._folder, self._sites = folder, sites
        self.environment = dict(ENVIRONMENT)

    def __call__(self, name: str, *options: str, delay: float = 0) -> subprocess.Popen[str]:
        call, folder = [sys.executable, "-m", "haenyeo"], self._folder / name
        if not folder.exists():
            seeds = [f"--seed={address(site, 0)}" for site in range(0, SITES, 8)]
            made = [*call, "new", str(folder), "--topic", "diving in the sea, reef and coral", "-q", *seeds]
            subprocess.run(made, check=True, env=ENVIRONMENT, timeout=120)
        limits = ["--delay", str(delay), "--proxy", self._sites.proxy, "--no-index", "--strategy", "bfs", "--json"]
        return subprocess.Popen(
            [*call, "crawl", str(folder), *limits, *options], env=self.environment, stdout=subprocess.PIPE, text=True
        )


@pytest.fixture
def crawling(tmp_path: Path, sites: ManySites) -> Crawling:
    """Starts crawls of the web."""
    return Crawling(tmp_path, sites)
