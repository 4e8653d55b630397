"""What becomes of answers, over a real server: each page is one line of a small web."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.collect.crawl.loop import Budget
from haenyeo.collect.events import CrawlEnded, Event, PageVisited
from haenyeo.html.sitemaps import is_listing
from haenyeo.model.config import FetchSettings, Topic
from haenyeo.model.pages import Url
from haenyeo.model.visits import Outcome

Pages = dict[str, tuple[dict[str, str], str]]
HTML = {"Content-Type": "text/html; charset=utf-8"}


def crawl(folder: Path, seed: str, budget: Budget | None = None) -> tuple[CrawlEnded, dict[str, PageVisited]]:
    """Crawl from a seed; how it ended, and the visits by path."""
    topic = Topic(words="pages", seeds=(seed,))
    create_collection(folder, topic, fetch=FetchSettings(allow_private=("127.0.0.0/8",)))
    visits: dict[str, PageVisited] = {}

    def note(event: Event) -> None:
        if isinstance(event, PageVisited):
            visits["/" + event.url.split("/", 3)[3]] = event

    async def run() -> CrawlEnded:
        with Collection.open(folder) as collection:
            async with collection.crawling(Overrides(delay=0.0, scorer="bfs")) as made:
                made.events.listen(note)
                return await made.run(budget or Budget())

    return asyncio.run(run()), visits


def text(words: str, *links: str) -> tuple[dict[str, str], str]:
    return HTML, f"<p>{words}</p>" + "".join(f'<p><a href="{link}">to {link}</a></p>' for link in links)


def test_pages_are_kept_and_their_links_followed(serve: Callable[[Pages], str], tmp_path: Path) -> None:
    origin = serve({"/": text("start", "/a", "/gone"), "/a": text("abalone and conch")})
    ended, visits = crawl(tmp_path / "c", origin + "/")
    assert ended.why == "done"
    assert ended.kept == 2
    assert visits["/gone"].outcome is Outcome.GONE
    assert not visits["/gone"].kept


def test_a_page_that_asks_for_it_is_not_kept_or_not_followed(serve: Callable[[Pages], str], tmp_path: Path) -> None:
    meta = '<meta name=robots content="noindex, nofollow"><p>hidden</p><a href=/behind-meta>x</a>'
    headers = {**HTML, "X-Robots-Tag": "noindex"}
    other = {**HTML, "X-Robots-Tag": "otherbot: noindex"}
    pages: Pages = {
        "/": text("start", "/meta", "/header", "/other"),
        "/meta": (HTML, meta),
        "/header": (headers, "<p>hidden by its header</p><a href=/behind-header>y</a>"),
        "/other": (other, "<p>hidden from another crawler only</p>"),
        "/behind-header": text("the links of a page that is not kept are followed"),
    }
    _, visits = crawl(tmp_path / "c", serve(pages) + "/")
    assert not visits["/meta"].kept
    assert "/behind-meta" not in visits
    assert not visits["/header"].kept
    assert visits["/behind-header"].kept
    assert visits["/other"].kept


def test_sitemaps_of_robots_txt_and_lists_of_addresses_are_read(serve: Callable[[Pages], str], tmp_path: Path) -> None:
    pages: Pages = {"/": text("start"), "/one": text("first page"), "/two": text("second page")}
    origin = serve(pages)
    pages["/robots.txt"] = ({"Content-Type": "text/plain"}, f"Sitemap: {origin}/sitemap.xml\n")
    pages["/sitemap.xml"] = (
        {"Content-Type": "application/xml"},
        f"<urlset><url><loc>{origin}/one</loc></url><url><loc>{origin}/list.txt</loc></url></urlset>",
    )
    pages["/list.txt"] = ({"Content-Type": "text/plain"}, f"{origin}/two\n")
    ended, visits = crawl(tmp_path / "c", origin + "/")
    assert visits["/sitemap.xml"].outcome is Outcome.LISTING
    assert visits["/one"].kept
    assert visits["/two"].kept
    assert ended.kept == 3


def test_the_same_text_under_another_address_is_not_kept_twice(serve: Callable[[Pages], str], tmp_path: Path) -> None:
    words = "women divers bring up abalone, conch and seaweed on one breath from the cold sea of the island"
    origin = serve({"/": text("start", "/a", "/b"), "/a": text(words), "/b": text(words)})
    ended, visits = crawl(tmp_path / "c", origin + "/")
    assert sorted(visits[path].outcome for path in ("/a", "/b")) == [Outcome.DUPLICATE, Outcome.PAGE]
    assert ended.kept == 2


def test_other_forms_of_a_page_are_folded_into_it_but_not_pages_that_only_look_so(
    serve: Callable[[Pages], str], tmp_path: Path
) -> None:
    words = "Women divers bring up abalone, conch and seaweed on one breath from the cold sea of the island."
    source = f"Tides\n=====\n\n.. note:: draft\n\n{words}\n"
    other = "Everything that we have printed on paper in forty years, by volume and by number, can be ordered here."
    pages: Pages = {
        "/": text("The beginning of all the tides", "/docs/tides.html", "/print/"),
        "/docs/tides.html": text(words, "/docs/_sources/tides.rst.txt", "/docs/tides.html?print=1", "/docs/tides/amp/"),
        "/docs/_sources/tides.rst.txt": ({"Content-Type": "text/plain"}, source),
        "/docs/tides.html?print=1": (HTML, f"<h1>Tides</h1><p>{words} Printed from our site today.</p>"),
        "/print/": text(other),
    }
    origin = serve(pages)
    _, visits = crawl(tmp_path / "c", origin + "/")
    for twin in ("/docs/_sources/tides.rst.txt", "/docs/tides.html?print=1"):
        assert visits[twin].outcome is Outcome.DUPLICATE
        assert not visits[twin].kept
    assert visits["/docs/tides.html"].kept
    assert visits["/print/"].kept


def test_what_is_no_text_is_told_from_pages(serve: Callable[[Pages], str], tmp_path: Path) -> None:
    pages: Pages = {
        "/": text("start", "/plain", "/zip"),
        "/plain": ({"Content-Type": "text/plain"}, "plain words of a text file"),
        "/zip": (HTML, "PK\x03\x04 not a page"),
    }
    _, visits = crawl(tmp_path / "c", serve(pages) + "/")
    assert visits["/plain"].kept
    assert visits["/zip"].outcome is Outcome.USELESS


def test_the_page_budget_counts_pages_that_answered(serve: Callable[[Pages], str], tmp_path: Path) -> None:
    moved = ({"Status": "301", "Location": "/new"}, "")
    pages: Pages = {
        "/": text("start", "/old", "/a", "/b"),
        "/old": moved,
        "/new": text("moved here"),
        "/a": text("other words"),
    }
    ended, visits = crawl(tmp_path / "c", serve(pages) + "/", Budget(pages=2))
    assert ended.why == "budget"
    assert set(visits) == {"/", "/new"}, "the redirect itself is not counted"


def test_a_crawl_ends_when_its_time_is_up(serve: Callable[[Pages], str], tmp_path: Path) -> None:
    pages: Pages = {"/": text("start", "/busy")}
    pages["/busy"] = ({"Status": "503", "Retry-After": "5"}, "")
    ended, _ = crawl(tmp_path / "c", serve(pages) + "/", Budget(seconds=0.5))
    assert ended.why == "time"
    assert ended.waiting == 1, "the page waits for the next crawl"


def test_a_site_that_asks_for_long_patience_ends_the_crawl_but_keeps_the_link(
    serve: Callable[[Pages], str], tmp_path: Path
) -> None:
    pages: Pages = {"/": text("start", "/busy"), "/busy": ({"Status": "429", "Retry-After": "3600"}, "")}
    ended, _ = crawl(tmp_path / "c", serve(pages) + "/")
    assert ended.why == "waiting"
    assert ended.waiting == 1


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.example/sitemap.xml", True),
        ("http://a.example/maps/sitemap-2.xml.gz", True),
        ("http://a.example/sitemap.txt?x=1", True),
        ("http://a.example/sitemap.html", False),
        ("http://a.example/sitemap/page.xml", False),
    ],
)
def test_the_address_of_a_sitemap_is_known_by_its_name(url: str, expected: bool) -> None:
    assert is_listing(Url(url)) is expected
