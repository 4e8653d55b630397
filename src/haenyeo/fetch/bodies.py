"""What does the body say once its content coding is undone?

Bodies are unpacked in steps that stop at a size limit, so that a megabyte of zeros cannot become a gigabyte in memory.
Bytes behind the end of a gzip, deflate or zstd stream are ignored, as browsers do.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import NamedTuple, Protocol

import brotli  # type: ignore[import-untyped]

from haenyeo.model.compression import zstd

ACCEPTED = "gzip, deflate, br, zstd"
"""What `unpack` undoes, as an Accept-Encoding header."""

MOST_CODINGS = 2
TOO_LARGE = "too large"
CUT_SHORT = "cut short"
BAD_CODING = "bad content coding"
UNKNOWN_CODING = "unknown content coding"

_GZIP_MAGIC = b"\x1f\x8b"
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
# A stream may consist of several packed parts; each costs a copy of what is left, so there may not be very many.
_MOST_PARTS = 64
# RFC 9659: what a sender of the zstd content coding may ask a reader to hold.
_ZSTD_OPTIONS: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 23}


class Unpacked(NamedTuple):
    """The unpacked bytes and what is wrong with them; with `TOO_LARGE` and `CUT_SHORT` they are a true beginning."""

    data: bytes
    flaw: str = ""


def unpack(data: bytes, coding: str, limit_bytes: int) -> Unpacked:
    """The body with its Content-Encoding undone, at most `limit_bytes` of it."""
    names = [name for part in coding.lower().split(",") if (name := part.strip()) not in ("", "identity", "none")]
    if len(names) > MOST_CODINGS or any(name not in _UNPACKERS for name in names):
        return Unpacked(b"", UNKNOWN_CODING)
    flaw = ""
    for name in reversed(names):
        if not data:
            break
        data, new_flaw = _UNPACKERS[name](data, limit_bytes)
        flaw = flaw or new_flaw
    return Unpacked(data, flaw)


def _gzip(data: bytes, limit_bytes: int) -> Unpacked:
    return _zlib_parts(data, limit_bytes, zlib.MAX_WBITS | 16)


def _deflate(data: bytes, limit_bytes: int) -> Unpacked:
    """RFC 9110 means the zlib format, some servers send the bare stream."""
    unpacked = _zlib_parts(data, limit_bytes, zlib.MAX_WBITS)
    return _zlib_parts(data, limit_bytes, -zlib.MAX_WBITS) if unpacked.flaw == BAD_CODING else unpacked


def _zlib_parts(data: bytes, limit_bytes: int, window: int) -> Unpacked:
    return _in_parts(data, limit_bytes, lambda: zlib.decompressobj(window), _GZIP_MAGIC)


class _Unpacker(Protocol):
    """What zlib and zstd have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


def _in_parts(data: bytes, limit_bytes: int, new_unpacker: Callable[[], _Unpacker], magic: bytes) -> Unpacked:
    """Unpack streams that follow one another, each beginning with `magic` but for the first."""
    parts: list[bytes] = []
    room = limit_bytes + 1  # one more than allowed, to see that there is more; zlib takes 0 for no limit
    for _ in range(_MOST_PARTS):
        unpacker = new_unpacker()
        try:
            part = unpacker.decompress(data, room)
        except (zlib.error, zstd.ZstdError):
            return Unpacked(b"", BAD_CODING)
        parts.append(part)
        room -= len(part)
        if room <= 0:
            return Unpacked(b"".join(parts)[:limit_bytes], TOO_LARGE)
        if not unpacker.eof:
            return Unpacked(b"".join(parts), CUT_SHORT)
        data = unpacker.unused_data
        if not data.startswith(magic):
            break
    return Unpacked(b"".join(parts))


def _brotli(data: bytes, limit_bytes: int) -> Unpacked:
    unpacker = brotli.Decompressor()
    parts: list[bytes] = []
    size = 0
    try:
        while size <= limit_bytes:
            part = unpacker.process(data, output_buffer_limit=limit_bytes + 1 - size)
            parts.append(part)
            size += len(part)
            data = b""
            if unpacker.is_finished():
                break
            if size <= limit_bytes and unpacker.can_accept_more_data():
                return Unpacked(b"".join(parts), CUT_SHORT)
    except brotli.error:
        return Unpacked(b"", BAD_CODING)
    return Unpacked(b"".join(parts)[:limit_bytes], TOO_LARGE if size > limit_bytes else "")


def _zstd(data: bytes, limit_bytes: int) -> Unpacked:
    return _in_parts(data, limit_bytes, lambda: zstd.ZstdDecompressor(options=_ZSTD_OPTIONS), _ZSTD_MAGIC)


_UNPACKERS: dict[str, Callable[[bytes, int], Unpacked]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
