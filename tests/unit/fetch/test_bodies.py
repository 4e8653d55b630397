"""Content codings are undone in steps, up to a limit."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from functools import partial

import brotli  # type: ignore[import-untyped]
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.fetch.bodies import ACCEPTED, BAD_CODING, CUT_SHORT, TOO_LARGE, UNKNOWN_CODING, unpack

LIMIT = 1 << 20
TEXT = "물질하는 해녀 and her reef ".encode() * 500
Pack = Callable[[bytes], bytes]


def bare_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def zstd_of_unknown_size(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_content_size=False).compress(data)


PACKERS: dict[str, tuple[str, Pack]] = {
    "gzip": ("gzip", gzip.compress),
    "x-gzip": ("x-gzip", gzip.compress),
    "deflate": ("deflate", zlib.compress),
    "bare deflate": ("deflate", bare_deflate),
    "br": ("br", partial(brotli.compress, quality=5)),
    "zstd": ("zstd", zstandard.compress),
    "zstd of unknown size": ("zstd", zstd_of_unknown_size),
}
each_coding = pytest.mark.parametrize(("coding", "pack"), PACKERS.values(), ids=PACKERS)


@each_coding
@given(data=st.binary(max_size=3000))
def test_what_was_packed_comes_back(coding: str, pack: Pack, data: bytes) -> None:
    assert unpack(pack(data), coding, LIMIT) == (data, "")


@each_coding
def test_the_limit_is_exact(coding: str, pack: Pack) -> None:
    packed = pack(TEXT)
    assert unpack(packed, coding, len(TEXT)) == (TEXT, "")
    assert unpack(packed, coding, len(TEXT) - 1) == (TEXT[:-1], TOO_LARGE)
    assert unpack(packed, coding, 10) == (TEXT[:10], TOO_LARGE)


@each_coding
def test_a_bomb_stops_at_the_limit(coding: str, pack: Pack) -> None:
    assert unpack(pack(bytes(50 * LIMIT)), coding, LIMIT) == (bytes(LIMIT), TOO_LARGE)


@each_coding
def test_a_stream_cut_short_is_told_from_a_whole_one(coding: str, pack: Pack) -> None:
    data, flaw = unpack(pack(TEXT)[:-6], coding, LIMIT)
    assert flaw == CUT_SHORT
    assert TEXT.startswith(data)


@given(data=st.binary(min_size=1, max_size=200), coding=st.sampled_from(["gzip", "deflate", "br", "zstd"]))
def test_any_bytes_will_do(data: bytes, coding: str) -> None:
    assert len(unpack(data, coding, LIMIT).data) <= LIMIT


@pytest.mark.parametrize("name", ["gzip", "deflate", "bare deflate", "zstd"])
def test_junk_behind_the_end_is_ignored(name: str) -> None:
    coding, pack = PACKERS[name]
    assert unpack(pack(TEXT) + b"\x00\xffjunk" * 9, coding, LIMIT) == (TEXT, "")


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_parts_one_behind_the_other_are_one_body(name: str) -> None:
    coding, pack = PACKERS[name]
    assert unpack(pack(TEXT) * 3, coding, LIMIT) == (TEXT * 3, "")


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_very_many_empty_parts_cost_little(name: str) -> None:
    coding, pack = PACKERS[name]
    assert unpack(pack(b"") * 100_000, coding, LIMIT) == (b"", "")


def test_two_codings_are_undone_last_first() -> None:
    assert unpack(brotli.compress(gzip.compress(TEXT)), "gzip, br", LIMIT) == (TEXT, "")


def test_a_bomb_in_a_bomb_stops_at_the_limit() -> None:
    packed = gzip.compress(gzip.compress(bytes(50 * LIMIT)))
    assert unpack(packed, "gzip, gzip", LIMIT).flaw == TOO_LARGE


@pytest.mark.parametrize("coding", ["foo", "gzip, foo", "gzip, gzip, gzip", "compress", "utf-8"])
def test_unknown_or_too_many_codings_give_nothing(coding: str) -> None:
    assert unpack(b"bytes", coding, LIMIT) == (b"", UNKNOWN_CODING)


@pytest.mark.parametrize("coding", ["", "identity", "none", " , "])
def test_no_coding_leaves_the_body_alone(coding: str) -> None:
    assert unpack(b"bytes", coding, LIMIT) == (b"bytes", "")


@pytest.mark.parametrize("coding", ["gzip", "GZIP", "br", "zstd", "deflate"])
def test_plain_text_under_a_packed_label_is_an_error(coding: str) -> None:
    assert unpack(b"<html>never packed</html>", coding, LIMIT) == (b"", BAD_CODING)


def test_an_empty_body_needs_no_unpacking() -> None:
    assert unpack(b"", "gzip", LIMIT) == (b"", "")


def test_all_that_is_announced_is_undone() -> None:
    assert set(ACCEPTED.split(", ")) <= {coding for coding, _ in PACKERS.values()}
