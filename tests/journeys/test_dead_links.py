"""Links that lead nowhere cost a bounded number of requests, and the good pages come first."""

from __future__ import annotations

from pathlib import Path

import pytest
from named_web import NOT_FOUND, NamedWeb, Reply, article, crawled, made, served

pytestmark = pytest.mark.slow
HOST = "www.reef.test"
DEAD, GOOD = 5000, 12
XML = (("Content-Type", "application/xml"),)


def dead_web(*, good: int) -> NamedWeb:
    """A site with a sitemap of dead links, and so many good pages that follow each other from the home page on."""
    web = NamedWeb(HOST)

    def answer(path: str) -> Reply:
        if path == "/robots.txt":
            return Reply(f"Sitemap: {web.url(HOST, '/sitemap.xml')}\n")
        if path == "/sitemap.xml":
            places = "".join(f"<url><loc>{web.url(HOST, f'/dead/{number}')}</loc></url>" for number in range(DEAD))
            return Reply(f"<urlset>{places}</urlset>", 200, XML)
        number = int(path.strip("/") or 0) if path.strip("/").isdigit() or path == "/" else good
        return article(f"Page {number}", f"/{number + 1}") if number < good else NOT_FOUND

    web.hosts[HOST] = answer
    return web


def test_requests_are_bounded_by_the_pages_asked_for(tmp_path: Path) -> None:
    with served(dead_web(good=1)) as web:
        ended = crawled(made(tmp_path / "c", web.url(HOST)), web, pages=8).ended
    assert ended.why == "requests"
    assert len(web.paths(HOST)) <= 5 * 8 + 1


def test_good_pages_are_read_before_the_links_of_a_list_of_the_dead(tmp_path: Path) -> None:
    with served(dead_web(good=GOOD)) as web:
        ended = crawled(made(tmp_path / "c", web.url(HOST)), web, pages=GOOD).ended
    assert ended.why == "budget"
    assert len(web.paths(HOST)) < 4 * GOOD
