"""Requests go through a SOCKS5 proxy that looks names up itself; of several proxies a host has always the same one."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self

import pytest

from haenyeo.collect.advice import advice_for
from haenyeo.fetch.client import Client
from haenyeo.fetch.transport.proxies import Proxy
from haenyeo.model.config import FetchSettings
from haenyeo.model.errors import SettingsError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome

PAGE = b"<html><p>a page behind a proxy"


class _Page(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.server.seen.append((self.path, dict(self.headers)))  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _SocksProxy:
    """A small SOCKS5 proxy that leads every name to one server."""

    def __init__(self, server: int, user: str = "") -> None:
        self._server, self._user = server, user.encode()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.names: list[str] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._lead, args=(client,), daemon=True).start()

    def _lead(self, client: socket.socket) -> None:
        with client, client.makefile("rb") as said:
            methods = said.read(said.read(2)[1])
            client.sendall(bytes([5, 2 if self._user else 0]) if not self._user or 2 in methods else b"\x05\xff")
            if self._user:
                said.read(1)
                pair = [said.read(said.read(1)[0]) for _ in range(2)]
                client.sendall(b"\x01" + (b"\x00" if pair[0] == self._user else b"\x01"))
            if not said.read(4):
                return
            name = said.read(said.read(1)[0]).decode()
            said.read(2)
            self.names.append(name)
            if name == "refused.example":
                client.sendall(b"\x05\x05\x00\x01" + bytes(6))
                return
            client.sendall(b"\x05\x00\x00\x01" + bytes(6))
            with socket.create_connection(("127.0.0.1", self._server)) as onward:
                threading.Thread(target=_pass_on, args=(onward, client), daemon=True).start()
                while data := said.read1(65536):
                    onward.sendall(data)


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    found = ThreadingHTTPServer(("127.0.0.1", 0), _Page)
    found.seen = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield found
    found.shutdown()
    thread.join()
    found.server_close()


def fetched(settings: FetchSettings, *urls: str) -> list[Answer]:
    async def anywhere(_: Url) -> str:
        return ""

    async def work() -> list[Answer]:
        async with Client(settings) as client:
            return [await client.fetch(Url(url), None, anywhere) for url in urls]

    return asyncio.run(work())


@pytest.mark.parametrize("user", ["", "me"])
def test_pages_come_through_a_socks_proxy(server: ThreadingHTTPServer, user: str) -> None:
    with _SocksProxy(server.server_port, user) as proxy:
        settings = FetchSettings(proxy=f"socks5://{'me:secret@' if user else ''}127.0.0.1:{proxy.port}")
        page, again, refused = fetched(
            settings, "http://reef.example/a", "http://reef.example/b", "http://refused.example/"
        )
    assert (page.outcome, page.body, again.outcome) == (Outcome.PAGE, PAGE, Outcome.PAGE)
    assert (refused.outcome, refused.reason) == (Outcome.FAILED, "proxy: connection refused")
    assert proxy.names == ["reef.example", "refused.example"], "the connection is kept"
    assert [path for path, _ in server.seen] == ["/a", "/b"]  # type: ignore[attr-defined]


def test_a_wrong_user_is_refused_and_private_addresses_are_never_asked_for(server: ThreadingHTTPServer) -> None:
    with _SocksProxy(server.server_port, "other") as proxy:
        settings = FetchSettings(proxy=f"socks5://me:secret@127.0.0.1:{proxy.port}")
        wrong, private = fetched(settings, "http://reef.example/", "http://10.0.0.1/")
    assert wrong.reason == "proxy: refused"
    assert private.reason == "forbidden address"
    assert proxy.names == []


def test_of_several_proxies_a_host_has_one(server: ThreadingHTTPServer) -> None:
    with _SocksProxy(server.server_port) as one, _SocksProxy(server.server_port) as other:
        settings = FetchSettings(proxy=(f"socks5://127.0.0.1:{one.port}", f"socks5://127.0.0.1:{other.port}"))
        hosts = [f"host{number}.example" for number in range(12)]
        fetched(settings, *(f"http://{host}/{number}" for host in hosts for number in range(2)))
    assert one.names
    assert other.names
    assert sorted(one.names + other.names) == sorted(hosts)


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_a_proxy_that_is_not_there_is_named_as_the_cause(scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    (answer,) = fetched(FetchSettings(proxy=f"{scheme}://127.0.0.1:{port}"), "http://reef.example/")
    assert (answer.outcome, answer.reason, answer.retryable) == (Outcome.FAILED, "proxy: no answer", True)
    assert "whether it runs" in advice_for(answer.reason)


def test_what_is_no_proxy_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"fetch\.proxy"):
        Proxy("socks4://127.0.0.1:1")
    assert Proxy("socks5://127.0.0.1").origin.port == 1080


NETSCAPE = "# Netscape HTTP Cookie File\n#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tabc\n"
JSON = '[{"name": "session", "value": "abc", "domain": "127.0.0.1", "path": "/", "hostOnly": true, "sameSite": "lax"}]'


@pytest.mark.parametrize("text", [NETSCAPE, JSON])
def test_a_browsers_cookies_log_in_where_they_belong(server: ThreadingHTTPServer, tmp_path: Path, text: str) -> None:
    path = tmp_path / "cookies.txt"
    path.write_text(text, encoding="utf-8")
    settings = FetchSettings(cookies=str(path), allow_private=("127.0.0.0/8",))
    fetched(settings, f"http://127.0.0.1:{server.server_port}/", f"http://127.0.0.2:{server.server_port}/")
    assert [headers.get("Cookie") for _, headers in server.seen] == ["session=abc"]  # type: ignore[attr-defined]


def test_a_file_that_has_no_cookies_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cookies.txt").write_text("session=abc", encoding="utf-8")
    with pytest.raises(SettingsError, match="line 1 has 1 fields"):
        Client(FetchSettings(cookies=str(tmp_path / "cookies.txt")))
