from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from haenyeo.html.links import Resolver
from haenyeo.html.urls import resolve
from haenyeo.model.pages import Url

BASES = ["http://reef.test/", "http://reef.test/a/b.html?c=/d", "https://reef.test:8443/a/", "http://127.0.0.1:80/x"]
PIECES = (
    r"""http:// HTTPS:// // / \ . .. ? # %2e %7E reef.test 1.2 xn--a @ : ; = & ' " | a Z 바다 ~ - _ + * ( ) ! $ , [ ^"""
)
pieces = st.sampled_from([*PIECES.split(), " ", "\t"])


@given(st.sampled_from(BASES), st.lists(pieces, max_size=10).map("".join))
@example("http://reef.test/", "http://1.2.3/")
@example("http://reef.test/", "http://a.0x7f/")
@example("http://reef.test/a/b", "c:d")
@example("http://reef.test/a/b", "//c// #d")
@example("http://reef.test/a/b", "http://reef.test")
@example("http://reef.test/a/b", "/a'b?c'd")
@example("http://reef.test/a/b", "")
def test_a_page_of_links_is_resolved_as_one_by_one(base: str, href: str) -> None:
    wanted = resolve(base, href)
    if href.strip(" \t\n\r\f").startswith("#"):
        wanted = None
    found = Resolver(Url(resolve("", base) or "")).resolved(href)
    assert found == (wanted.partition("#")[0] if wanted else None)


def test_addresses_beyond_measure_lead_nowhere() -> None:
    assert Resolver(Url("http://reef.test/")).resolved("/" + "a" * 100_000) is None


@pytest.mark.parametrize(
    ("href", "codec", "url"),
    [
        ("/find?q=해녀&p=2#여기", "cp949", "http://reef.test/find?q=%C7%D8%B3%E0&p=2"),
        ("/바다?q=해녀", "cp949", "http://reef.test/%EB%B0%94%EB%8B%A4?q=%C7%D8%B3%E0"),
        ("?q=é", "windows-1252", "http://reef.test/?q=%E9"),
        ("?q=해", "windows-1252", "http://reef.test/?q=%26%2354644%3B"),
        ("?q=海é女", "cp932", "http://reef.test/?q=%8AC%26%23233%3B%8F%97"),
        ("?q=해녀", "utf-8", "http://reef.test/?q=%ED%95%B4%EB%85%80"),
        ("/plain?q=1", "cp949", "http://reef.test/plain?q=1"),
    ],
)
def test_queries_are_in_the_charset_of_the_page(href: str, codec: str, url: str) -> None:
    assert Resolver(Url("http://reef.test/"), codec).resolved(href) == url
