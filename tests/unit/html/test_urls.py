from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.urls import (
    MAX_LENGTH,
    canonical,
    host_of,
    meant_by,
    origin_of,
    readable,
    resolve,
    shape_of,
    site_of,
    tidied,
)
from haenyeo.model.pages import Url

PAGE = "http://reef.example:8080/~jin/a?x=1&y=2"

# Pieces that meet every rule, and each other, in all orders.
letters = st.sampled_from("aB/.%?&=#;\\@:[]|+$'\" \t한")
words = st.sampled_from(["..", "%7E", "%7e", "%2e", "%2F", "4", "jsessionid=", "sid=", "(S(", "))", "0123456789abcdef"])
parameters = st.sampled_from(["utm_source=q", "sig=1", "x[]=1", "b=1&a=2"])
tails = st.lists(st.one_of(letters, words, parameters), max_size=12).map("".join)
hosts = st.sampled_from(["h.example", "H.Example.", "127.0.0.1", "0x7f.1", "[::1]", "h.example:080", "u:p@h", ".."])
starts = st.builds("{}://{}{}".format, st.sampled_from(["http", "HTTPS"]), hosts, st.sampled_from(["/", "", "?"]))
addresses = st.builds(str.__add__, starts, tails)


@pytest.mark.parametrize(
    "spelling",
    [
        PAGE,
        "http://REEF.example:8080/~jin/a?x=1&y=2",
        "HTTP://reef.example:8080/~jin/a?x=1&y=2",
        "http://reef.example.:8080/~jin/a?x=1&y=2",
        "http://reef.example:08080/~jin/a?x=1&y=2",
        "http://reef.example:8080/./~jin/a?x=1&y=2",
        "http://reef.example:8080/b/../~jin/a?x=1&y=2",
        "http://reef.example:8080/b/%2E%2e/~jin/a?x=1&y=2",
        "http://reef.example:8080/%7Ejin/a?x=1&y=2",
        "http://reef.example:8080/%7ejin/%61?x=1&y=2",
        "http://reef.example:8080/~jin/a?x=1&y=2#top",
        "  http://reef.example:8080/~jin/a?x=1&y=2\n",
        "http://reef.example:8080/~ji\tn/a?x=1&y=2",
        "http:\\\\reef.example:8080\\~jin\\a?x=1&y=2",
        "http://jin:secret@reef.example:8080/~jin/a?x=1&y=2",
        "http://r%65ef.example:8080/~jin/a?x=1&y=2",
        "http://\uff52\uff45\uff45\uff46.example:8080/~jin/a?x=1&y=2",
        "http://reef.example:8080/~jin/a?y=2&x=1",
        "http://reef.example:8080/~jin/a?x=1&&y=2&",
        "http://reef.example:8080/~jin/a?utm_source=news&x=1&fbclid=Iw&y=2",
        "http://reef.example:8080/~jin/a;jsessionid=0A1B2C?x=1&y=2&PHPSESSID=9f9f",
        "http://reef.example:8080/(S(lit3py55t21z5v55vlm25s55))/~jin/a?x=1&y=2",
    ],
)
def test_spellings_of_one_address_meet(spelling: str) -> None:
    assert canonical(spelling) == PAGE


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://h.example", "http://h.example/"),
        ("http://h.example?", "http://h.example/"),
        ("https://h.example:443/", "https://h.example/"),
        ("http://h.example:443/", "http://h.example:443/"),
        ("http://0177.0.0.1/", "http://127.0.0.1/"),
        ("http://[::0001]/", "http://[::1]/"),
        ("http://한국.example/바다", "http://xn--3e0b707e.example/%EB%B0%94%EB%8B%A4"),
        ("http://h.example/a%2fb", "http://h.example/a%2Fb"),
        ("http://h.example/100%", "http://h.example/100%"),
        ("http://h.example/%%34%31", "http://h.example/%%341"),
        ("http://h.example/a//b/", "http://h.example/a//b/"),
        ("http://h.example/a|b?c=[d]", "http://h.example/a%7Cb?c=%5Bd%5D"),
        ("http://h.example/..;sid=1/a", "http://h.example/a"),
        ("http://h.example/?b", "http://h.example/?b"),
        ("http://h.example/(f(x))/a", "http://h.example/(f(x))/a"),
    ],
)
def test_one_spelling_changes_no_meaning(url: str, expected: str) -> None:
    assert canonical(url) == expected


@pytest.mark.parametrize(
    "query",
    ["b=2&a", "12&3", "b[]=1&a[]=2&b[]=3", "b=2&a=1&signature=0f", "b=2&utm_source=x&sig=77", "/thread/2&a=1"],
)
def test_an_order_that_may_matter_is_kept(query: str) -> None:
    kept = query.replace("[", "%5B").replace("]", "%5D")
    assert canonical(f"http://h.example/?{query}") == f"http://h.example/?{kept}"


def test_parameters_of_one_name_keep_their_order() -> None:
    assert canonical("http://h.example/?b=2&a=9&b=1") == "http://h.example/?a=9&b=2&b=1"


