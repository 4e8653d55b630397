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
