"""An address says what to ask for and of whom, as browsers read it."""

from __future__ import annotations

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.fetch.transport.targets import target_of


@pytest.mark.parametrize(
    ("url", "spelled", "host", "port", "path"),
    [
        ("http://example.org", "http://example.org/", "example.org", 80, "/"),
        ("HTTP://Example.ORG:80/a", "http://example.org/a", "example.org", 80, "/a"),
        ("https://example.org:8443/?q=1#top", "https://example.org:8443/?q=1", "example.org", 8443, "/?q=1"),
        ("http://example.org?q", "http://example.org/?q", "example.org", 80, "/?q"),
        ("http://me:secret@example.org/", "http://example.org/", "example.org", 80, "/"),
        ("http://[::1]:8000/", "http://[::1]:8000/", "::1", 8000, "/"),
        ("http://[::1]/", "http://[::1]/", "::1", 80, "/"),
        ("http://0x7f.1/", "http://127.0.0.1/", "127.0.0.1", 80, "/"),
        ("http://0/", "http://0.0.0.0/", "0.0.0.0", 80, "/"),
        ("http://해녀.kr/물질", "http://xn--3e0b7n.kr/", "", 80, ""),
        ("http://example.org/a/../b/./c", "http://example.org/b/c", "example.org", 80, "/b/c"),
        ("http://example.org/a/%2e%2E/b", "http://example.org/b", "example.org", 80, "/b"),
        ("http://example.org\\@127.0.0.1/", "http://example.org/@127.0.0.1/", "example.org", 80, "/@127.0.0.1/"),
    ],
)
def test_an_address_is_taken_apart(url: str, spelled: str, host: str, port: int, path: str) -> None:
    target = target_of(url)
    assert target
    if not host:  # an international name: the standard library of addresses knows its spelling
        assert target.url == ada_url.normalize_url(url)
        return
    assert (target.url, target.origin.host, target.origin.port, target.path) == (spelled, host, port, path)


@pytest.mark.parametrize(
    "url", ["", "example.org", "ftp://example.org/", "http://", "http://a b/", "http://1.2.3.256/"]
)
def test_what_is_no_web_address_is_nothing(url: str) -> None:
    assert target_of(url) is None


@given(st.from_regex(r"https?://[A-Za-z0-9.:\-]{1,12}/[A-Za-z0-9._~!$%&()*+,:;=@/?\-]{0,12}", fullmatch=True))
def test_the_quick_way_gives_what_the_standard_gives(url: str) -> None:
    target = target_of(url)
    try:
        expected = ada_url.normalize_url(url)
    except ValueError:
        expected = None
    assert (target.url if target else None) == expected
