"""Servers on loopback that say whatever a test wants, byte by byte, and a client that asks them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import pytest
import uvloop

from haenyeo.fetch.client import Client
from haenyeo.model.config import FetchSettings
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Validators

T = TypeVar("T")
Say = Callable[["Call"], Awaitable[None]]
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
LOOPBACK = ("127.0.0.0/24",)


class Call:
    """One request as a server sees it."""

    def __init__(self, head: str, writer: asyncio.StreamWriter, number: int) -> None:
        self.path = head.split(" ", 2)[1]
        self.headers = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if line)
        self.writer = writer
        self.number = number

    async def send(self, *parts: bytes) -> None:
        for part in parts:
            self.writer.write(part)
            await self.writer.drain()

    def hang_up(self) -> None:
        self.writer.transport.abort()


def page(body: bytes = b"<html><p>Hello</p></html>", *headers: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", "Content-Type: text/html", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


class Server:
    """A server that answers each request with what `say` writes; `calls` are the requests it got."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self.calls: list[Call] = []
        self.connections = 0
        self.url = ""
        self.port = 0

    @asynccontextmanager
    async def running(self, host: str = "127.0.0.1", **options: Any) -> AsyncIterator[Server]:
        async with accepting(self._serve, host, **options) as url:
            self.url = url
            self.port = int(url.rpartition(":")[2])
            yield self

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            call = Call(head, writer, len(self.calls))
            self.calls.append(call)
            await self._say(call)


@asynccontextmanager
async def accepting(talk: Talk, host: str = "127.0.0.1", **options: Any) -> AsyncIterator[str]:
    """The address of a server that hands every connection to `talk`, and leaves none open."""
    tasks: set[asyncio.Task[None]] = set()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        tasks.add(task)
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await talk(reader, writer)
        writer.transport.abort()

    server = await asyncio.start_server(take, host, 0, limit=1 << 20, **options)
    name, port = server.sockets[0].getsockname()[:2]
    try:
        yield f"{'https' if options.get('ssl') else 'http'}://{f'[{name}]' if ':' in name else name}:{port}"
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)


async def anywhere(_: Url) -> str:
    """Permit everything."""
    return ""


class World:
    """What tests need: `run` a coroutine, `client` with loopback allowed, `ask` a one-off server."""

    serve = Server
    accepting = staticmethod(accepting)
    anywhere = staticmethod(anywhere)
    page = staticmethod(page)

    @staticmethod
    def run(work: Coroutine[Any, Any, T]) -> T:
        return uvloop.run(work)

    @staticmethod
    def client(**settings: Any) -> Client:
        return Client(FetchSettings(**{"allow_private": LOOPBACK} | settings))

    def ask(
        self, say: Say | bytes, path: str = "/x", validators: Validators | None = None, **settings: Any
    ) -> tuple[Answer, Server]:
        """Ask a server that answers so, once."""

        async def send(call: Call) -> None:
            assert isinstance(say, bytes)
            await call.send(say)
            call.writer.close()

        async def work() -> tuple[Answer, Server]:
            async with (
                Server(send if isinstance(say, bytes) else say).running() as server,
                self.client(**settings) as client,
            ):
                return await client.fetch(Url(server.url + path), validators, anywhere), server

        return self.run(work())


@pytest.fixture
def world() -> World:
    return World()
