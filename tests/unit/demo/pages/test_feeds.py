import gzip
import re
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from haenyeo.demo import WEEK, DemoWeb
from haenyeo.demo.answers import Reply

Get = Callable[..., Reply]

_LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


def _locations(data: bytes) -> list[str]:
    return [str(node.text) for node in ET.fromstring(data).iter(_LOC)]


def test_a_sitemap_names_the_pages_that_may_be_fetched(web: DemoWeb) -> None:
    named = _locations(web.answer("tidewatch.localhost", "/sitemap.xml").body)
    assert set(named) == {page.url for page in web.pages("tidewatch") if page.allowed}


def test_a_sitemap_index_leads_to_compressed_parts(web: DemoWeb, get: Get) -> None:
    parts = _locations(web.answer("branchline.localhost", "/sitemap.xml").body)
    assert len(parts) > 1
    named = [url for part in parts for url in _locations(gzip.decompress(get(part).body))]
    assert set(named) == {page.url for page in web.pages("branchline")}


def test_there_is_no_part_beyond_the_last(web: DemoWeb) -> None:
    assert web.answer("branchline.localhost", "/sitemap-99.xml.gz").status == 404
    assert web.answer("branchline.localhost", "/sitemap-0.xml.gz").status == 404


@pytest.mark.parametrize("site", ["tidewatch", "mulgil", "jejubada", "ridgewalk", "islandpedia"])
def test_feeds_have_the_newest_items(web: DemoWeb, get: Get, site: str) -> None:
    web.clock.now = 2 * WEEK
    data = web.answer(f"{site}.localhost", "/feed.xml").body
    root = ET.fromstring(data)
    links = [node.text or node.get("href") or "" for node in root.iter() if node.tag.endswith("link")]
    items = [link for link in links if link != web.url(site)]
    assert len(items) == 20
    assert all(get(link).status == 200 for link in items)


def test_robots_txt_closes_what_truth_calls_closed(web: DemoWeb) -> None:
    text = web.answer("dailyglobe.localhost", "/robots.txt").body.decode()
    assert "Disallow: /members/" in text
    assert "Disallow: /print/" in text
    closed = {page.kind for page in web.pages("dailyglobe") if not page.allowed}
    assert closed == {"article", "print"}


def test_one_site_asks_for_a_delay(web: DemoWeb) -> None:
    delays = [host for host in web.hosts if b"Crawl-delay" in web.answer(host, "/robots.txt").body]
    assert delays == ["minji.localhost"]


def test_pictures_are_drawn(web: DemoWeb) -> None:
    reply = web.answer("harbourshop.localhost", "/img/divers-3.svg")
    assert dict(reply.headers)["Content-Type"] == "image/svg+xml"
    assert re.match(rb"<svg .*</svg>$", reply.body)
