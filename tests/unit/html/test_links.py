from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from haenyeo.html.links import Resolver, is_handed, names_file_without_text
from haenyeo.html.parse import parse_html, scanned_in_python
from haenyeo.html.urls import resolve, tidied
from haenyeo.model.pages import Markup, Url

BASES = [
    "http://reef.test/",
    "http://reef.test/%7Ejin/x",
    "http://reef.test/a/b.html?c=/d",
    "https://reef.test:8443/a/",
    "http://127.0.0.1:80/x",
]
PIECES = (
    r"""http:// HTTPS:// // / \ . .. ? # %2e %7E reef.test 1.2 xn--a @ : ; = & ' " | a Z 바다 ~ - _ + * ( ) ! $ , [ ^"""
)
TRACKING = [
    *("utm_x", "mtm_x", "pk_kwd", "hsa_x", "_hsenc", "__hsx", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "fbclid"),
    *("msclkid", "yclid", "twclid", "ttclid", "igshid", "li_fat_id", "mc_cid", "mkt_tok", "_ga", "_gl", "oly_anon_id"),
    *("vero_id", "wickedid", "rb_clickid", "s_cid", "n_media", "napm"),
]
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
    assert found == (tidied(Url(wanted.partition("#")[0])) if wanted else None)


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


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("/%7Ejin/%ed%95%b4", "http://reef.test/~jin/%ED%95%B4"),
        ("/a?", "http://reef.test/a"),
        ("/a?utm_source=x&b=2&a=1&fbclid=9", "http://reef.test/a?b=2&a=1"),
        ("/a?GCLID=1", "http://reef.test/a"),
        ("http://reef.test:80/a/./b/../c#d", "http://reef.test/a/c"),
        ("http://me@reef.test./a", "http://reef.test/a"),
        ("/a?PHPSESSID=1f2e3d4c5b6a7988&b=1", "http://reef.test/a?PHPSESSID=1f2e3d4c5b6a7988&b=1"),
        ("/a;jsessionid=A1B2?b=1", "http://reef.test/a;jsessionid=A1B2?b=1"),
        ("/a?utm_source=x&sig=abc", "http://reef.test/a?utm_source=x&sig=abc"),
        ("/a?_=1", "http://reef.test/a?_=1"),
    ],
)
@pytest.mark.parametrize("read", [parse_html, scanned_in_python], ids=["compiled", "in Python"])
def test_links_lose_what_can_never_change_a_page_and_nothing_else(
    href: str, url: str, read: Callable[[str, Url], Markup]
) -> None:
    (link,) = read(f'<p><a href="{href}">there</a></p>', Url("http://reef.test/")).links
    assert link.url == url


@pytest.mark.parametrize("name", TRACKING)
def test_compiled_or_not_all_tracking_is_dropped(name: str) -> None:
    for read in (parse_html, scanned_in_python):
        (link,) = read(f'<a href="/a?b=1&{name}=2">there</a>', Url("http://reef.test/")).links
        assert link.url == "http://reef.test/a?b=1"


PAGE = Url("https://reef.example/posts/%EC%82%B0%ED%98%B8/")


@pytest.mark.parametrize(
    ("address", "without"),
    [
        ("https://reef.example/img/1c90.png", True),
        ("https://reef.example/song.MP3", True),
        ("https://reef.example/tide-1.2.zip", True),
        ("https://reef.example/paper.pdf", False),
        ("https://reef.example/wiki/File:Crab.jpg", False),
        ("https://reef.example/wiki/File%3ACrab.jpg", False),
        ("https://reef.example/show.php?picture=crab.jpg", False),
        ("https://reef.example/vue.js", False),
        ("https://reef.example/sitemap.xml.gz", False),
        ("https://reef.zip", False),
        ("https://reef.example/png", False),
    ],
)
def test_files_without_text_are_known_by_how_they_end(address: str, *, without: bool) -> None:
    assert names_file_without_text(address) is without


@pytest.mark.parametrize(
    ("address", "handed"),
    [
        ("https://chat.example/share?url=https%3A%2F%2Freef.example%2Fposts%2F%EC%82%B0%ED%98%B8%2F", True),
        ("https://chat.example/share?t=a&u=https://reef.example/posts/%25EC%2582%25B0%25ED%2598%25B8", True),
        ("https://chat.example/share?url=https://reef.example/posts/other/", False),
        ("https://sea.example/tides?utm_source=reef.example", False),
        ("https://reef.example/print?of=https://reef.example/posts/%EC%82%B0%ED%98%B8/", False),
        ("https://sea.example/posts/", False),
    ],
)
def test_a_button_that_hands_a_page_to_another_site_has_its_address(address: str, *, handed: bool) -> None:
    assert is_handed(PAGE, address) is handed


def test_a_front_page_is_handed_with_its_whole_address() -> None:
    front = Url("https://reef.example/")
    assert is_handed(front, "https://chat.example/share?url=https%3A%2F%2Freef.example")
    assert not is_handed(front, "https://sea.example/?ref=reef.example")
