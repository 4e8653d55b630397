"""How does one request go? Connect, send, wait for the head, read as much of the body as is wanted, each within limits.

Everything that can go wrong on the way is a `FetchError` with a short reason. A connection is kept only after an answer
that was read to its end; in all other cases it is closed.
"""

from __future__ import annotations

import asyncio
import functools
import ssl
import time
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec

from haenyeo.fetch.transport.connections import Connections
from haenyeo.fetch.transport.fields import AnswerHead, Fields
from haenyeo.fetch.transport.requests import PageRequest
from haenyeo.fetch.transport.targets import Origin, Target
from haenyeo.fetch.transport.watch import Watch
from haenyeo.fetch.transport.wire import Wire
from haenyeo.model.errors import FetchError
from haenyeo.model.visits import Hop

CONNECT_SECONDS = 10.0
HEAD_SECONDS = 15.0
FRAMING_BYTES = 1 << 20
"""What the chunks and trailers of a body may take beside as much again as is wanted of the body itself."""

CONNECTION_RESET = "connection reset"
CONNECTION_REFUSED = "connection refused"
NOT_READ = "not read"


Wanted = Callable[[int, Fields], int]
"""Told status and fields when the head has come, it says how many bytes of the body to read; 0 for not waiting."""


class Exchange(msgspec.Struct, frozen=True):
    """A request and its answer; `flaw` says what the body suffers from."""

    hop: Hop
    fields: Fields
    flaw: str = ""


class Exchanger:
    """Asks one thing at a time over kept or new connections."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._watch = Watch()

    @functools.cached_property
    def _loop(self) -> asyncio.AbstractEventLoop:
        """The event loop of all its connections; kept because asking for it is a system call in older Pythons."""
        return asyncio.get_running_loop()

    async def exchange(self, target: Target, request: PageRequest, wanted: Wanted, seconds: float) -> Exchange:
        """The answer to one request within so many seconds; raises `FetchError` if there is none."""
        at, began = datetime.now(UTC), time.perf_counter()
        end = self._loop.time() + seconds
        try:
            wire, head = await self._head(target.origin, request.data, end)
            limit = wanted(head.status, head.fields)
            body, flaw = wire.body(limit) if limit and wire.is_complete else await self._body(wire, limit, end)
        except OSError as error:
            raise FetchError(str(error), url=target.url, reason=_reason(error)) from error
        if flaw in ("", NOT_READ):
            self._connections.keep(target.origin, wire)
        else:
            wire.abort()
        hop = Hop(
            url=target.url,
            status=head.status,
            reason=head.reason.decode("latin-1"),
            headers=head.fields.shown,
            body=body,
            cut=bool(flaw),
            request_headers=request.shown,
            address=wire.address,
            at=at,
            seconds=time.perf_counter() - began,
        )
        return Exchange(hop, head.fields, flaw)

    def close(self) -> None:
        """Stop watching the clock."""
        self._watch.close()

    async def _head(self, origin: Origin, request: bytes, end: float) -> tuple[Wire, AnswerHead]:
        """The head of the answer and the connection it came over.

        A server may close a kept connection just as it is used again; a GET does no harm when repeated on a new one.
        """
        kept = self._connections.take_idle(origin)
        if kept is not None:
            try:
                return await self._ask(kept, request, end)
            except ConnectionError:
                pass
        async with asyncio.timeout_at(min(self._loop.time() + CONNECT_SECONDS, end)):
            wire = await self._connections.open(origin)
        return await self._ask(wire, request, end)

    async def _ask(self, wire: Wire, request: bytes, end: float) -> tuple[Wire, AnswerHead]:
        wire.step, wire.due = "first byte", min(self._loop.time() + HEAD_SECONDS, end)
        answered = False
        self._watch.begin(wire)
        try:
            head = await wire.ask(request)
            answered = True
        finally:
            self._watch.end(wire)
            if not answered:
                wire.abort()
        return wire, head

    async def _body(self, wire: Wire, wanted: int, end: float) -> tuple[bytes, str]:
        """As much of the body as is wanted, and its flaw, of an answer that is still to come."""
        if not wanted:
            return b"", "" if wire.is_complete else NOT_READ
        wire.step, wire.due = "total", end
        wire.most_bytes = wire.received_bytes + 2 * wanted + FRAMING_BYTES
        read = False
        self._watch.begin(wire)
        try:
            body, flaw = await wire.read(wanted)
            read = True
        finally:
            self._watch.end(wire)
            if not read:
                wire.abort()
        return body, flaw


def _reason(error: Exception) -> str:
    """What went wrong, in a few stable words."""
    return next((reason for kinds, reason in _REASONS if isinstance(error, kinds)), "network")


_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (TimeoutError, "timeout: connect"),
    (ssl.SSLCertVerificationError, "certificate"),
    (ssl.SSLError, "tls"),
    (ConnectionRefusedError, CONNECTION_REFUSED),
    (ConnectionError, CONNECTION_RESET),
    (OSError, "unreachable"),
)
