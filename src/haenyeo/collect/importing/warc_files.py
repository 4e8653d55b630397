"""Records of WARC files that anybody wrote, one at a time: packed record by record, all in one, or not at all.

Bodies come as a server sent them, transfer coding undone: most crawlers keep it, and some undo it and keep the header.
A record longer than is wanted is passed over without being held in memory.
"""

from __future__ import annotations

import gzip
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import BinaryIO

import msgspec

from haenyeo.model.pages import Url
from haenyeo.model.visits import Hop

LONGEST_HEAD = 1 << 16
LONGEST_RECORD = 64 << 20
STEP = 1 << 16
GZIP_MAGIC = b"\x1f\x8b"
WANTED = frozenset({"response", "revisit", "resource", "conversion"})

_STATUS = re.compile(rb"HTTP/[\d.]+ +(\d{3}) ?([^\r\n]*)")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[^\r\n]*\r?\n")


class ForeignRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record that tells of a page; `kind` is its WARC type, `refers_to` the address whose payload a revisit has."""

    kind: str
    hop: Hop
    refers_to: str = ""


def unpacked(file: BinaryIO) -> BinaryIO:
    """The content of a file that may be packed with gzip."""
    beginning = file.read(2)
    file.seek(0)
    return io.BufferedReader(gzip.GzipFile(fileobj=file)) if beginning == GZIP_MAGIC else file


def warc_records(file: BinaryIO) -> Iterator[ForeignRecord | None]:
    """Each record of an unpacked WARC file, None for one that tells of no page; raises `ValueError` for no WARC."""
    while (facts := _head(file)) is not None:
        length = int(facts.get("content-length", "0") or 0)
        kind = facts.get("warc-type", "")
        if kind not in WANTED or length > LONGEST_RECORD:
            _pass_over(file, length)
            yield None
            continue
        block = file.read(length)
        if len(block) < length:
            raise ValueError("the file ends within a record")
        yield _record(kind, facts, block)


def _head(file: BinaryIO) -> dict[str, str] | None:
    """The named fields of the next record, None at the end of the file."""
    line = file.readline(LONGEST_HEAD)
    while line and not line.strip():
        line = file.readline(LONGEST_HEAD)
    if not line:
        return None
    if not line.startswith(b"WARC/"):
        raise ValueError(f"no WARC record begins with {line[:20]!r}")
    facts: dict[str, str] = {}
    size = 0
    while (line := file.readline(LONGEST_HEAD)).strip():
        name, _, value = line.decode("utf-8", "replace").partition(":")
        facts[name.strip().lower()] = value.strip()
        size += len(line)
        if size > LONGEST_HEAD:
            raise ValueError("a record's head has no end")
    return facts


def _pass_over(file: BinaryIO, length: int) -> None:
    while length > 0:
        part = file.read(min(STEP, length))
        if not part:
            raise ValueError("the file ends within a record")
        length -= len(part)


def _record(kind: str, facts: dict[str, str], block: bytes) -> ForeignRecord | None:
    url, at = facts.get("warc-target-uri", "").strip("<>"), moment_of(facts.get("warc-date", ""))
    if at is None or not url.startswith(("http://", "https://")):
        return None
    if kind in ("resource", "conversion"):
        headers = (("Content-Type", facts.get("content-type", "")),)
        return ForeignRecord(kind=kind, hop=Hop(url=Url(url), status=200, headers=headers, body=block, at=at))
    hop = _response(Url(url), at, block, cut="warc-truncated" in facts)
    if hop is None:
        return None
    return ForeignRecord(kind=kind, hop=hop, refers_to=facts.get("warc-refers-to-target-uri", url).strip("<>"))


def _response(url: Url, at: datetime, block: bytes, *, cut: bool) -> Hop | None:
    separator = b"\r\n\r\n" if b"\r\n\r\n" in block[:LONGEST_HEAD] else b"\n\n"
    head, _, body = block.partition(separator)
    status = _STATUS.match(head)
    if status is None:
        return None
    lines = [line.partition(":") for line in head.decode("latin-1").splitlines()[1:]]
    headers = tuple((name.strip(), value.strip()) for name, _, value in lines if name.strip())
    coding = next((value.lower() for name, value in headers if name.lower() == "transfer-encoding"), "")
    return Hop(
        url=url,
        status=int(status[1]),
        reason=status[2].decode("latin-1"),
        headers=tuple(header for header in headers if header[0].lower() != "transfer-encoding"),
        body=dechunked(body) if "chunked" in coding else body,
        cut=cut,
        at=at,
    )


def dechunked(body: bytes) -> bytes:
    r"""A body with its chunks put together; one that is not in chunks, whatever its header says, is left as it is.

    >>> dechunked(b"3\r\nabc\r\n0\r\n\r\n"), dechunked(b"<p>abc")
    (b'abc', b'<p>abc')
    """
    parts: list[bytes] = []
    at = 0
    while (size := _CHUNK.match(body, at)) is not None:
        length = int(size[1], 16)
        if length == 0:
            return b"".join(parts)
        end = size.end() + length
        if end > len(body):
            break
        parts.append(body[size.end() : end])
        at = end + (2 if body[end : end + 2] == b"\r\n" else 1)
    return body


def moment_of(text: str) -> datetime | None:
    """A time as archives and lists write it, in UTC unless it says otherwise; None for nothing or nonsense.

    >>> moment_of("2024-03-05T12:00:00Z").hour, moment_of("20240305120000").hour, moment_of("soon")
    (12, 12, None)
    """
    if re.fullmatch(r"\d{14}", text):
        text = f"{text[:8]}T{text[8:]}"
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
