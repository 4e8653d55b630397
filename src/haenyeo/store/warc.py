"""WARC 1.1 records (ISO 28500:2017) as bytes, one gzip member each, and back.

Records are put together by hand, because the place and length of each must be known, a page must reach the disk in one
system call, and ISA-L may do the compressing: a request and a response of 18 KB take 71 µs of CPU, 11 of them for the
digests of their blocks (FastWARC at the same level 124, zlib 272).
"""

from __future__ import annotations

import base64
import enum
import hashlib
import os
import zlib
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from haenyeo import __version__, native
from haenyeo.model.errors import StoreError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Hop
from haenyeo.store.deflate import GZIP, compress

COMPILED = native.load("writing")

LEVEL = 1  # at level 2 ISA-L takes up to a quarter longer, and records come out 1 % smaller
LEVEL_OF_HEADS = 0  # of records without a body: at level 1 they take four times as long and are 150 bytes smaller
PROFILE = "http://netpreserve.org/warc/1.1/revisit/"
SAME_PAYLOAD = PROFILE + "identical-payload-digest"
NOT_MODIFIED = PROFILE + "server-not-modified"
STANDARD = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
SESSION = "session"
"""The field of a warcinfo record that says how the records after it follow those before."""
ANSWERS = frozenset({"response", "revisit"})
RENDERED = "conversion"
"""The type of the record that has a page as a browser shows it; it refers to the response it was made from."""
RENDERED_AS = "text/html; charset=utf-8"
CONTENT_TYPES = {
    RENDERED: RENDERED_AS,
    "response": "application/http;msgtype=response",
    "revisit": "application/http;msgtype=response",
    "request": "application/http;msgtype=request",
    "warcinfo": "application/warc-fields",
}
# The body is stored without its transfer coding, so a reader must not undo it again.
RENAMED = {"transfer-encoding": "X-Archive-Orig-Transfer-Encoding"}

_NO_BYTES = hashlib.sha1(usedforsecurity=False)  # to copy it is quicker than to look for the algorithm each time

Headers = tuple[tuple[str, str], ...]

_AS_HTML: Headers = (("Content-Type", RENDERED_AS),)


