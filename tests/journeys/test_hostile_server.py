"""The hostile web itself: what it serves byte by byte, and that every case sets a stage that can be walked onto."""

from __future__ import annotations

import itertools
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hostile.answers import hang, head, in_turn, page, raw, stream, text
from hostile.cases import CASES
from hostile.server import Host, Request, Web, Wire
from hostile.stage import SECRET, Stage


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with Web() as running:
        yield running


@pytest.fixture
def host(web: Web) -> Iterator[Host]:
    listening = web.listen()
    yield listening
    web.close(listening)


@pytest.fixture
def stage(web: Web, tmp_path: Path) -> Iterator[Stage]:
    setting = Stage(web, tmp_path)
    yield setting
    setting.close()


def _connect(host: Host) -> socket.socket:
    return socket.create_connection((host.address, host.port), timeout=5)


def _ask(client: socket.socket, path: str) -> bytes:
    """Send a request and take what comes with one read, or nothing if the server has closed."""
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\nCookie: b=c\r\n\r\n".encode())
    return client.recv(1 << 16)


def test_requests_on_one_connection_are_answered_and_logged(host: Host) -> None:
    host.on("/a", page("first"))
    host.on("/b/*", text("second"))
    with _connect(host) as client:
        assert _ask(client, "/a?q=1").endswith(b"\r\n\r\nfirst")
        assert _ask(client, "/b/deep").endswith(b"\r\n\r\nsecond")
        assert _ask(client, "/none").startswith(b"HTTP/1.1 404")
    assert host.connections == 1
    assert [request.target for request in host.requests] == ["/a?q=1", "/b/deep", "/none"]
    assert len(host.asked("/a")) == len(host.asked("/b/*")) == 1
    assert host.requests[0].headers["cookie"] == "b=c"


def test_bytes_are_sent_as_they_are(host: Host) -> None:
    host.on("/x", raw(b"\x00no http at all"))
    with _connect(host) as client:
        assert _ask(client, "/x") == b"\x00no http at all"
    assert host.sent("/x") == 15


def test_a_reset_is_a_reset(host: Host) -> None:
    async def reset(wire: Wire, _: Request) -> None:
        wire.reset()

    host.on("/x", reset)
    with _connect(host) as client, pytest.raises(ConnectionResetError):
        _ask(client, "/x")


def test_silence_lasts(host: Host) -> None:
    host.on("/x", hang)
    with _connect(host) as client:
        client.settimeout(0.2)
        with pytest.raises(TimeoutError):
            _ask(client, "/x")


def test_an_endless_body_waits_for_its_reader(host: Host) -> None:
    host.on("/x", stream(lambda: itertools.chain([head()], itertools.repeat(b"z" * 65_536))))
    with _connect(host) as client:
        assert _ask(client, "/x")
    assert host.sent("/x") < 32 << 20


def test_answers_come_in_turn_and_the_last_one_stays(host: Host) -> None:
    host.on("/x", in_turn(page("1"), page("2")))
    with _connect(host) as client:
        assert [_ask(client, "/x")[-1:] for _ in range(3)] == [b"1", b"2", b"2"]


def test_an_internal_service_tells_its_secret_and_who_came(stage: Stage) -> None:
    service = stage.internal()
    assert service.connections == 0
    with _connect(service) as client:
        assert SECRET.encode() in _ask(client, "/anything")
    assert service.connections == 1


def test_the_start_page_links_to_control_page_and_hostile_page(stage: Stage) -> None:
    with _connect(stage.host) as client:
        start = _ask(client, "/").decode()
        assert stage.url("/control-1") in start
        assert 'href="/x"' in start
        assert 'href="/control-2"' in _ask(client, "/control-1").decode()


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_every_case_serves_the_page_where_the_crawl_starts(stage: Stage, name: str) -> None:
    CASES[name](stage)
    with _connect(stage.host) as client:
        assert _ask(client, stage.seed).startswith(b"HTTP/1.1 200 OK")
