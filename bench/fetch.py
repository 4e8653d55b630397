"""CPU of one page: our client beside a bare aiohttp session, over loopback.

    python bench/fetch.py [--pages 5000] [--bytes 25000] [--rounds 5]

A server in a process of its own sends the same page again and again. Each client fetches it with eight requests at a
time; the figure is the CPU time of the client's process for one page, the best of all rounds. The bare session follows
no redirects, keeps no cookies, guards no address and judges no content: it is what a client costs that does nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import time
from collections.abc import Awaitable, Callable, Iterator
from multiprocessing.connection import Connection

import aiohttp
import uvloop
from yarl import URL

from haenyeo.fetch.client import Client
from haenyeo.model.config import FetchSettings
from haenyeo.model.pages import Url
from haenyeo.model.visits import Outcome

AT_ONCE = 8
HEADERS = (
    *(
        "HTTP/1.1 200 OK",
        "Server: bench",
        "Date: Mon, 06 Jan 2025 00:00:00 GMT",
        "Content-Type: text/html; charset=utf-8",
    ),
    *(
        'ETag: "5f1c-1"',
        "Last-Modified: Mon, 06 Jan 2025 00:00:00 GMT",
        "Cache-Control: max-age=60",
        "Vary: Accept-Encoding",
    ),
)
Fetch = Callable[[str], Awaitable[None]]


class _Page(asyncio.Protocol):
    """Answers whatever is asked with one page."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where to write."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """A request fits in one packet."""
        assert self._transport
        assert data.endswith(b"\r\n\r\n")
        self._transport.write(self._answer)


def serve(size: int, told: Connection) -> None:
    """Serve until killed; the port goes to `told`."""
    body = (b"<!doctype html><html><title>Reef</title>" + b"<p>Some words in a paragraph of text.</p>" * size)[:size]
    answer = "\r\n".join([*HEADERS, f"Content-Length: {size}", "", ""]).encode() + body

    async def run() -> None:
        server = await asyncio.get_running_loop().create_server(lambda: _Page(answer), "127.0.0.1", 0)
        told.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


async def _anywhere(_: Url) -> str:
    return ""


async def _cpu_of(fetch: Fetch, urls: Iterator[str]) -> float:
    async def work() -> None:
        for url in urls:
            await fetch(url)

    began = time.process_time()
    await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    return time.process_time() - began


async def ours(urls: Iterator[str]) -> float:
    """CPU seconds of our client."""
    async with Client(FetchSettings(allow_private=("127.0.0.0/24",))) as client:

        async def fetch(url: str) -> None:
            answer = await client.fetch(Url(url), None, _anywhere)
            assert answer.outcome is Outcome.PAGE, answer.reason

        return await _cpu_of(fetch, urls)


async def bare(urls: Iterator[str]) -> float:
    """CPU seconds of an aiohttp session with everything off that can be."""
    async with aiohttp.ClientSession(auto_decompress=False, cookie_jar=aiohttp.DummyCookieJar()) as session:

        async def fetch(url: str) -> None:
            async with session.get(URL(url, encoded=True), allow_redirects=False) as response:
                await response.read()

        return await _cpu_of(fetch, urls)


def main() -> None:
    """Measure both in turn and print milliseconds for one page as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--bytes", type=int, default=25_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    told, tell = multiprocessing.Pipe(duplex=False)
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(options.bytes, tell), daemon=True)
    server.start()
    base = f"http://127.0.0.1:{told.recv()}/page/"
    best: dict[str, float] = {}
    for _ in range(options.rounds):
        for client in (ours, bare):
            spent = uvloop.run(client(f"{base}{number}" for number in range(options.pages)))
            figure = 1000 * spent / options.pages
            best[client.__name__] = min(figure, best.get(client.__name__, figure))
    server.kill()
    print(json.dumps({f"{name}_cpu_ms": round(figure, 4) for name, figure in best.items()}))


if __name__ == "__main__":
    main()
