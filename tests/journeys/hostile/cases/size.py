"""Bodies that are larger than they look, or have no end; all but the packed ones are made while they are sent."""

from __future__ import annotations

import gzip
import itertools

from hostile.answers import FILLER, HTML, chunk, head, page, stream
from hostile.bombs import brotli_bomb, deflate_bomb, gzip_bomb, zstd_bomb
from hostile.crawl import Result
from hostile.stage import Cases, Expected, Stage

case = Cases()

MEGABYTE = 1 << 20
STORED_MB = 64


def _bounded(result: Result) -> None:
    """Nothing near the unpacked size is kept."""
    kept = sum(path.stat().st_size for path in result.collection.rglob("*") if path.is_file())
    longest = max(len(row["text"]) for row in result.exported)
    assert max(kept, longest) <= STORED_MB * MEGABYTE, f"{kept} bytes kept, the longest text has {longest} characters"


def _unpacks(stage: Stage, packed: bytes, coding: str) -> Expected:
    stage.x(page(packed, HTML, f"Content-Encoding: {coding}"))
    return Expected(memory_mb=500, check=_bounded)


@case("bomb-gzip")
def bomb_gzip(stage: Stage) -> Expected:
    """1 MB of gzip that unpacks to 1 GB."""
    return _unpacks(stage, gzip_bomb(), "gzip")


@case("bomb-zstd")
def bomb_zstd(stage: Stage) -> Expected:
    """The same with zstd, whether it was announced or not."""
    return _unpacks(stage, zstd_bomb(), "zstd")


@case("bomb-br")
def bomb_br(stage: Stage) -> Expected:
    """The same with brotli."""
    return _unpacks(stage, brotli_bomb(), "br")


@case("bomb-deflate")
def bomb_deflate(stage: Stage) -> Expected:
    """The same with bare deflate."""
    return _unpacks(stage, deflate_bomb(), "deflate")


@case("bomb-gzip-twice")
def bomb_gzip_twice(stage: Stage) -> Expected:
    """A few KB that unpack, twice, to 1 GB."""
    return _unpacks(stage, gzip.compress(gzip_bomb()), "gzip, gzip")


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
