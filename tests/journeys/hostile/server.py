"""A web of hosts on loopback whose every byte a case decides.

`Web` runs in a thread of its own. A `Host` listens on one address and port, logs every connection and request, and
hands each request to the handler of its path. A handler writes raw bytes to the `Wire`: nothing here insists on
correct HTTP.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import socket
import ssl
import struct
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, NamedTuple, Self, TypeVar

HEAD_LIMIT = 1 << 20
LINGER_ZERO = struct.pack("ii", 1, 0)

T = TypeVar("T")


class Request(NamedTuple):
    """One request as it came in; `headers` have lower-case names."""

    at: float
    target: str
    headers: dict[str, str]

    @property
    def path(self) -> str:
        """The target without its query."""
        return self.target.partition("?")[0]


class Wire:
    """The server's end of one connection; `open` is set to False by a handler that wants no further request on it."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self.sent = 0
        self.open = True

    async def send(self, data: bytes) -> None:
        """Write and wait until the client takes it, so that an endless body does not pile up here."""
        self.sent += len(data)
        self._writer.write(data)
        await self._writer.drain()

    def reset(self) -> None:
        """Drop the connection with a TCP reset instead of an orderly close."""
        raw = self._writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_ZERO)
        self.open = False
        self._writer.transport.abort()


Handler = Callable[[Wire, Request], Awaitable[None]]


class Host:
    """One address and port; `connections` and `requests` are what reached it, `wires` how much went out per path."""

    def __init__(self, address: str, scheme: str = "http") -> None:
        self.address = address
        self.port = 0
        self.connections = 0
        self.requests: list[Request] = []
        self.wires: list[tuple[str, Wire]] = []
        self._scheme = scheme
        self._routes: dict[str, Handler] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    def url(self, path: str = "/", name: str = "") -> str:
        """The address of a path on this host, under another name of the host if one is given."""
        host = name or (f"[{self.address}]" if ":" in self.address else self.address)
        return f"{self._scheme}://{host}:{self.port}{path}"

    def on(self, path: str, handler: Handler) -> None:
        """Answer requests for this path with the handler; a path that ends in `*` stands for all that begin so."""
        self._routes[path] = handler

    def asked(self, path: str) -> list[Request]:
        """The requests for this path (any query), or for all paths that begin so when it ends in `*`."""
        if path.endswith("*"):
            return [request for request in self.requests if request.path.startswith(path[:-1])]
        return [request for request in self.requests if request.path == path]

    def sent(self, path: str) -> int:
        """How many bytes were written in answer to requests for this path."""
        return sum(wire.sent for asked, wire in self.wires if asked == path)

    async def listen(self, context: ssl.SSLContext | None) -> None:
        """Open the port; a free one is taken."""
        self._server = await asyncio.start_server(self._accept, self.address, 0, limit=HEAD_LIMIT, ssl=context)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Close the port and drop every connection."""
        assert self._server is not None
        self._server.close()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection until either side ends it."""
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                while await self._answer(reader, writer):
                    pass
        finally:
            writer.close()
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.strip().split("\r\n")
        headers = {key.strip().lower(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
        request = Request(time.monotonic(), first.split(" ")[1], headers)
        self.requests.append(request)
        wire = Wire(writer)
        self.wires.append((request.path, wire))
        await self._handler(request.path)(wire, request)
        return wire.open

    def _handler(self, path: str) -> Handler:
        if path in self._routes:
            return self._routes[path]
        prefixes = [route for route in self._routes if route.endswith("*") and path.startswith(route[:-1])]
        return self._routes[max(prefixes, key=len)] if prefixes else _not_found


async def _not_found(wire: Wire, _: Request) -> None:
    await wire.send(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")


class Web:
    """The thread in which all hosts are served."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="hostile web", daemon=True)
        self._public = itertools.cycle(range(2, 250))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def listen(self, address: str = "", context: ssl.SSLContext | None = None) -> Host:
        """A host at this address, or at a free one of 127.0.0.0/24, the part of loopback that plays the public web."""
        host = Host(address or f"127.0.0.{next(self._public)}", "https" if context else "http")
        self._wait(host.listen(context))
        return host

    def close(self, host: Host) -> None:
        """End a host and its connections."""
        self._wait(host.close())

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()
