import hashlib
from collections import Counter, deque
from collections.abc import Callable
from urllib.parse import urljoin, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from haenyeo.demo import DAY, DemoWeb, PageTruth
from haenyeo.demo.answers import Reply

Get = Callable[..., Reply]
Parse = Callable[[Reply], LexborHTMLParser]


def test_the_same_seed_makes_the_same_web(web: DemoWeb) -> None:
    again = DemoWeb(7)
    again.clock.now = web.clock.now = 3 * DAY
    assert again.urls() == web.urls()
    assert list(again.pages("mulgil")) == list(web.pages("mulgil"))
    assert again.page(again.url("seawomen")) == web.page(web.url("seawomen"))


def test_the_web_is_the_same_everywhere(web: DemoWeb) -> None:
    """Pins the bytes of a page, so that collections and reports made on different machines can be compared."""
    body = web.answer("oldrails.localhost", "/~harold/page3.htm").body
    assert hashlib.sha256(body).hexdigest()[:16] == "1e9cc42aa9369632"


def test_another_seed_makes_another_web(web: DemoWeb) -> None:
    other = DemoWeb(8)
    assert other.hosts == web.hosts
    assert other.urls() != web.urls()


def test_the_web_has_the_size_it_should(pages: tuple[PageTruth, ...]) -> None:
    pages = tuple(page for page in pages if page.kind != "print")
    sites = Counter(page.site for page in pages)
    assert len(sites) >= 24
    assert 1500 <= len(pages) <= 2100
    assert all(40 <= count <= 130 for count in sites.values())
    assert len({page.url for page in pages}) == len(pages)


def test_addresses_carry_the_port_once_there_is_one(web: DemoWeb) -> None:
    web.port = 8123
    assert web.url("tidewatch", "/about") == "http://tidewatch.localhost:8123/about"
    assert b"http://linkharbour.localhost:8123/" in web.answer("127.0.0.1", "/").body
    assert web.page(web.url("tidewatch", "/about")) is not None


def _links(parse: Parse, reply: Reply, url: str) -> set[str]:
    hrefs = [link.attributes.get("href") for link in parse(reply).css("a")]
    return {urljoin(url, href) for href in hrefs if href}


def test_links_lead_somewhere_or_are_broken_on_purpose(web: DemoWeb, get: Get, parse: Parse) -> None:
    statuses: Counter[int] = Counter()
    gone = set(web.oddities()["gone"])
    for url in web.urls()[::16]:
        for link in _links(parse, get(url), url):
            status = get(link).status
            statuses[status] += 1
            assert status in {200, 301, 302} or "/missing/" in link or link in gone, (url, link)
    assert statuses[200] > 10 * (statuses[404] + statuses[410])
    assert min(statuses[code] for code in (301, 302, 404, 410)) > 0


@pytest.mark.slow
def test_every_page_that_may_be_fetched_is_reached_from_the_hubs(web: DemoWeb, get: Get, parse: Parse) -> None:
    start = [seed for topic in web.topics() for seed in topic.seeds]
    waiting, seen = deque(start), set(start)
    while waiting:
        url = waiting.popleft()
        reply = get(url)
        found = _links(parse, reply, url) if reply.status == 200 else {dict(reply.headers).get("Location", url)}
        for link in found - seen:
            plain = link.partition("?PHPSESSID")[0].partition("&PHPSESSID")[0]
            if plain not in seen and not any(part in urlsplit(link).path for part in ("/calendar/", "/win/")):
                seen.add(plain)
                waiting.append(plain)
    closed = {page.url for page in web.pages() if not page.allowed}
    missed = [url for url in web.urls() if url not in seen and url not in closed]
    assert not missed


def test_hubs_are_off_topic_and_lead_to_every_topic_of_their_language(web: DemoWeb) -> None:
    topics = web.topics()
    for hub in ("linkharbour", "moabogi"):
        lists = [page for page in web.pages(hub) if page.kind == "hub"]
        assert all(not page.family for page in lists)
        links = {row["link"] for page in lists for row in page.records}
        assert all(len(links & topic.relevant) > 20 for topic in topics if topic.language == lists[0].language)


def test_most_links_between_sites_keep_to_the_topic(web: DemoWeb, get: Get, parse: Parse) -> None:
    same = other = 0
    kinds = {"article", "entry", "thread", "doc", "product"}
    for page in filter(None, map(web.page, web.urls("article")[::20])):
        targets = [web.page(link) for link in _links(parse, get(page.url), page.url)] if page.family else []
        for target in filter(None, targets):
            if target.site != page.site and target.kind in kinds:
                same += target.family == page.family
                other += target.family != page.family
    assert same > 2 * other > 0