@pytest.mark.parametrize("query", ["sid=12", "s=shoes", "session=spring", "id=0123456789abcdef0123"])
def test_a_parameter_that_only_sounds_like_a_session_is_kept(query: str) -> None:
    assert canonical(f"http://h.example/?{query}") == f"http://h.example/?{query}"


def test_a_session_number_is_dropped() -> None:
    assert canonical("http://h.example/?sid=0123456789abcdef&a=1") == "http://h.example/?a=1"
    assert canonical("http://h.example/sid=8f14e45fceea/page") == "http://h.example/page"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "a",
        "/a",
        "ftp://h.example/",
        "mailto:a@h.example",
        "javascript:void(0)",
        "data:text/html,x",
        "http://",
        "http://.../",
        "http://h h.example/",
        "http://h.example:70000/",
        "http://1.2.3.4.5/",
    ],
)
def test_what_is_no_web_address_has_no_spelling(url: str) -> None:
    assert canonical(url) is None


def test_an_overlong_address_is_refused() -> None:
    start = "http://h.example/"
    assert canonical(start + "a" * (MAX_LENGTH - len(start)))
    assert canonical(start + "a" * MAX_LENGTH) is None
    assert canonical(start + "바" * (MAX_LENGTH // 2)) is None


@given(addresses)
def test_a_canonical_address_is_its_own_spelling(url: str) -> None:
    spelled = canonical(url)
    assert spelled is None or (canonical(spelled) == spelled and "#" not in spelled)


@given(st.text())
def test_any_text_can_be_asked(text: str) -> None:
    canonical(text)
    canonical("http://h.example/" + text)
    resolve(PAGE, text)


@given(addresses)
def test_reading_as_browsers_do_first_makes_no_difference(url: str) -> None:
    absolute = resolve("", url)
    assert canonical(url) == (canonical(absolute) if absolute else None)


def test_a_lone_surrogate_in_a_link_is_replaced() -> None:
    assert resolve("http://h.example/", "a\ud800") == "http://h.example/a%EF%BF%BD"


def test_resolving_keeps_the_fragment_and_refuses_other_schemes() -> None:
    assert resolve("http://h.example/a/", "../b#c") == "http://h.example/b#c"
    assert resolve("http://h.example/", "file:///etc/passwd") is None
    assert resolve("", "b") is None


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.example.com/a", "example.com"),
        ("https://news.bbc.co.uk:8443/", "bbc.co.uk"),
        ("https://blog.naver.co.kr/", "naver.co.kr"),
        ("https://jin.github.io/", "jin.github.io"),
        ("https://co.uk/", "co.uk"),
        ("http://a.xn--85x722f.xn--55qx5d.cn/", "xn--85x722f.xn--55qx5d.cn"),
        ("http://www.xn--3e0b707e/", "www.xn--3e0b707e"),
        ("http://reef.localhost:8000/", "reef.localhost"),
        ("http://a.reef.localhost/", "reef.localhost"),
        ("http://localhost:8000/", "localhost:8000"),
        ("http://127.0.0.1:8000/x", "127.0.0.1:8000"),
        ("http://127.0.0.1/x", "127.0.0.1"),
        ("http://[::1]:81/", "[::1]:81"),
    ],
)
def test_a_site_is_the_registrable_domain(url: str, site: str) -> None:
    assert site_of(url) == site


def test_parts_of_an_address() -> None:
    assert host_of("https://h.example:8443/a") == "h.example"
    assert host_of("http://[::1]:81/") == "[::1]"
    assert host_of("http://h.example?q=a@b/c") == "h.example"
    assert origin_of("https://h.example:8443/a?b#c") == "https://h.example:8443"


def test_pages_of_one_shape_share_a_template() -> None:
    first = shape_of("http://h8.example/day/2024-05-01/item-17.html?page=2&view=list")
    second = shape_of("http://h8.example/day/1999-12-31/item-4711.html?view=tile&page=77")
    assert first == second == "http://h8.example/day/0-0-0/item-0.html?page&view"


def test_long_codes_are_left_out_of_a_template() -> None:
    code = "http://h.example/doc/5f4dcc3b-5aa7-65d6-1d83-27deb882cf99/5f4dcc3b5aa765d61d8327deb882cf99"
    assert shape_of(code) == "http://h.example/doc/0/0"
    assert shape_of("http://h.example/facade/decade") == "http://h.example/facade/decade"


@given(st.text(max_size=20))
def test_readable_addresses_are_the_same_addresses(path: str) -> None:
    address = canonical(f"http://reef.example/{path}")
    assert address is None or canonical(readable(address)) == address


def test_an_address_that_someone_names_may_be_known_as_written_or_in_its_one_spelling() -> None:
    assert meant_by("http://a.example/p?b=2&a=1&utm_source=x#y") == [
        "http://a.example/p?b=2&a=1",
        "http://a.example/p?a=1&b=2",
    ]
    assert meant_by("http://a.example/") == ["http://a.example/"]
    assert meant_by("ftp://a.example/") == []


@given(st.text(max_size=40))
def test_what_is_tidy_stays_as_it_is(text: str) -> None:
    url = resolve("", f"http://a.example/{text}")
    assert url is not None
    tidy = tidied(Url(url.partition("#")[0]))
    assert tidied(tidy) == tidy
    assert canonical(tidy) == canonical(url)