class Original(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The record that a revisit record refers to, and why its payload still holds."""

    url: Url
    at: datetime
    profile: str = SAME_PAYLOAD


class ArchivedExchange(NamedTuple):
    """A hop as two gzip members: first the response, or the revisit record in its place, then the request."""

    response: bytes
    request: bytes


def payload_digest(body: bytes) -> bytes:
    """SHA-1 of a body as received; the archive world's custom, not a matter of security."""
    digest = _NO_BYTES.copy()
    digest.update(body)
    return digest.digest()


def new_id() -> str:
    """A name for a record that another is to refer to."""
    return _urns.take()


def exchange(hop: Hop, digest: bytes, original: Original | None = None, response_id: str = "") -> ArchivedExchange:
    """The records of one request and its response; `digest` is the body's."""
    ids = response_id or _urns.take(), _urns.take()
    found = _records_compiled(hop, digest, *ids) if original is None else None
    response, request = found or _records_in_python(hop, digest, ids, original)
    level = LEVEL_OF_HEADS if original or not hop.body else LEVEL
    return ArchivedExchange(compress(response, level, GZIP), compress(request, LEVEL_OF_HEADS, GZIP))


def rendering(hop: Hop, html: bytes, digest: bytes, made_from: str) -> bytes:
    """The record of a page as a browser shows it, a gzip member; `made_from` is the id of its response's record."""
    facts = (
        f"WARC-Target-URI: {hop.url}\r\nWARC-Date: {_date(hop.at)}\r\nWARC-Refers-To: {made_from}\r\n"
        f"WARC-Payload-Digest: sha1:{base64.b32encode(digest).decode()}\r\n"
    )
    return compress(_record(RENDERED, _urns.take(), facts, html), LEVEL, GZIP)


def _records_compiled(hop: Hop, digest: bytes, response_id: str, request_id: str) -> tuple[bytes, bytes] | None:
    """Response and request of a hop whose heads are plain ASCII, in compiled code; None if they or it are not."""
    if COMPILED is None:
        return None
    found: tuple[bytes, bytes] | None = COMPILED.records(
        hop.url,
        hop.address,
        _date(hop.at),
        hop.status,
        hop.reason,
        hop.headers,
        hop.request_headers,
        hop.body,
        digest,
        hop.cut,
        response_id,
        request_id,
        _NO_BYTES,
    )
    return found


def _records_in_python(hop: Hop, digest: bytes, ids: tuple[str, str], original: Original | None) -> tuple[bytes, bytes]:
    """Response, or the revisit in its place, and request of any hop."""
    address = f"WARC-IP-Address: {hop.address}\r\n" if hop.address else ""
    target = f"WARC-Target-URI: {hop.url}\r\nWARC-Date: {_date(hop.at)}\r\n{address}"
    facts = f"{target}WARC-Payload-Digest: sha1:{base64.b32encode(digest).decode()}\r\n"
    if hop.cut:
        facts += "WARC-Truncated: length\r\n"
    head = _http_head(f"HTTP/1.1 {hop.status} {hop.reason}", _renamed(hop.headers))
    if original is None:
        response = _record("response", ids[0], facts, head + hop.body)
    else:
        response = _record("revisit", ids[0], facts + _reference(original), head)
    target += f"WARC-Concurrent-To: {ids[0]}\r\n"
    return response, _record("request", ids[1], target, _http_head(_request_line(hop.url), hop.request_headers))


class Session(enum.IntEnum):
    """How the work that made records follows the work before: what was learnt passes from one to the other so."""

    GOES_ON = 0  # as if there were no mark
    SETTLES = 1  # all that was learnt was put down, and work went on
    BEGINS = 2  # another crawl took up what was put down


def warcinfo(name: str, collection: str, now: datetime, session: Session) -> bytes:
    """The record that opens a file, or marks within one that the work settles or begins."""
    block = (
        f"software: haenyeo/{__version__}\r\nformat: WARC File Format 1.1\r\nconformsTo: {STANDARD}\r\n"
        f"isPartOf: {collection}\r\n{SESSION}: {session.name}\r\n"
    )
    facts = f"WARC-Date: {_date(now)}\r\nWARC-Filename: {name}\r\n"
    return compress(_record("warcinfo", _urns.take(), facts, block.encode()), LEVEL, GZIP)


def read_response(member: bytes) -> Hop:
    """The response in a gzip member that `exchange` made; its body is empty when the record is a revisit."""
    try:
        facts, block = _opened(zlib.decompress(member, GZIP))
        return _response(facts, block)
    except (zlib.error, KeyError, ValueError) as error:
        raise StoreError(f"there is no readable response record where one should be: {error}") from error


class ReadRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A response that was read back; `original` is the record that has its payload, if it has none of its own.

    A `rendered` one is no response, but what a browser made of the one before it.
    """

    hop: Hop
    digest: bytes
    original: Original | None = None
    rendered: bool = False


def read_record(record: bytes) -> ReadRecord | None:
    """The response or revisit in an unpacked record, None for one of another kind; raises `ValueError` for neither."""
    try:
        facts, block = _opened(record)
        if facts["WARC-Type"] not in (*ANSWERS, RENDERED):
            return None
        original = None
        if facts["WARC-Type"] == "revisit":
            original = Original(
                url=Url(facts["WARC-Refers-To-Target-URI"]),
                at=datetime.fromisoformat(facts["WARC-Refers-To-Date"]),
                profile=facts["WARC-Profile"],
            )
        digest = base64.b32decode(facts["WARC-Payload-Digest"].removeprefix("sha1:"))
        rendered = facts["WARC-Type"] == RENDERED
        return ReadRecord(hop=_response(facts, block), digest=digest, original=original, rendered=rendered)
    except KeyError as error:
        raise ValueError(f"a record lacks {error}") from error


def read_session(record: bytes) -> Session:
    """What an unpacked record says of how those after it follow; most say nothing."""
    facts, block = _opened(record)
    said = dict(fields_of("\r\n" + block.decode("utf-8", "replace"))) if facts.get("WARC-Type") == "warcinfo" else {}
    return Session.__members__.get(said.get(SESSION, ""), Session.GOES_ON)


def _opened(record: bytes) -> tuple[dict[str, str], bytes]:
    """The named fields of a record, and its block."""
    warc_head, _, rest = record.partition(b"\r\n\r\n")
    facts = dict(fields_of(warc_head.decode("utf-8", "replace")))
    return facts, rest[: int(facts["Content-Length"])]


def _response(facts: dict[str, str], block: bytes) -> Hop:
    if facts["WARC-Type"] == RENDERED:
        at = datetime.fromisoformat(facts["WARC-Date"])
        return Hop(url=Url(facts["WARC-Target-URI"]), status=200, headers=_AS_HTML, body=block, at=at)
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


def _record(kind: str, record_id: str, facts: str, block: bytes) -> bytes:
    """A whole record, with the digest of its block."""
    digest = base64.b32encode(payload_digest(block)).decode()
    opening = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {record_id}\r\n{facts}"
        f"WARC-Block-Digest: sha1:{digest}\r\n"
        f"Content-Type: {CONTENT_TYPES[kind]}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return b"".join((opening.encode(), block, b"\r\n\r\n"))


def _reference(original: Original) -> str:
    return (
        f"WARC-Profile: {original.profile}\r\nWARC-Refers-To-Target-URI: {original.url}\r\n"
        f"WARC-Refers-To-Date: {_date(original.at)}\r\n"
    )


def _request_line(url: Url) -> str:
    _, _, rest = url.partition("://")
    slash = rest.find("/")
    return f"GET {rest[slash:] if slash >= 0 else '/'} HTTP/1.1"


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
    day = at if at.tzinfo is UTC else at.astimezone(UTC)
    # In half of `isoformat`'s time.
    clock = day.hour, day.minute, day.second, day.microsecond
    return "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ" % (day.year, day.month, day.day, *clock)  # noqa: UP031
