"""Records are valid WARC 1.1 and say exactly what went over the wire."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.model.errors import StoreError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Hop
from haenyeo.store import warc
from haenyeo.store.warc import Original, Session, exchange, payload_digest, read_response, warcinfo

AT = datetime(2025, 3, 1, 12, 30, 15, 123456, tzinfo=UTC)
COUNT = re.compile(r"[0-9a-f]{12}(?=>)")
RECORD_ID = re.compile(r"WARC-Record-ID: (<urn:uuid:[0-9a-f-]{36}>)\r\n")
NAMES = st.text("abcdefghijklmnopqrstuvwxyzABCXYZ-", min_size=1, max_size=20).filter(
    lambda name: name.lower() != "transfer-encoding"
)
VALUES = st.text(st.characters(min_codepoint=0x21, max_codepoint=0xFF, exclude_characters="\x7f\x85\xa0"), max_size=40)


def members(hop: Hop, original: Original | None = None) -> tuple[bytes, bytes]:
    made = exchange(hop, payload_digest(hop.body), original)
    return made.response, made.request


def text_of(member: bytes) -> str:
    return gzip.decompress(member).decode("latin-1")


@given(
    status=st.integers(100, 599),
    reason=VALUES,
    headers=st.lists(st.tuples(NAMES, VALUES), max_size=8),
    body=st.binary(max_size=3000),
    cut=st.booleans(),
)
def test_a_response_reads_back_as_it_was(
    status: int, reason: str, headers: list[tuple[str, str]], body: bytes, *, cut: bool
) -> None:
    url = Url("https://a.example/page?q=%20")
    hop = Hop(url=url, status=status, reason=reason, headers=tuple(headers), body=body, cut=cut, address="::1", at=AT)
    assert read_response(members(hop)[0]) == hop


@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), max_size=5), st.text(max_size=20))
def test_no_header_can_break_out_of_its_line(headers: list[tuple[str, str]], reason: str) -> None:
    hop = Hop(url=Url("https://a.example/"), status=200, reason=reason, headers=tuple(headers), body=b"body", at=AT)
    for member in members(hop):
        block = gzip.decompress(member).partition(b"\r\n\r\n")[2]
        head = block.partition(b"\r\n\r\n")[0]
        assert head.count(b"\n") == head.count(b"\r") == head.count(b"\r\n")
    assert read_response(members(hop)[0]).body == b"body"


def test_each_record_is_one_gzip_member(make_hop: Callable[..., Hop]) -> None:
    for member in members(make_hop(body=b"x" * 100_000)):
        reader = zlib.decompressobj(31)
        reader.decompress(member)
        assert reader.eof
        assert reader.unused_data == b""


def test_the_request_names_what_was_asked(make_hop: Callable[..., Hop]) -> None:
    text = text_of(members(make_hop("https://a.example/path?q=1"))[1])
    assert "GET /path?q=1 HTTP/1.1\r\nHost: a.example\r\nUser-Agent: haenyeo\r\n\r\n" in text
    assert "WARC-Date: 2025-03-01T12:00:00.000000Z\r\n" in text
    assert "WARC-Concurrent-To: <urn:uuid:" in text


@given(
    headers=st.lists(st.tuples(NAMES | st.just("Transfer-encoding"), st.text(max_size=30)), max_size=6),
    body=st.binary(max_size=300),
    path=st.sampled_from(["", "/", "/a/b?c=d", "/\u00e9"]),
    cut=st.booleans(),
)
def test_compiled_or_not_the_records_are_the_same(
    headers: list[tuple[str, str]], body: bytes, path: str, cut: bool
) -> None:
    hop = Hop(
        url=Url(f"https://a.example{path}"),
        status=200,
        reason="OK",
        headers=tuple(headers),
        body=body,
        cut=cut,
        request_headers=(("Host", "a.example"), ("User-Agent", "haenyeo")),
        address="192.0.2.1",
        at=AT,
    )
    made = exchange(hop, payload_digest(body))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(warc, "COMPILED", None)
        again = exchange(hop, payload_digest(body))
    for one, other in zip(made, again, strict=True):
        assert COUNT.sub("", text_of(one)) == COUNT.sub("", text_of(other))


def test_no_two_records_share_an_id(make_hop: Callable[..., Hop]) -> None:
    ids = [RECORD_ID.search(text_of(member)) for _ in range(50) for member in members(make_hop())]
    assert len({found[1] for found in ids if found}) == 100


def test_a_transfer_coding_that_was_undone_is_not_claimed(make_hop: Callable[..., Hop]) -> None:
    text = text_of(members(make_hop(headers=(("Transfer-Encoding", "chunked"),)))[0])
    assert "\r\nX-Archive-Orig-Transfer-Encoding: chunked\r\n" in text
    assert "\r\nTransfer-Encoding" not in text


def test_a_body_that_was_cut_says_so(make_hop: Callable[..., Hop]) -> None:
    assert "WARC-Truncated: length\r\n" in text_of(members(make_hop(cut=True))[0])


def test_a_revisit_refers_to_the_record_with_the_payload(make_hop: Callable[..., Hop]) -> None:
    text = text_of(members(make_hop(body=b"payload"), Original(url=Url("https://b.example/"), at=AT))[0])
    assert "WARC-Type: revisit\r\n" in text
    assert "WARC-Refers-To-Target-URI: https://b.example/\r\n" in text
    assert "WARC-Refers-To-Date: 2025-03-01T12:30:15.123456Z\r\n" in text
    assert "identical-payload-digest" in text
    assert "payload\r\n\r\n" not in text


def test_other_readers_find_all_records_and_digests(
    tmp_path: Path, make_hop: Callable[..., Hop], kinds: Callable[[Path], list[str]]
) -> None:
    path = tmp_path / "test.warc.gz"
    hops = [make_hop(f"https://a.example/{number}", b"\r\n\r\n<p>" * number) for number in range(20)]
    original = Original(url=Url("https://a.example/19"), at=AT)
    data = [
        warcinfo(path.name, "바다", AT, Session.BEGINS),
        *(part for hop in hops for part in members(hop)),
        *members(hops[19], original),
    ]
    path.write_bytes(b"".join(data))
    assert kinds(path) == ["warcinfo", *["response", "request"] * 20, "revisit", "request"]


@pytest.mark.slow
def test_warcio_finds_nothing_wrong(tmp_path: Path, make_hop: Callable[..., Hop]) -> None:
    path = tmp_path / "test.warc.gz"
    hops = [make_hop(f"https://a.example/{number}", b"page %d" % number * 300) for number in range(9)]
    path.write_bytes(
        warcinfo(path.name, "test", AT, Session.BEGINS) + b"".join(part for hop in hops for part in members(hop))
    )
    check = [sys.executable, "-m", "warcio.cli", "check", "-v", str(path)]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("digest pass") == 19, "every block has one, those of requests too"
    assert "fail" not in done.stdout


@pytest.mark.parametrize(
    "member",
    [b"", b"junk", gzip.compress(b"junk", mtime=0), gzip.compress(b"WARC/1.1\r\n\r\n", mtime=0)],
    ids=["nothing", "junk", "packed junk", "no record"],
)
def test_bytes_that_are_no_response_are_refused(member: bytes) -> None:
    with pytest.raises(StoreError, match="no readable response"):
        read_response(member)
