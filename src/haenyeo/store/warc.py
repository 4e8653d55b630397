"""WARC 1.1 records (ISO 28500:2017) as bytes, one gzip member each, and back.

Records are put together by hand, because the place and length of each must be known, a page must reach the disk in one
system call, and ISA-L may do the compressing: a request and a response of 18 KB take 103 µs of CPU (FastWARC at the
same level 124, zlib 272).
"""

from __future__ import annotations

import base64
import hashlib
import importlib
import os
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import version
from typing import cast

import msgspec

from haenyeo.model.errors import StoreError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Hop

GZIP = 31  # window bits that make zlib write and read gzip members
LEVEL = 1
PROFILE = "http://netpreserve.org/warc/1.1/revisit/"
SAME_PAYLOAD = PROFILE + "identical-payload-digest"
NOT_MODIFIED = PROFILE + "server-not-modified"
STANDARD = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
# The body is stored without its transfer coding, so a reader must not undo it again.
RENAMED = {"transfer-encoding": "X-Archive-Orig-Transfer-Encoding"}

Compress = Callable[[bytes, int, int], bytes]


class Original(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The record that a revisit record refers to, and why its payload still holds."""

    url: Url
    at: datetime
    profile: str = SAME_PAYLOAD


class Exchange(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A hop as two gzip members: first the response, or the revisit record in its place, then the request."""

    response: bytes
    request: bytes


def _fastest_compress() -> Compress:
    """ISA-L's deflate where it is installed (a quarter of zlib's time at the same size), else zlib's."""
    with suppress(ImportError):
        return cast("Compress", importlib.import_module("isal.isal_zlib").compress)
    return cast("Compress", zlib.compress)


_compress = _fastest_compress()


def payload_digest(body: bytes) -> bytes:
    """SHA-1 of a body as received; the archive world's custom, not a matter of security."""
    return hashlib.sha1(body, usedforsecurity=False).digest()


def exchange(hop: Hop, digest: bytes, original: Original | None = None) -> Exchange:
    """The records of one request and its response; `digest` is the body's."""
    response_id, request_id = _record_ids()
    target = f"WARC-Target-URI: {hop.url}\r\nWARC-Date: {_date(hop.at)}\r\n"
    if hop.address:
        target += f"WARC-IP-Address: {hop.address}\r\n"
    facts = f"{target}WARC-Payload-Digest: {_labelled(digest)}\r\n"
    if hop.cut:
        facts += "WARC-Truncated: length\r\n"
    head = _response_head(hop)
    if original is None:
        response = _record("response", response_id, facts, "application/http;msgtype=response", head + hop.body)
    else:
        facts += _reference(original)
        response = _record("revisit", response_id, facts, "application/http;msgtype=response", head)
    target += f"WARC-Concurrent-To: {response_id}\r\n"
    request = _record("request", request_id, target, "application/http;msgtype=request", _request_head(hop))
    return Exchange(response=response, request=request)


def warcinfo(name: str, collection: str, now: datetime) -> bytes:
    """The record that opens a file."""
    block = (
        f"software: haenyeo/{version('haenyeo')}\r\nformat: WARC File Format 1.1\r\nconformsTo: {STANDARD}\r\n"
        f"isPartOf: {collection}\r\n"
    )
    facts = f"WARC-Date: {_date(now)}\r\nWARC-Filename: {name}\r\n"
    return _record("warcinfo", _record_ids()[0], facts, "application/warc-fields", block.encode())


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


def _record(kind: str, record_id: str, facts: str, content_type: str, block: bytes) -> bytes:
    """A whole record as a gzip member; its check sum guards the heads, the payload digest in `facts` the body."""
    head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {record_id}\r\n{facts}"
        f"Content-Type: {content_type}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return _compress(b"".join((head.encode(), block, b"\r\n\r\n")), LEVEL, GZIP)


def _reference(original: Original) -> str:
    return (
        f"WARC-Profile: {original.profile}\r\nWARC-Refers-To-Target-URI: {original.url}\r\n"
        f"WARC-Refers-To-Date: {_date(original.at)}\r\n"
    )


def _response_head(hop: Hop) -> bytes:
    reason = f" {hop.reason}" if hop.reason else " "
    headers = [(RENAMED.get(name.lower(), name), value) for name, value in hop.headers]
    return _http_head(f"HTTP/1.1 {hop.status}{reason}", headers)


def _request_head(hop: Hop) -> bytes:
    _, _, rest = hop.url.partition("://")
    slash = rest.find("/")
    return _http_head(f"GET {rest[slash:] if slash >= 0 else '/'} HTTP/1.1", hop.request_headers)


def _http_head(first: str, headers: Sequence[tuple[str, str]]) -> bytes:
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


def _record_ids() -> tuple[str, str]:
    """Two random UUIDs (version 4) as URNs; `uuid.uuid4` takes seven times as long."""
    digits = os.urandom(32).hex()
    return (
        f"<urn:uuid:{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:32]}>",
        f"<urn:uuid:{digits[32:40]}-{digits[40:44]}-4{digits[45:48]}-a{digits[49:52]}-{digits[52:]}>",
    )


def _date(at: datetime) -> str:
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def _labelled(digest: bytes) -> str:
    return f"sha1:{base64.b32encode(digest).decode()}"
