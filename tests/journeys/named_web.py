"""Hosts with names of their own, each on its own loopback address, all on one port; every request is written down.

Ports of one address would not do: what belongs to a server and what to a site shows only when several servers make up
one site.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import msgspec

from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.collect.crawl.assembly import RunContext, crawl_of
from haenyeo.collect.crawl.loop import Budget
from haenyeo.collect.events import CrawlEnded, Event, Events
from haenyeo.model.config import FetchSettings, ScopeSettings, Topic

WORDS = ("abalone", "conch", "kelp", "reef", "tide", "urchin", "sponge", "pearl")


class Reply(NamedTuple):
    """What a server says."""

    body: str = ""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


class Asked(NamedTuple):
    """A request as it came."""

    host: str
    path: str
    at: float
    headers: dict[str, str]


Handler = Callable[[str], Reply]
"""Answers for a path."""


def article(title: str, *links: str, words: str = "") -> Reply:
    """A page with a text of its own and links."""
    text = " ".join(f"{word}{title.replace(' ', '')}" for word in WORDS * 5)
    items = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    return Reply(f"<title>{title}</title><h1>{title}</h1><p>{words} {text}</p><ul>{items}</ul>")


NOT_FOUND = Reply("nothing is here", 404)


class NamedWeb:
    """Some hosts: what each answers, which address each name has, and which of them speak TLS.

    A name may lead where nobody listens.
    """

    def __init__(self, *names: str) -> None:
        self.hosts: dict[str, Handler] = dict.fromkeys(names, lambda _: NOT_FOUND)
        self.addresses = {name: f"127.0.0.{place}" for place, name in enumerate(names, 2)}
        self.secure: dict[str, ssl.SSLContext] = {}
        self.log: list[Asked] = []
        self.port = 0

    def url(self, host: str, path: str = "/", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"

    def paths(self, host: str) -> list[str]:
        """What was asked of a host, robots.txt apart."""
        return [asked.path for asked in self.log if asked.host == host and asked.path != "/robots.txt"]

    async def look_up(self, host: str) -> Sequence[str]:
        if host not in self.addresses:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [self.addresses[host]]


@contextmanager
def served(web: NamedWeb) -> Iterator[NamedWeb]:
    """The web, listening."""
    with ExitStack() as stack:
        for name in web.hosts:
            server = ThreadingHTTPServer((web.addresses[name], web.port), _handler(web, name))
            web.port = server.server_port
            if name in web.secure:
                server.socket = web.secure[name].wrap_socket(server.socket, server_side=True)
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
            thread.start()
            stack.callback(thread.join)
            stack.callback(server.server_close)
            stack.callback(server.shutdown)
        yield web


@contextmanager
def answering(answer: Handler) -> Iterator[int]:
    """The port of 127.0.0.1 on which a server answers so."""
    web = NamedWeb("localhost")
    web.hosts["localhost"], web.addresses["localhost"] = answer, "127.0.0.1"
    with served(web):
        yield web.port


def _handler(web: NamedWeb, host: str) -> type[BaseHTTPRequestHandler]:
    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            web.log.append(Asked(host, self.path, time.monotonic(), headers))
            body, status, extra = web.hosts[host](self.path)
            data = body.encode()
            self.send_response(status)
            for name, value in (("Content-Type", "text/html; charset=utf-8"), *extra):
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Answering


class Crawled(NamedTuple):
    """How a crawl ended, what it told, and the pages that are kept."""

    ended: CrawlEnded
    told: list[Event]
    kept: set[str]


LOOPBACK = FetchSettings(allow_private=("127.0.0.0/8",))


def made(folder: Path, *seeds: str, fetch: FetchSettings = LOOPBACK) -> Path:
    """A collection that begins with these seeds and may ask loopback addresses, unless `fetch` says otherwise."""
    create_collection(folder, Topic(words="reef", seeds=seeds), fetch=fetch)
    return folder


def crawled(  # noqa: PLR0913 - each is one setting of the crawl
    folder: Path,
    web: NamedWeb,
    *,
    delay: float = 0.0,
    pages: int | None = None,
    scorer: str = "bfs",
    fetch: FetchSettings | None = None,
    scope: ScopeSettings | None = None,
) -> Crawled:
    """Crawl a collection over this web, as `haenyeo crawl` does; `fetch` and `scope` stand in for its settings."""
    events, told = Events(), list[Event]()
    events.listen(told.append)

    async def work(opened: Collection) -> CrawlEnded:
        settings = Overrides(delay=delay, scorer=scorer).applied_to(opened.settings)
        settings = msgspec.structs.replace(settings, fetch=fetch or settings.fetch, scope=scope or settings.scope)
        async with crawl_of(opened.store, settings, RunContext(events=events, look_up=web.look_up)) as crawl:
            return await crawl.run(Budget(pages=pages))

    with Collection.open(folder) as opened:
        ended = asyncio.run(work(opened))
        kept = {str(page.url) for page in opened.pages()}
    return Crawled(ended, told, kept)
