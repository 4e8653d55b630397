"""What has come of an answer? The llhttp parser (httptools) tells piece by piece; here the pieces are put together.

What came before the trouble is kept: an answer that was complete stays so, whatever bytes follow it, such as those of
servers that count letters instead of bytes.
"""

from __future__ import annotations

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

from haenyeo.fetch.bodies import CUT_SHORT, TOO_LARGE
from haenyeo.fetch.transport.fields import AnswerHead, Fields
from haenyeo.model.errors import FetchError, TooLargeError

MOST_INTERIM_ANSWERS = 32
LONGEST_LINE_BYTES = 1 << 13
LONGEST_HEADER_BYTES = 1 << 14
MOST_HEADERS = 256
BAD_ANSWER = "bad answer"

_FIRST_FINAL_STATUS = 200
# What servers do that browsers forgive.
_LENIENT = {"lenient_headers": True, "lenient_optional_cr_before_lf": True, "lenient_spaces_after_chunk_size": True}


class Incoming:
    """An answer on its way: its `head` when that has come, its body, and the first `trouble` there was.

    It is `complete` when all of it has come. `is_last` says that no other answer can follow on the same connection.
    `limit_bytes` is how much of the body is wanted.
    """

    def __init__(self) -> None:
        self.head: AnswerHead | None = None
        self.trouble: FetchError | ConnectionError | None = None
        self.complete = False
        self.is_last = False
        self.limit_bytes = 0
        self.size = 0
        self._parts: list[bytes] = []
        self._reason = b""
        self._headers: list[tuple[bytes, bytes]] = []
        self._lines = self._interim = self._untold = 0
        self._ends_with_connection = False
        self._parser: HttpResponseParser | None = HttpResponseParser(self)
        self._parser.set_dangerous_leniencies(**_LENIENT)

    @property
    def has_head(self) -> bool:
        """Whether there is no use in waiting for the head any more."""
        return self.head is not None or self.trouble is not None

    @property
    def has_body(self) -> bool:
        """Whether there is no use in waiting for more of the body."""
        return self.complete or self.trouble is not None or self.size > self.limit_bytes

    def feed(self, data: bytes | memoryview) -> None:
        """More bytes have come."""
        if self.complete or self.trouble or self._parser is None:
            self.is_last = True
            return
        self._untold += len(data)
        try:
            self._parser.feed_data(data)
        except HttpParserUpgrade:
            self.fail(FetchError("the server switched to a protocol nobody asked for", reason=BAD_ANSWER))
        except HttpParserError as error:
            self.fail(FetchError(str(error), reason=BAD_ANSWER))
        if self.head is None and self._untold > LONGEST_HEADER_BYTES:
            self._fail_by_length()
        if self.complete or self.trouble:
            self._parser = None  # it refers back to us, and only the garbage collector would part us

    def end(self, *, cleanly: bool) -> None:
        """Nothing more will come; a body whose length nobody told is complete now."""
        if self.head and self._ends_with_connection and cleanly:
            self.complete = True
        self.fail(ConnectionResetError())
        self._parser = None

    def fail(self, trouble: FetchError | ConnectionError) -> None:
        """Something went wrong; an answer that is complete stays so."""
        self.is_last = True
        if not self.complete and self.trouble is None:
            self.trouble = trouble

    def body(self) -> tuple[bytes, str]:
        """What has come of the body, as far as it is wanted, and its flaw."""
        body = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        if self.size > self.limit_bytes:
            return body[: self.limit_bytes], TOO_LARGE
        if self.trouble is None:
            return body, ""
        if isinstance(self.trouble, ConnectionError):
            return body, CUT_SHORT
        if self.trouble.reason == BAD_ANSWER:
            return body, BAD_ANSWER
        raise self.trouble

    def on_message_begin(self) -> None:
        """The first bytes of an answer: of this one, an interim one, or one that nobody asked for."""
        self.is_last |= self.complete

    def on_status(self, reason: bytes) -> None:
        """A piece of what stands behind the status."""
        if self.head is None:
            self._reason += reason
            if len(self._reason) > LONGEST_LINE_BYTES:
                self._fail_by_length()

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header, or a trailer: those come after the head and are only counted."""
        self._lines += 1
        self._untold = 0
        if self.head is None:
            self._headers.append((name, value.rstrip(b" \t")))
        long = len(name) > LONGEST_HEADER_BYTES or len(value) > LONGEST_HEADER_BYTES
        if long or self._lines > MOST_HEADERS or b"\0" in value:
            self._fail_by_length()

    def on_headers_complete(self) -> None:
        """The head has come, of an interim answer or of the one that is waited for."""
        status = self._parser.get_status_code() if self._parser else 0
        if self.head or self.trouble or status < _FIRST_FINAL_STATUS:
            return
        fields = Fields(self._headers)
        in_chunks = "chunked" in fields.get("transfer-encoding").lower()
        self._ends_with_connection = not in_chunks and "content-length" not in fields
        self.head = AnswerHead(status, self._reason, fields)

    def on_body(self, part: bytes) -> None:
        """A piece of the body."""
        if not self.complete:
            self._parts.append(part)
            self.size += len(part)

    def on_message_complete(self) -> None:
        """The answer is complete, or an interim one."""
        if self.head:
            self.is_last |= self._parser is None or not self._parser.should_keep_alive()
            self.complete = self.trouble is None
            return
        self._reason, self._headers, self._lines, self._untold = b"", [], 0, 0
        self._interim += 1
        if self._interim >= MOST_INTERIM_ANSWERS:
            self.fail(TooLargeError("interim answers without end", reason="too many interim answers"))

    def _fail_by_length(self) -> None:
        self.fail(FetchError("the answer's headers are too long or too many", reason=BAD_ANSWER))
