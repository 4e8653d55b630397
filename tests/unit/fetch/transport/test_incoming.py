"""Answers put together from pieces."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.fetch.transport.incoming import MOST_HEADERS, MOST_INTERIM_ANSWERS, Incoming

_CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nsea\r\n4;x=y\r\nweed\r\n0\r\nT: trailer\r\n\r\n"
_COUNTED = b"HTTP/1.1 404 Nowhere \xff\r\nContent-Length: 7\r\nSet-Cookie: a\r\nset-cookie: b \r\n\r\nseaweed"
_INTERIM = b"HTTP/1.1 103 Early\r\nLink: x\r\n\r\n"
_ENDLESS = b"HTTP/1.0 200 OK\r\n\r\nseaweed"
_ANSWERS = {"in chunks": _CHUNKED, "counted": _COUNTED, "after interim ones": _INTERIM * 2 + _COUNTED}


def _come(*parts: bytes, ended: bool = False) -> Incoming:
    incoming = Incoming()
    incoming.limit_bytes = 1000
    for part in parts:
        incoming.feed(part)
    if ended:
        incoming.end(cleanly=True)
    return incoming


@pytest.mark.parametrize("name", _ANSWERS)
@given(cuts=st.lists(st.integers(0, 160), max_size=8))
def test_it_does_not_matter_how_an_answer_is_cut_up(name: str, cuts: list[int]) -> None:
    data = _ANSWERS[name]
    ends = sorted({0, len(data), *(min(cut, len(data)) for cut in cuts)})
    incoming, whole = _come(*(data[start:end] for start, end in pairwise(ends))), _come(data)
    assert incoming.complete
    assert not incoming.is_last
    assert incoming.body() == whole.body() == (b"seaweed", "")
    assert incoming.head
    assert whole.head
    assert (incoming.head.status, incoming.head.reason) == (whole.head.status, whole.head.reason)
    assert incoming.head.fields.shown == whole.head.fields.shown


def test_headers_are_found_by_their_names_in_any_case() -> None:
    head = _come(_COUNTED).head
    assert head
    assert head.fields.all("set-cookie") == ("a", "b")
    assert (head.fields.get("content-length"), head.fields.get("etag")) == ("7", "")
    assert head.reason == b"Nowhere \xff"


def test_bytes_behind_the_answer_make_it_the_last_but_not_a_bad_one() -> None:
    for parts in ((_COUNTED + b"garbage",), (_COUNTED, b"garbage"), (_COUNTED + _COUNTED,)):
        incoming = _come(*parts)
        assert incoming.body() == (b"seaweed", "")
        assert incoming.complete
        assert incoming.is_last


def test_a_body_without_length_ends_with_the_connection() -> None:
    assert not _come(_ENDLESS).complete
    assert _come(_ENDLESS, ended=True).complete
    assert _come(_ENDLESS, ended=True).body() == (b"seaweed", "")


@pytest.mark.parametrize("data", [_CHUNKED[:-20], _COUNTED[:-3]])
def test_an_answer_that_breaks_off_is_cut_short(data: bytes) -> None:
    incoming = _come(data, ended=True)
    assert not incoming.complete
    assert incoming.body()[1] == "cut short"


def test_what_comes_beyond_the_limit_is_left_out() -> None:
    incoming = Incoming()
    incoming.limit_bytes = 3
    incoming.feed(_COUNTED)
    assert incoming.has_body
    assert incoming.body() == (b"sea", "too large")


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ([b"HTTP/1.1 200 OK\r\n", *([b"A: b\r\n"] * (MOST_HEADERS + 2))], "bad answer"),
        ([b"HTTP/1.1 200 OK\r\nA: ", *([b"b" * 1000] * 20)], "bad answer"),
        ([b"HTTP/1.1 200 " + b"K" * 9000], "bad answer"),
        ([b"HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n"], "bad answer"),
        ([b"HTTP/1.1 101 Other\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"], "bad answer"),
        ([b"SSH-2.0-server\r\n"], "bad answer"),
        ([_INTERIM] * MOST_INTERIM_ANSWERS, "too many interim answers"),
    ],
)
def test_heads_that_go_on_and_on_are_given_up(parts: list[bytes], reason: str) -> None:
    incoming = _come(*parts)
    assert incoming.has_head
    assert incoming.head is None
    assert getattr(incoming.trouble, "reason", None) == reason


@given(st.lists(st.binary(max_size=80), max_size=6))
def test_no_bytes_are_too_strange(parts: list[bytes]) -> None:
    incoming = _come(*parts, ended=True)
    assert incoming.complete or incoming.trouble
