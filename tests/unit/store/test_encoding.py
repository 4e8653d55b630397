"""Values survive the way into a column and back."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.urls import url_hash
from haenyeo.model.compression import zstd
from haenyeo.store.encoding import microseconds, moment, pack, signed, unpack, unsigned, utf8


@given(st.integers(0, 2**64 - 1))
def test_numbers_of_64_bits_fit_sqlite(number: int) -> None:
    assert -(2**63) <= signed(number) < 2**63
    assert unsigned(signed(number)) == number


@given(st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=9))])))
def test_times_are_kept_to_the_microsecond(at: datetime) -> None:
    assert moment(microseconds(at)) == at


@given(st.binary(max_size=5000))
def test_packed_bytes_unpack(data: bytes) -> None:
    assert unpack(pack(data)) == data


@given(st.binary(max_size=5000))
def test_bytes_packed_where_there_is_no_isal_unpack_everywhere(data: bytes) -> None:
    assert unpack(zstd.compress(data)) == data
    assert unpack(gzip.compress(data)) == data


@given(st.text(st.characters(), max_size=300) | st.text("abc \u00e9\ud55c\ud800", max_size=300))
def test_texts_become_utf8_whatever_is_in_them(text: str) -> None:
    assert utf8(text) == text.encode("utf-8", "replace")


@given(st.text(max_size=200))
def test_every_text_has_a_hash(url: str) -> None:
    assert 0 <= url_hash(url) < 2**64
    assert url_hash(url) == url_hash(str(url))
