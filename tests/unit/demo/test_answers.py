import gzip
from collections.abc import Callable

import pytest
from selectolax.lexbor import LexborHTMLParser

from haenyeo.demo import DAY, HOUR, WEEK, DemoWeb
from haenyeo.demo.answers import Reply

Get = Callable[..., Reply]
Parse = Callable[[Reply], LexborHTMLParser]

_VALIDATED = {"both": "tidewatch", "etag": "crumb", "modified": "seawomen"}


def _validators(headers: dict[str, str]) -> dict[str, str]:
    sent = {"if_none_match": headers.get("ETag"), "if_modified_since": headers.get("Last-Modified")}
    return {name: value for name, value in sent.items() if value}


@pytest.mark.parametrize("site", _VALIDATED.values())
def test_an_unchanged_page_answers_304(web: DemoWeb, get: Get, site: str) -> None:
    for page in list(web.pages(site))[::9]:
        first = get(page.url)
        again = get(page.url, **_validators(dict(first.headers)))
        assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize("site", _VALIDATED.values())
def test_a_changed_page_is_sent_again(web: DemoWeb, get: Get, site: str) -> None:
    urls = [page.url for page in web.pages(site)]
    changed = {url: changes[0].at for url in urls if (changes := web.changes(url, 0, 3 * WEEK))}
    assert changed
    for url, at in list(changed.items())[:40]:
        web.clock.now = at - 1
        before = dict(get(url).headers)
        web.clock.now = at
        assert get(url, **_validators(before)).status != 304


def test_a_site_without_validators_never_answers_304(web: DemoWeb, get: Get) -> None:
    headers = dict(get(web.url("breadforum")).headers)
    assert not {"ETag", "Last-Modified"} & headers.keys()


def test_some_validators_tell_content_and_some_tell_bytes(web: DemoWeb, get: Get) -> None:
    """The sidebar of dailyglobe changes every three hours and with it the bytes, not so what the page says."""
    url = next(page.url for page in web.pages("dailyglobe") if page.kind == "about")
    old, said = dict(get(url).headers)["ETag"], web.page(url)
    web.clock.now = 3 * HOUR
    assert dict(get(url).headers)["ETag"] != old
    assert web.page(url) == said


def test_dates_that_cannot_be_read_are_ignored(web: DemoWeb, get: Get) -> None:
    assert get(web.url("seawomen"), if_modified_since="yesterday").status == 200


def test_pages_are_packed_when_the_visitor_accepts_it(web: DemoWeb, get: Get) -> None:
    plain, packed = get(web.url("tidewatch")), get(web.url("tidewatch"), accept_encoding="gzip, br")
    assert dict(packed.headers)["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert "Content-Encoding" not in dict(plain.headers)


def test_korean_news_is_in_euc_kr_and_says_so_in_the_page_alone(web: DemoWeb, get: Get) -> None:
    page = next(page for page in web.pages("jejubada") if page.kind == "article")
    reply = get(page.url)
    assert dict(reply.headers)["Content-Type"] == "text/html"
    assert b"charset=euc-kr" in reply.body[:200]
    text = reply.body.decode("euc-kr")
    assert page.text.split("\n")[0] in text
    with pytest.raises(UnicodeDecodeError):
        reply.body.decode("utf-8")


def test_moved_pages_redirect_to_where_they_are(web: DemoWeb, get: Get) -> None:
    web.clock.now = 3 * WEEK
    moved = web.oddities()["moved"]
    assert moved
    for url in moved:
        reply = get(url)
        if reply.status == 301:
            assert get(dict(reply.headers)["Location"]).status == 200
        else:
            assert url in web.oddities()["gone"]


def test_gone_pages_answer_410(web: DemoWeb, get: Get) -> None:
    assert {get(url).status for url in web.oddities()["gone"]} == {410}


def test_a_chain_of_redirects_ends_at_a_page(web: DemoWeb, get: Get) -> None:
    url, statuses = web.oddities()["chain"][0], []
    while (reply := get(url)).status in {301, 302}:
        statuses.append(reply.status)
        url = dict(reply.headers)["Location"]
    assert statuses[:3] == [302, 301, 302]
    assert reply.status in {200, 410}


def test_a_loop_of_redirects_has_no_end(web: DemoWeb, get: Get) -> None:
    start = web.oddities()["loop"][0]
    second = dict(get(start).headers)["Location"]
    assert dict(get(second).headers)["Location"] == start


def test_what_is_missing_is_404_or_looks_like_a_page(web: DemoWeb, get: Get) -> None:
    assert get(web.oddities()["missing"][0]).status == 404
    soft = get(web.oddities()["soft404"][0])
    assert soft.status == 200
    assert b"Page not found" in soft.body
    assert web.page(web.oddities()["soft404"][0]) is None


@pytest.mark.parametrize("kind", ["trap", "facets", "print", "search"])
def test_other_oddities_are_pages(web: DemoWeb, get: Get, kind: str) -> None:
    for url in web.oddities()[kind]:
        assert get(url).status == 200
        assert web.page(url) is not None


def test_a_site_is_down_for_a_while(web: DemoWeb, get: Get) -> None:
    for site, (since, until, how) in web.outages().items():
        answers = []
        for at in (since - 1, since, until - 1, until):
            web.clock.now = at
            answers.append(get(web.url(site)).status)
        assert answers == [200, *[503 if how == "503" else 0] * 2, 200]
    assert {how for _, _, how in web.outages().values()} == {"503", "dropped"}


def test_session_numbers_differ_from_page_to_page_and_lead_to_the_same_pages(
    web: DemoWeb, get: Get, parse: Parse
) -> None:
    front = get(web.url("breadforum"))
    links = [link.attributes["href"] or "" for link in parse(front).css("a")]
    link = next(link for link in links if "view.php" in link)
    assert "PHPSESSID=" in link
    there = get(web.url("breadforum", link))
    plain = get(web.url("breadforum", link.partition("&PHPSESSID")[0]))
    assert there == plain
    assert link.partition("PHPSESSID=")[2].encode() not in there.body


def test_unknown_hosts_and_the_bare_address_are_answered(web: DemoWeb) -> None:
    assert web.answer("nowhere.localhost", "/").status == 404
    doorway = web.answer("127.0.0.1:1234", "/")
    assert doorway.status == 200
    assert b"http://tidewatch.localhost/" in doorway.body


@pytest.mark.parametrize(
    "target", ["/%ff%00", "/wiki/%EA", "/goods?cat=", "/goods?cat=all&page=x", "/?a&b==", "//", "/today/../"]
)
def test_strange_addresses_get_an_answer(web: DemoWeb, target: str) -> None:
    for host in web.hosts:
        assert web.answer(host, target).status in {200, 404}


def test_korean_addresses_are_found_however_they_are_escaped(web: DemoWeb, get: Get) -> None:
    url = next(page.url for page in web.pages("badapedia") if page.kind == "entry")
    assert get(url).status == 200
    lower = url.replace("%EB", "%eb").replace("%EC", "%ec")
    assert get(lower) == get(url)


def test_a_page_does_not_depend_on_what_was_asked_before(web: DemoWeb) -> None:
    fresh = DemoWeb()
    fresh.clock.now = web.clock.now = 9 * DAY
    for url in web.urls()[::50]:
        host, _, target = url.removeprefix("http://").partition("/")
        assert web.answer(host, f"/{target}") == fresh.answer(host, f"/{target}")
