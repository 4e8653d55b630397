"""Small bodies that unpack to a gigabyte."""

from __future__ import annotations

import threading
import zlib
from functools import cache

import brotli  # type: ignore[import-untyped]
import zstandard

from hostile.pages import article

START = article("Page with a long tail").encode()
BLANKS = b" " * (4 << 20)
REPEATS = 256

_packing = threading.Lock()


def gzip_bomb() -> bytes:
    """1 MB of gzip: a page, then a gigabyte of blanks. Packed once, as that takes seconds."""
    with _packing:
        return _gzip_bomb()


@cache
def _gzip_bomb() -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    parts = [packer.compress(START), *(packer.compress(BLANKS) for _ in range(REPEATS)), packer.flush()]
    return b"".join(parts)


def deflate_bomb() -> bytes:
    """The same without gzip's ten bytes in front and eight behind: bare deflate, as many servers send it."""
    return gzip_bomb()[10:-8]


def zstd_bomb() -> bytes:
    """The same with zstd."""
    packer = zstandard.ZstdCompressor(level=1).compressobj()
    return b"".join([packer.compress(START), *(packer.compress(BLANKS) for _ in range(REPEATS)), packer.flush()])


def brotli_bomb() -> bytes:
    """The same with brotli."""
    packer = brotli.Compressor(quality=1)
    return b"".join([packer.process(START), *(packer.process(BLANKS) for _ in range(REPEATS)), packer.finish()])
