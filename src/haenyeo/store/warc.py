"""WARC 1.1 records (ISO 28500:2017) as bytes, one gzip member each, and back.

Records are put together by hand, because the place and length of each must be known, a page must reach the disk in one
system call, and ISA-L may do the compressing: a request and a response of 18 KB take 103 µs of CPU (FastWARC at the
same level 124, zlib 272).
"""

from __future__ import annotations

import functools
import hashlib
import os
import zlib
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from haenyeo import __version__
from haenyeo.model.errors import StoreError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Hop
from haenyeo.store.deflate import GZIP, compress

LEVEL = 1
LEVEL_OF_HEADS = 0  # of records without a body: at level 1 they take four times as long and are 150 bytes smaller
PROFILE = "http://netpreserve.org/warc/1.1/revisit/"
SAME_PAYLOAD = PROFILE + "identical-payload-digest"
NOT_MODIFIED = PROFILE + "server-not-modified"
STANDARD = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
CONTENT_TYPES = {
    "response": "application/http;msgtype=response",
    "revisit": "application/http;msgtype=response",
    "request": "application/http;msgtype=request",
    "warcinfo": "application/warc-fields",
}
# The body is stored without its transfer coding, so a reader must not undo it again.
RENAMED = {"transfer-encoding": "X-Archive-Orig-Transfer-Encoding"}

BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
PAIRS = [first + second for first in BASE32 for second in BASE32]
PLACES = range(150, -1, -10)  # of the 16 pairs of digits of a SHA-1
LENGTH_OF_DATE = 26  # of one in microseconds, without its zone

Headers = tuple[tuple[str, str], ...]


class Original(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The record that a revisit record refers to, and why its payload still holds."""

    url: Url
    at: datetime
    profile: str = SAME_PAYLOAD


class Exchange(NamedTuple):
    """A hop as two gzip members: first the response, or the revisit record in its place, then the request."""

    response: bytes
    request: bytes


def payload_digest(body: bytes) -> bytes:
    """SHA-1 of a body as received; the archive world's custom, not a matter of security."""
    return hashlib.sha1(body, usedforsecurity=False).digest()


def exchange(hop: Hop, digest: bytes, original: Original | None = None) -> Exchange:
    """The records of one request and its response; `digest` is the body's."""
    response_id, request_id = _urns.take(), _urns.take()
    address = f"WARC-IP-Address: {hop.address}\r\n" if hop.address else ""
    target = f"WARC-Target-URI: {hop.url}\r\nWARC-Date: {_date(hop.at)}\r\n{address}"
    facts = f"{target}WARC-Payload-Digest: sha1:{_base32(digest)}\r\n"
    if hop.cut:
        facts += "WARC-Truncated: length\r\n"
    head = _response_head(hop)
    if original is None:
        response = _record("response", response_id, facts, head, hop.body)
    else:
        response = _record("revisit", response_id, facts + _reference(original), head)
    target += f"WARC-Concurrent-To: {response_id}\r\n"
    return Exchange(response, _record("request", request_id, target, _request_head(hop)))


def warcinfo(name: str, collection: str, now: datetime) -> bytes:
    """The record that opens a file."""
    block = (
        f"software: haenyeo/{__version__}\r\nformat: WARC File Format 1.1\r\nconformsTo: {STANDARD}\r\n"
        f"isPartOf: {collection}\r\n"
    )
    facts = f"WARC-Date: {_date(now)}\r\nWARC-Filename: {name}\r\n"
    return _record("warcinfo", _urns.take(), facts, block.encode())


def read_response(member: bytes) -> Hop:
    """The response in a gzip member that `exchange` made; its body is empty when the record is a revisit."""
    try:
        record = zlib.decompress(member, GZIP)
        warc_head, _, rest = record.partition(b"\r\n\r\n")
        facts = dict(fields_of(warc_head.decode("utf-8", "replace")))
        block = rest[: int(facts["Content-Length"])]
        head, _, body = block.partition(b"\r\n\r\n")
        http_head = head.decode("latin-1")
        _, status, *reason = http_head.partition("\r\n")[0].split(" ", 2)
        return Hop(
            url=Url(facts["WARC-Target-URI"]),
            status=int(status),
            reason="".join(reason),
            headers=tuple(fields_of(http_head)),
            body=body,
            cut="WARC-Truncated" in facts,
            address=facts.get("WARC-IP-Address", ""),
            at=datetime.fromisoformat(facts["WARC-Date"]),
        )
    except (zlib.error, KeyError, ValueError) as error:
        raise StoreError(f"there is no readable response record where one should be: {error}") from error


def _record(kind: str, record_id: str, facts: str, head: bytes, body: bytes = b"") -> bytes:
    """A whole record as a gzip member; its check sum guards the heads, the payload digest in `facts` the body."""
    opening = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {record_id}\r\n{facts}"
        f"Content-Type: {CONTENT_TYPES[kind]}\r\nContent-Length: {len(head) + len(body)}\r\n\r\n"
    )
    level = LEVEL if body else LEVEL_OF_HEADS
    return compress(b"".join((opening.encode(), head, body, b"\r\n\r\n")), level, GZIP)


