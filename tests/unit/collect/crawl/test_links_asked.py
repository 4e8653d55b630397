"""What a crawl asks a server for when pages write their links in many ways: each page once, as its server knows it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.model.config import FetchSettings, Topic

Answering = Callable[[str], bytes | None]
"""What a server answers to a request for a path; None for 404."""
Crawled = Callable[[Answering], list[str]]

pytestmark = pytest.mark.slow


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    """Crawls what a function answers, from its root, and gives the paths that were asked for, but robots.txt."""
    servers = []

    def crawl(answering: Answering) -> list[str]:
        asked: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = answering(self.path)
                asked.append(self.path)
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
                """Say nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        folder = tmp_path / "reefs"
        topic = Topic(words="reefs", seeds=(f"http://127.0.0.1:{server.server_port}/",))
        create_collection(folder, topic, fetch=FetchSettings(allow_private=("127.0.0.0/8",)))
        with Collection.open(folder) as opened:
            for _ in opened.crawl(pages=60, overrides=Overrides(scorer="bfs", delay=0.0)):
                pass
        return [path for path in asked if path != "/robots.txt"]

    yield crawl
    for server in servers:
        server.shutdown()
        server.server_close()


def test_a_site_in_euc_kr_is_asked_in_euc_kr(crawled: Crawled) -> None:
    start = '<meta charset=euc-kr><title>바다</title><p>해녀가 물질을 한다</p><a href="/find?q=해녀&p=1">찾기</a>'
    pages = {"/": start, "/find?q=%C7%D8%B3%E0&p=1": "<meta charset=euc-kr><p>찾은 것은 전복과 소라이다</p>"}
    asked = crawled(lambda path: pages[path].encode("cp949") if path in pages else None)
    assert sorted(asked) == sorted(pages)


PAGES = {
    "/": "Start",
    "/~reef/": "Where the corals grow and the divers rest after a long day in the sea.",
    "/list?cat=1&page=2": "The second page of everything on sale: nets, knives, floats and baskets.",
    "/list?cat=2&page=1": "Another list, of boats this time, with and without engines, old and new.",
    "/view?id=7": "A view of abalone number seven, found near the northern rocks in spring.",
    "/cart": "The basket is empty, put something into it before you go to the checkout.",
}
SPELLINGS = (
    *("/%7Ereef/", "/~reef/", "/~reef/?", "/%7ereef/#top", "/x/../~reef/"),
    *("/list?cat=1&page=2", "/list?page=2&cat=1", "/list?cat=1&page=2&utm_source=a", "/list?utm_medium=b&page=2&cat=1"),
    *("/list?page=1&cat=2", "/list?cat=2&page=1", "/list?cat=2&page=1&fbclid=123"),
    *(
        "/view?id=7",
        "/view?id=7&PHPSESSID=0a1b2c3d4e5f6071",
        "/view?PHPSESSID=1b2c3d4e5f607182&id=7",
        "/view?id=7&gclid=1",
    ),
    *("/cart;jsessionid=AB12", "/cart;jsessionid=CD34", "/cart", "/cart?", "/cart;jsessionid=EF56?utm_source=z"),
    *("/?utm_source=home", "/?gclid=9", "/?"),
)


def canonical_path(path: str) -> str:
    """What a forgiving server makes of a path: tracking, sessions and the order of parameters mean nothing to it."""
    front, _, query = path.partition("?")
    pieces = [piece for piece in query.split("&") if piece.partition("=")[0] in ("cat", "page", "id")]
    return front.partition(";")[0].replace("%7E", "~") + ("?" + "&".join(sorted(pieces)) if pieces else "")


def test_each_page_is_asked_for_about_once_however_its_links_are_written(crawled: Crawled) -> None:
    links = "".join(f'<li><a href="{href}">{href}</a></li>' for href in SPELLINGS)

    def answer(path: str) -> bytes | None:
        text = PAGES.get(canonical_path(path))
        more = f"<ul>{links}</ul>" if canonical_path(path) == "/" else ""
        return f"<title>{text}</title><p>{text}</p>{more}".encode() if text else None

    asked = crawled(answer)
    assert {canonical_path(path) for path in asked} == set(PAGES)
    assert len(asked) <= len(PAGES) + 2, asked
