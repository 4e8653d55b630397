"""Cookies go back to the site that set them, and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.fetch.cookies import LONGEST_HEADER, MOST_PER_SITE, Cookies
from haenyeo.fetch.transport.targets import Target, target_of

NOW = 1_000_000.0
PAGE = "https://www.example.co.kr/shop/list?page=1"


def at(url: str) -> Target:
    target = target_of(url)
    assert target
    return target


def after(*lines: str, url: str = PAGE) -> Cookies:
    cookies = Cookies()
    cookies.take(at(url), lines, NOW)
    return cookies


@pytest.mark.parametrize(
    ("line", "url", "sent"),
    [
        ("a=1", PAGE, "a=1"),
        ("a=1", "https://www.example.co.kr/shop/", "a=1"),
        ("a=1", "https://www.example.co.kr/shop", "a=1"),
        ("a=1", "https://www.example.co.kr/shopping", ""),
        ("a=1", "https://www.example.co.kr/", ""),
        ("a=1; Path=/", "https://www.example.co.kr/", "a=1"),
        ("a=1; path=nonsense", "https://www.example.co.kr/", ""),
        ("a=1; Path=/", "https://example.co.kr/", ""),
        ("a=1; Path=/", "https://a.www.example.co.kr/", ""),
        ("a=1; Path=/; Domain=.example.co.kr", "https://a.example.co.kr/", "a=1"),
        ("a=1; Path=/; Domain=EXAMPLE.co.kr", "https://example.co.kr/", "a=1"),
        ("a=1; Path=/; Domain=www.example.co.kr", "https://a.www.example.co.kr/", "a=1"),
        ("a=1; Path=/; Domain=co.kr", "https://www.example.co.kr/", ""),
        ("a=1; Path=/; Domain=kr", "https://www.example.co.kr/", ""),
        ("a=1; Path=/; Domain=other.co.kr", "https://www.example.co.kr/", ""),
        ("a=1; Path=/; Domain=a.www.example.co.kr", "https://a.www.example.co.kr/", ""),
        ("a=1; Path=/; Domain=xample.co.kr", "https://www.example.co.kr/", ""),
        ("a=1; Secure; Path=/", "https://www.example.co.kr/", "a=1"),
        ("a=1; Secure; Path=/", "http://www.example.co.kr/", ""),
        ("a=1; Path=/", "http://www.example.co.kr/", "a=1"),
        ("a=1; Max-Age=60", PAGE, "a=1"),
        ("a=1; Max-Age=0", PAGE, ""),
        ("a=1; Max-Age=-5", PAGE, ""),
        ("a=1; Max-Age=99999999999999999999", PAGE, "a=1"),
        ("a=1; Max-Age=soon", PAGE, "a=1"),
        ("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", PAGE, ""),
        ("a=1; Expires=Fri, 31-Dec-2099 23:59:59 GMT", PAGE, "a=1"),
        ("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=60", PAGE, "a=1"),
        ("__Host-a=1; Secure; Path=/", PAGE, "__Host-a=1"),
        ("__Host-a=1; Secure; Path=/; Domain=example.co.kr", PAGE, ""),
        ("__Secure-a=1; Path=/", PAGE, ""),
        ("alone", PAGE, "alone"),
        ("=value", PAGE, "value"),
        ("", PAGE, ""),
        ("a=1\x00b", PAGE, ""),
        ("a=1\r\nEvil: 1", PAGE, ""),
        ("a=" + "z" * 5000, PAGE, ""),
        ('a="b c"; HttpOnly; SameSite=Lax', PAGE, 'a="b c"'),
    ],
)
def test_a_cookie_goes_where_it_may(line: str, url: str, sent: str) -> None:
    assert after(line).header(at(url), NOW + 1) == sent


def test_a_cookie_ends_in_time() -> None:
    cookies = after("a=1; Max-Age=60")
    assert cookies.header(at(PAGE), NOW + 59) == "a=1"
    assert cookies.header(at(PAGE), NOW + 61) == ""


def test_a_later_cookie_replaces_its_namesake_and_can_delete_it() -> None:
    cookies = after("a=1", "a=2", "b=1")
    assert cookies.header(at(PAGE), NOW) == "a=2; b=1"
    cookies.take(at(PAGE), ["a=; Max-Age=0"], NOW)
    assert cookies.header(at(PAGE), NOW) == "b=1"


def test_longer_paths_come_first() -> None:
    assert after("a=1; Path=/", "b=2; Path=/shop").header(at(PAGE), NOW) == "b=2; a=1"


def test_a_numeric_host_sets_cookies_for_itself_alone() -> None:
    url = "http://127.0.0.1:8000/"
    assert after("a=1", "b=2; Domain=0.0.1", "c=3; Domain=127.0.0.1", url=url).header(at(url), NOW) == "a=1; c=3"


def test_a_site_cannot_fill_the_memory_or_the_request() -> None:
    cookies = after(*(f"c{number}={'z' * 4000}" for number in range(500)))
    assert len(cookies.header(at(PAGE), NOW)) <= LONGEST_HEADER
    small = after(*(f"c{number}=1" for number in range(500)))
    assert small.header(at(PAGE), NOW).count("=") == MOST_PER_SITE


def test_sites_are_forgotten_oldest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("haenyeo.fetch.cookies.MOST_SITES", 2)
    cookies = Cookies()
    urls = [f"https://{name}.example/" for name in "abc"]
    for url in urls:
        cookies.take(at(url), ["a=1"], NOW)
    assert [cookies.header(at(url), NOW) for url in urls] == ["", "a=1", "a=1"]


def test_what_was_dumped_is_loaded_but_for_what_has_expired() -> None:
    cookies = Cookies()
    cookies.load(after("a=1", "b=2; Max-Age=10", "c=3; Max-Age=99").dump(NOW + 50))
    assert cookies.header(at(PAGE), NOW) == "a=1; c=3"


@given(st.lists(st.text(max_size=60), max_size=5))
def test_any_text_will_do_and_never_breaks_a_header(lines: list[str]) -> None:
    header = after(*lines).header(at(PAGE), NOW)
    assert not set(header) & {"\r", "\n", "\0"}