def _reference(original: Original) -> str:
    return (
        f"WARC-Profile: {original.profile}\r\nWARC-Refers-To-Target-URI: {original.url}\r\n"
        f"WARC-Refers-To-Date: {_date(original.at)}\r\n"
    )


def _response_head(hop: Hop) -> bytes:
    return _http_head(f"HTTP/1.1 {hop.status} {hop.reason}", _renamed(hop.headers))


def _request_head(hop: Hop) -> bytes:
    _, _, rest = hop.url.partition("://")
    slash = rest.find("/")
    first = f"GET {rest[slash:] if slash >= 0 else '/'} HTTP/1.1"
    if first.isascii() and first.isprintable():
        return first.encode() + _lines_sent(hop.request_headers)
    return _http_head(first, hop.request_headers)


@functools.lru_cache(maxsize=1024)
def _lines_sent(headers: Headers) -> bytes:
    """The headers of a request; those to one host are nearly always the same."""
    return _http_head("", headers)


def _renamed(headers: Headers) -> Headers:
    return tuple([(RENAMED.get(name.lower(), name), value) for name, value in headers])


def _http_head(first: str, headers: Headers) -> bytes:
    lines = [first, *[f"{name}: {value}" for name, value in headers]]
    text = "\r\n".join(lines)
    if text.count("\n") >= len(lines) or text.count("\r") >= len(lines):
        text = "\r\n".join(line.replace("\r", " ").replace("\n", " ") for line in lines)
    text += "\r\n\r\n"
    try:
        return text.encode("latin-1")  # a character of a header stands for a byte
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def fields_of(head: str) -> list[tuple[str, str]]:
    """The named fields of a head, without its first line."""
    lines = head.split("\r\n")[1:]
    fields = (line.partition(":") for line in lines if line)
    return [(name, value.strip()) for name, _, value in fields]


class _Urns:
    """UUIDs of our own making (version 8 of RFC 9562) as URNs: 74 bits of chance for each process, and a count."""

    def __init__(self) -> None:
        self._begin()
        os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        chance = os.urandom(10).hex()
        self._prefix = f"<urn:uuid:{chance[:8]}-{chance[8:12]}-8{chance[13:16]}-a{chance[17:]}-"
        self._count = 0

    def take(self) -> str:
        """One that was never taken before."""
        self._count += 1
        return f"{self._prefix}{self._count:012x}>"


_urns = _Urns()


def _date(at: datetime) -> str:
    moment = at if at.tzinfo is UTC else at.astimezone(UTC)
    return moment.isoformat(timespec="microseconds")[:LENGTH_OF_DATE] + "Z"


def _base32(digest: bytes) -> str:
    """A SHA-1 in base 32; the standard library's way takes four times as long."""
    number = int.from_bytes(digest)
    return "".join([PAIRS[number >> place & 1023] for place in PLACES])
