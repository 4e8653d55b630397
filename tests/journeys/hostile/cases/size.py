"""Bodies that are larger than they look, or have no end; all are made while they are sent."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import brotli  # type: ignore[import-untyped]
import zstandard

from hostile.answers import FILLER, HTML, chunk, head, last, stream
from hostile.crawl import Result
from hostile.pages import article
from hostile.server import Handler
from hostile.stage import Cases, Expected, Stage

case = Cases()

PIECE = b" " * (4 << 20)
PIECES = 256
MEGABYTE = 1 << 20
STORED_MB = 64


def _bomb(coding: str, packer: Callable[[], Any]) -> Handler:
    """A page of 1 GB of blanks, packed."""

    def parts() -> Iterator[bytes]:
        yield head(HTML, f"Content-Encoding: {coding}", "Connection: close")
        pack = packer()
        squeeze = pack.compress if hasattr(pack, "compress") else pack.process
        yield squeeze(article("Page with a long tail").encode())
        for _ in range(PIECES):
            yield squeeze(PIECE)
        yield pack.flush() if hasattr(pack, "flush") and coding != "br" else pack.finish()

    return stream(parts)


def _bounded(result: Result) -> None:
    """Nothing near the unpacked size is kept."""
    kept = sum(path.stat().st_size for path in result.collection.rglob("*") if path.is_file())
    longest = max(len(row["text"]) for row in result.exported)
    assert max(kept, longest) <= STORED_MB * MEGABYTE, f"{kept} bytes kept, the longest text has {longest} characters"


def _gzip() -> Any:
    return zlib.compressobj(9, zlib.DEFLATED, 31)


@case("bomb-gzip")
def bomb_gzip(stage: Stage) -> Expected:
    """1 MB of gzip that unpacks to 1 GB."""
    stage.x(_bomb("gzip", _gzip))
    return Expected(memory_mb=500, check=_bounded)


@case("bomb-zstd")
def bomb_zstd(stage: Stage) -> Expected:
    """The same with zstd, whether it was announced or not."""
    stage.x(_bomb("zstd", lambda: zstandard.ZstdCompressor(level=1).compressobj()))
    return Expected(memory_mb=500, check=_bounded)


@case("bomb-br")
def bomb_br(stage: Stage) -> Expected:
    """The same with brotli."""
    stage.x(_bomb("br", lambda: brotli.Compressor(quality=1)))
    return Expected(memory_mb=500, check=_bounded)


@case("bomb-deflate")
def bomb_deflate(stage: Stage) -> Expected:
    """The same with deflate, without the zlib wrapper as many servers send it."""
    stage.x(_bomb("deflate", lambda: zlib.compressobj(9, zlib.DEFLATED, -15)))
    return Expected(memory_mb=500, check=_bounded)


@case("bomb-gzip-twice")
def bomb_gzip_twice(stage: Stage) -> Expected:
    """A few KB that unpack, twice, to 1 GB."""
    inner, outer = _gzip(), _gzip()
    packed = b"".join(outer.compress(inner.compress(PIECE)) for _ in range(PIECES))
    packed += outer.compress(inner.flush()) + outer.flush()
    stage.x(last(head(HTML, "Content-Encoding: gzip, gzip", f"Content-Length: {len(packed)}") + packed))
    return Expected(memory_mb=500, check=_bounded)


@case("endless-chunked")
def endless_chunked(stage: Stage) -> Expected:
    """A chunked body without end, at full speed."""
    stage.x(
        stream(lambda: itertools.chain([head(HTML, "Transfer-Encoding: chunked")], itertools.repeat(chunk(FILLER))))
    )
    return Expected(memory_mb=500, wire_mb=128, check=_bounded)


@case("endless-length")
def endless_length(stage: Stage) -> Expected:
    """A body that announces a petabyte and means it."""
    stage.x(stream(lambda: itertools.chain([head(HTML, f"Content-Length: {10**15}")], itertools.repeat(FILLER))))
    return Expected(fails=("/x",), memory_mb=500, wire_mb=128, check=_bounded)


@case("endless-trickle")
def endless_trickle(stage: Stage) -> Expected:
    """64 KB every quarter of a second, for ever."""
    stage.x(stream(lambda: itertools.chain([head(HTML)], itertools.repeat(FILLER)), pause=0.25))
    return Expected(memory_mb=400, check=_bounded)
