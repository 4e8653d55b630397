"""Serves a demo web on 127.0.0.1: HTTP/1.1 with keep-alive, on an event loop or in a thread of its own.

    web = DemoWeb()
    with serve_in_thread(web) as address:
        print(web.url("tidewatch"), address.log.by_status())

The clock is turned through the `DemoWeb` object only; nothing in HTTP can change the web.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import threading
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterator
from email.utils import format_datetime
from http import HTTPStatus
from typing import Any, NamedTuple

from haenyeo.demo.answers import Reply
from haenyeo.demo.web import DemoWeb

_LONGEST_HEAD = 32 * 1024
_REQUESTS_KEPT = 200_000
_REASONS = {status.value: status.phrase for status in HTTPStatus}
_LOOPBACK = "127.0.0.1"


class LoggedRequest(NamedTuple):
    """A request that was answered: the simulated time, and the status given (0 for a dropped connection)."""

    at: float
    host: str
    target: str
    status: int


class RequestLog:
    """What was asked of the server: the latest requests in order, and counts of all of them."""

    def __init__(self) -> None:
        self.requests: deque[LoggedRequest] = deque(maxlen=_REQUESTS_KEPT)
        self.counts: Counter[tuple[str, str, int]] = Counter()

    def add(self, request: LoggedRequest) -> None:
        """Note a request."""
        self.requests.append(request)
        self.counts[request.host, request.target, request.status] += 1

    def clear(self) -> None:
        """Forget everything."""
        self.requests.clear()
        self.counts.clear()

    def by_host(self) -> Counter[str]:
        """How many requests each host got."""
        return self._by(0)

    def by_target(self) -> Counter[str]:
        """How many requests were made for each path with query, over all hosts."""
        return self._by(1)

    def by_status(self) -> Counter[int]:
        """How many answers had each status."""
        return self._by(2)

    def _by(self, part: int) -> Counter[Any]:
        totals: Counter[Any] = Counter()
        for key, count in self.counts.copy().items():
            totals[key[part]] += count
        return totals


class Address(NamedTuple):
    """Where a demo web is served, and what was asked there."""

    host: str
    port: int
    log: RequestLog


class ServerPace(NamedTuple):
    """How slow the server is: seconds before every answer, and how much of the slow sites' own slowness is shown."""

    latency: float = 0.0
    slowness: float = 0.0


class _Connection(asyncio.Protocol):
    """One connection: requests are answered in the order they come."""

    def __init__(self, web: DemoWeb, log: RequestLog, pace: ServerPace, open_ones: set[asyncio.Transport]) -> None:
        self._web, self._log, self._pace, self._open = web, log, pace, open_ones
        self._received = b""
        self._waiting: asyncio.TimerHandle | None = None
        self._full = False
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._open.add(transport)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the protocol's signature
        self._open.discard(self._transport)
        if self._waiting:
            self._waiting.cancel()

    def pause_writing(self) -> None:
        self._full = True
        self._transport.pause_reading()

    def resume_writing(self) -> None:
        self._full = False
        self._transport.resume_reading()
        self._work()

    def data_received(self, data: bytes) -> None:
        self._received += data
        self._work()

    def _work(self) -> None:
        """Answer whole requests as long as there are any and the visitor reads what is sent."""
        while not (self._waiting or self._full or self._transport.is_closing()):
            end = self._received.find(b"\r\n\r\n")
            if end < 0:
                if len(self._received) > _LONGEST_HEAD:
                    self._refuse(431)
                return
            head, self._received = self._received[:end], self._received[end + 4 :]
            self._begin(head.lstrip(b"\r\n"))

    def _begin(self, head: bytes) -> None:
        parsed = _parse(head)
        if parsed is None:
            self._refuse(400)
            return
        method, target, headers = parsed
        if method not in {"GET", "HEAD"}:
            self._refuse(405)
            return
        seconds = self._pace.latency + self._pace.slowness * self._web.latency(headers.get("host", ""))
        if seconds:
            self._waiting = asyncio.get_running_loop().call_later(seconds, self._late, method, target, headers)
        else:
            self._answer(method, target, headers)

    def _late(self, method: str, target: str, headers: dict[str, str]) -> None:
        self._waiting = None
        self._answer(method, target, headers)
        self._work()

    def _answer(self, method: str, target: str, headers: dict[str, str]) -> None:
        host = headers.get("host", "")
        reply = self._web.answer(host, target, headers)
        self._log.add(LoggedRequest(self._web.clock.now, host.partition(":")[0], target, reply.status))
        if not reply.status:
            self._transport.abort()
            return
        last = headers.get("connection", "").lower() == "close"
        self._transport.write(_written(self._web, reply, method=method, last=last))
        if last:
            self._transport.close()

    def _refuse(self, status: int) -> None:
        body = f"{_REASONS[status]}\n".encode()
        reply = Reply(status, (("Content-Type", "text/plain"),), body)
        self._transport.write(_written(self._web, reply, method="GET", last=True))
        self._transport.close()


