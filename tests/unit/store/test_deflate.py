from __future__ import annotations

import gzip

import pytest

from haenyeo.store.deflate import GZIP, compress, decompressor

TEXT = "해녀가 물질을 하러 바다로 간다. ".encode() * 200


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("data", [b"", b"x", TEXT])
def test_what_is_packed_can_be_read_by_others(data: bytes, level: int) -> None:
    assert gzip.decompress(compress(data, level, GZIP)) == data


def test_what_others_packed_can_be_read() -> None:
    assert decompressor(GZIP).decompress(gzip.compress(TEXT), 1 << 20) == TEXT


def test_no_more_than_is_wanted_is_unpacked() -> None:
    assert decompressor(GZIP).decompress(gzip.compress(bytes(1 << 20)), 1000) == bytes(1000)
