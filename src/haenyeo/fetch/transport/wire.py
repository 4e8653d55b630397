"""One connection to a server: asks, and hands back the answer's head and then its body.

No HTTP client of the field is used: their pools hand a connection on while bytes of a second, unasked answer wait in
it, and they cost several times as much CPU as the exchange itself. What is left to do is little: write one GET, and let
go of a connection on which anything else arrived.
"""

from __future__ import annotations

import asyncio
import select
from collections.abc import Callable

from haenyeo.fetch.transport.fields import AnswerHead
from haenyeo.fetch.transport.incoming import Incoming
from haenyeo.model.errors import FetchError, TooLargeError

# With the beginning of a body that came along.
MOST_HEAD_BYTES = 1 << 23


class Wire(asyncio.BufferedProtocol):
    """A connection. `address` is the numeric address at its other end, `idle_since` when it was last let go of.

    `step` names what is waited for at the moment, and `due` is when that wait should end, by the event loop's clock.
    `received_bytes` count from the last request on, with all that is not body, and may not be more than `most_bytes`.
    What arrives is read into `room` and taken out of it at once, so the connections of one event loop can share it.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, address: str, room: memoryview) -> None:
        self._loop = loop
        self.address = address
        self._room = room
        self.transport: asyncio.Transport | None = None
        self.idle_since = 0.0
        self.step = ""
        self.due = 0.0
        self.received_bytes = 0
        self.most_bytes = MOST_HEAD_BYTES
        self._incoming: Incoming | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._is_body_wanted = False
        self._closed: asyncio.Future[None] | None = None
        self._unread: Callable[[], bool] = lambda: False
        self._seen_bytes = -1
        self._seen_at = 0.0

    async def ask(self, request: bytes) -> AnswerHead:
        """Send a request and wait for the head of its answer, past interim answers; `read` has its body."""
        if self.transport is None:
            raise ConnectionResetError
        incoming = self._incoming = Incoming()
        self.received_bytes, self.most_bytes = 0, MOST_HEAD_BYTES
        self.transport.write(request)
        self._is_body_wanted = False
        await self._until_enough()
        if incoming.head is None:
            raise incoming.trouble or ConnectionResetError
        return incoming.head

    async def read(self, limit_bytes: int) -> tuple[bytes, str]:
        """As much of the body as is wanted, and its flaw."""
        incoming = self._incoming
        if incoming is None:
            raise ConnectionResetError
        incoming.limit_bytes = limit_bytes
        self._is_body_wanted = True
        await self._until_enough()
        return incoming.body()

    def body(self, limit_bytes: int) -> tuple[bytes, str]:
        """The body of an answer that is complete, and its flaw."""
        if self._incoming is None:
            raise ConnectionResetError
        self._incoming.limit_bytes = limit_bytes
        return self._incoming.body()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the event loop when the connection is open."""
        self.transport = transport  # type: ignore[assignment]  # that of a socket
        self._unread = _unread_bytes(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Called by the event loop when the connection has ended."""
        self.transport = None
        if self._incoming:
            self._incoming.end(cleanly=error is None)
        self._wake()
        if self._closed and not self._closed.done():
            self._closed.set_result(None)

    def get_buffer(self, sizehint: int) -> memoryview:
        """Called by the event loop: the memory for bytes that arrive."""
        del sizehint
        return self._room

    def buffer_updated(self, nbytes: int) -> None:
        """Take in bytes; those that nobody asked for make this the connection's last answer."""
        self.received_bytes += nbytes
        if self._incoming is None:
            self.close()
        elif self.received_bytes > self.most_bytes:
            self.give_up(TooLargeError.reason)
        else:
            self._incoming.feed(self._room[:nbytes])
            self._wake()

    def give_up(self, reason: str) -> None:
        """Fail whoever waits for this connection."""
        if self._incoming:
            self._incoming.fail(FetchError(f"gave up waiting for {self.address}", reason=reason))
        self._wake()

    def close(self) -> None:
        """Close the connection."""
        if self.transport is not None:
            self.transport.close()

    def abort(self) -> None:
        """Close the connection without waiting for what is still to be sent."""
        if self.transport is not None:
            self.transport.abort()

    @property
    def closed(self) -> asyncio.Future[None] | None:
        """A future that is done when the connection has ended; None if it has ended already."""
        if self.transport is None:
            return None
        if self._closed is None:
            self._closed = self._loop.create_future()
        return self._closed

    @property
    def is_complete(self) -> bool:
        """Whether the whole answer has come."""
        return self._incoming is not None and self._incoming.complete

    @property
    def should_close(self) -> bool:
        """Whether this was the last answer: it is not at its end, it says so, or more came than was asked for."""
        return self._incoming is not None and (self._incoming.is_last or not self._incoming.complete)

    @property
    def is_quiet(self) -> bool:
        """Whether another request may be sent: connected, and nothing has arrived that nobody asked for."""
        transport = self.transport
        return not (transport is None or transport.is_closing() or self.should_close or self._unread())

    def silent_since(self, now: float) -> float:
        """When the body was last seen to grow; `now` if it has, or if no body is being read."""
        incoming = self._incoming
        size = incoming.size if incoming and incoming.head and not incoming.complete else -1
        if size != self._seen_bytes or size < 0:
            self._seen_bytes, self._seen_at = size, now
        return self._seen_at

    async def _until_enough(self) -> None:
        """Wait until as much has come as is wanted."""
        if self._has_enough():
            return
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _has_enough(self) -> bool:
        incoming = self._incoming
        return incoming is None or (incoming.has_body if self._is_body_wanted else incoming.has_head)

    def _wake(self) -> None:
        if self._waiter and self._has_enough() and not self._waiter.done():
            self._waiter.set_result(None)


def _unread_bytes(transport: asyncio.BaseTransport) -> Callable[[], bool]:
    """Tells whether the system holds bytes, or the end of the connection, that the event loop has not seen yet."""
    if not hasattr(select, "poll"):
        return lambda: False
    watch = select.poll()
    watch.register(transport.get_extra_info("socket").fileno(), select.POLLIN)
    return lambda: bool(watch.poll(0))