def _parse(head: bytes) -> tuple[str, str, dict[str, str]] | None:
    """Method, target and headers (lower-case names) of a request, if it is one."""
    lines = head.decode("latin-1").split("\r\n")
    method, _, rest = lines[0].partition(" ")
    target, _, version = rest.partition(" ")
    if not re.fullmatch(r"HTTP/1\.\d", version) or not method.isalpha():
        return None
    headers = {"connection": "close"} if version == "HTTP/1.0" else {}
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            return None
        headers[name.lower()] = value.strip()
    if target.startswith("http://"):
        host, slash, rest = target.removeprefix("http://").partition("/")
        headers["host"], target = host, slash + rest or "/"
    return (method, target, headers) if target.startswith("/") and target.isascii() else None


def _written(web: DemoWeb, reply: Reply, *, method: str, last: bool) -> bytes:
    lines = [
        f"HTTP/1.1 {reply.status} {_REASONS[reply.status]}",
        f"Date: {format_datetime(web.clock.moment, usegmt=True)}",
    ]
    lines += [f"{name}: {value}" for name, value in reply.headers]
    if reply.status != HTTPStatus.NOT_MODIFIED:
        lines.append(f"Content-Length: {len(reply.body)}")
    lines.append(f"Connection: {'close' if last else 'keep-alive'}\r\n\r\n")
    head = "\r\n".join(lines).encode("latin-1")
    return head if method == "HEAD" or reply.status == HTTPStatus.NOT_MODIFIED else head + reply.body


@contextlib.asynccontextmanager
async def serve(web: DemoWeb, port: int = 0, pace: ServerPace | None = None) -> AsyncIterator[Address]:
    """Serve the web on 127.0.0.1 while the context lasts; port 0 takes a free one. Sets `web.port`."""
    log = RequestLog()
    connections: set[asyncio.Transport] = set()
    used = pace or ServerPace()
    loop = asyncio.get_running_loop()
    listener = await loop.create_server(lambda: _Connection(web, log, used, connections), _LOOPBACK, port, backlog=512)
    web.port = listener.sockets[0].getsockname()[1]
    try:
        yield Address(_LOOPBACK, web.port, log)
    finally:
        listener.close()
        for transport in list(connections):
            transport.abort()
        await listener.wait_closed()


@contextlib.contextmanager
def serve_in_thread(web: DemoWeb, port: int = 0, pace: ServerPace | None = None) -> Iterator[Address]:
    """The same for callers without an event loop: the web is served from a thread while the context lasts."""
    started: deque[Address] = deque()
    failed: deque[OSError] = deque()
    ready, finished = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def run() -> None:
        try:
            async with serve(web, port, pace) as address:
                started.append(address)
                ready.set()
                await finished.wait()
        except OSError as error:
            failed.append(error)
            ready.set()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()), name="demo web", daemon=True)
    thread.start()
    ready.wait()
    try:
        if failed:
            raise failed[0]
        yield started[0]
    finally:
        loop.call_soon_threadsafe(finished.set)
        thread.join()
        loop.close()
