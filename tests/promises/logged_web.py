"""A small web of named hosts over real sockets, which writes down when each request came and when it was answered."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import NamedTuple

PAGES = 6


class Asked(NamedTuple):
    """A request, by host and path: when it came and when its answer had been written."""

    host: str
    path: str
    came: float
    done: float
    status: int


class LoggedWeb:
    """Every host has `PAGES` pages, /0 to /5, each of which links to all; `busy` paths answer 503 so often.

    Answers take `slow` seconds, those for robots.txt `slow_robots`; `version` is part of each page's text, so that
    pages can change. Nobody may ask for /closed.
    """

    def __init__(self, *, slow: float = 0.0, slow_robots: float = 0.0, crawl_delay: str = "") -> None:
        self.slow, self.slow_robots, self.crawl_delay, self.version = slow, slow_robots, crawl_delay, 1
        self.busy: dict[str, int] = {}
        self.retry_after = "1"
        self.log: list[Asked] = []
        self.port = 0

    def url(self, host: str, path: str) -> str:
        return f"http://{host}:{self.port}{path}"

    def asked(self, host: str | None = None) -> list[Asked]:
        """The requests for pages, in the order in which they came."""
        pages = (each for each in self.log if each.path != "/robots.txt" and host in (None, each.host))
        return sorted(pages, key=lambda each: each.came)

    def gaps(self, host: str) -> list[float]:
        """The seconds between the starts of two requests in a row."""
        return [later.came - sooner.came for sooner, later in pairwise(self.asked(host))]

    def answer(self, path: str) -> tuple[int, dict[str, str], str]:
        if path == "/robots.txt":
            delay = f"Crawl-delay: {self.crawl_delay}\n" if self.crawl_delay else ""
            return 200, {"Content-Type": "text/plain"}, f"User-agent: *\n{delay}Disallow: /closed\n"
        if self.busy.get(path, 0) > 0:
            self.busy[path] -= 1
            return 503, {"Retry-After": self.retry_after}, "busy"
        number = path.strip("/")
        if not number.isdigit() or int(number) >= PAGES:
            return 404, {}, "nothing is here"
        links = "".join(f'<li><a href="/{other}">page {other}</a></li>' for other in range(PAGES))
        words = " ".join(f"{word}{number}{self.version}" for word in ("abalone", "conch", "reef", "tide", "kelp") * 8)
        body = f"<title>Page {number}</title><h1>Page {number}</h1><p>{words}</p><ul>{links}</ul><a href=/closed>x</a>"
        return 200, {"Content-Type": "text/html; charset=utf-8"}, body


@contextmanager
def served(web: LoggedWeb) -> Iterator[LoggedWeb]:
    """The web on a free port of 127.0.0.1; its hosts are names that end in .localhost."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            came = time.monotonic()
            status, headers, body = web.answer(self.path)
            time.sleep(web.slow_robots if self.path == "/robots.txt" else web.slow)
            data = body.encode()
            web.log.append(Asked(self.headers["Host"].partition(":")[0], self.path, came, time.monotonic(), status))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    web.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield web
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
