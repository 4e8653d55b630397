"""One connection to a server: asks, and hands back the answer's head and a stream of its body.

aiohttp's protocol and its llhttp parser do the reading. Its connection pool and session are not used: the pool hands a
connection on while bytes of a second, unasked answer wait in it, and the session costs three times as much CPU as the
exchange itself. What is left to do is little: write one GET, and let go of a connection on which anything else arrived.
"""

from __future__ import annotations

import asyncio
import select
from typing import TYPE_CHECKING

from aiohttp.client_proto import ResponseHandler

from haenyeo.model.errors import FetchError, TooLargeError

if TYPE_CHECKING:
    from aiohttp.http import RawResponseMessage
    from aiohttp.streams import StreamReader

MOST_INTERIM_ANSWERS = 32
READ_AHEAD_BYTES = 1 << 18
LONGEST_LINE_BYTES = 1 << 13
LONGEST_HEADER_BYTES = 1 << 14
MOST_HEADERS = 256
# With the beginning of a body that came along.
MOST_HEAD_BYTES = 1 << 23

_SWITCHING_PROTOCOLS = 101
_FIRST_FINAL_STATUS = 200


class Wire(ResponseHandler):
    """A connection. `address` is the numeric address at its other end, `idle_since` when it was last let go of.

    `step` names what is waited for at the moment, and `due` is when that wait should end, by the event loop's clock.
    `received_bytes` count from the last request on, with all that is not body, and may not be more than `most_bytes`.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, address: str) -> None:
        super().__init__(loop)
        self.address = address
        self.idle_since = 0.0
        self.step = ""
        self.due = 0.0
        self.received_bytes = 0
        self.most_bytes = MOST_HEAD_BYTES
        self._head_is_due = False
        self._seen_bytes = -1
        self._seen_at = 0.0

    async def ask(self, request: bytes, *, with_body: bool = True) -> tuple[RawResponseMessage, StreamReader]:
        """Send a request and wait for the head of its answer, past interim answers; the body follows in the stream."""
        self.set_response_params(
            skip_payload=not with_body,
            read_until_eof=True,
            auto_decompress=False,
            read_bufsize=READ_AHEAD_BYTES,
            max_line_size=LONGEST_LINE_BYTES,
            max_field_size=LONGEST_HEADER_BYTES,
            max_headers=MOST_HEADERS,
        )
        if self.transport is None:
            raise ConnectionResetError
        self._head_is_due = True
        self.received_bytes, self.most_bytes = 0, MOST_HEAD_BYTES
        self.transport.write(request)
        for _ in range(MOST_INTERIM_ANSWERS):
            message, stream = await self.read()
            if message.code >= _FIRST_FINAL_STATUS:
                return message, stream
            if message.code == _SWITCHING_PROTOCOLS:
                raise FetchError("the server switched to a protocol nobody asked for", reason="bad answer")
        raise TooLargeError("the server sent interim answers without end", reason="too many interim answers")

    def data_received(self, data: bytes) -> None:
        """Take in bytes; what breaks the parser also fails whoever reads the body, or a bad trailer left it waiting.

        The head is given to the parser alone. Else bytes behind the end of the body, which servers send that count
        letters instead of bytes, would cost the whole answer and not only the connection.
        """
        self.received_bytes += len(data)
        if self.received_bytes > self.most_bytes:
            self.give_up(TooLargeError.reason)
        if self._head_is_due and (end := data.find(b"\r\n\r\n")) >= 0:
            self._head_is_due = False
            super().data_received(data[: end + 4])
            data = data[end + 4 :]
        if self.exception() is None:
            super().data_received(data)
        error = self.exception()
        if error is not None:
            self._fail_reader(error)

    def give_up(self, reason: str) -> None:
        """Fail whoever waits for this connection."""
        error = FetchError(f"gave up waiting for {self.address}", reason=reason)
        self.set_exception(error)
        self._fail_reader(error)

    def silent_since(self, now: float) -> float:
        """When the body was last seen to grow; `now` if it has, or if no body is being read."""
        stream = self._payload
        size = -1 if stream is None or stream.is_eof() else stream.total_bytes
        if size != self._seen_bytes or size < 0:
            self._seen_bytes, self._seen_at = size, now
        return self._seen_at

    @property
    def is_quiet(self) -> bool:
        """Whether another request may be sent: connected, and nothing has arrived that nobody asked for."""
        return self.is_connected() and not self.should_close and not self._has_unread_bytes()

    def _fail_reader(self, error: BaseException) -> None:
        stream = self._payload
        if stream is not None and not stream.is_eof():
            stream.set_exception(error)

    def _has_unread_bytes(self) -> bool:
        """Whether the system holds bytes, or the end of the connection, that the event loop has not seen yet."""
        transport = self.transport
        if transport is None or not hasattr(select, "poll"):
            return False
        watch = select.poll()
        watch.register(transport.get_extra_info("socket").fileno(), select.POLLIN)
        return bool(watch.poll(0))
