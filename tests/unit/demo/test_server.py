import asyncio
import gzip
import http.client
import socket
import threading
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haenyeo.demo import DAY, Address, DemoWeb, ServerPace, serve, serve_in_thread

Served = tuple[DemoWeb, Address]
Response = tuple[http.client.HTTPResponse, bytes]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    web = DemoWeb()
    with serve_in_thread(web) as address:
        yield web, address


@pytest.fixture
def web(served: Served) -> DemoWeb:
    served[0].clock.now = 0
    return served[0]


@pytest.fixture
def address(served: Served) -> Address:
    served[1].log.clear()
    return served[1]


def _ask(address: Address, host: str, target: str, method: str = "GET", **headers: str) -> Response:
    connection = http.client.HTTPConnection("127.0.0.1", address.port, timeout=10)
    connection.request(method, target, headers={"Host": f"{host}.localhost:{address.port}", **headers})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def _raw(address: Address, data: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", address.port), timeout=10) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        while part := connection.recv(65536):
            received += part
        return received


def test_a_page_comes_as_the_web_says(web: DemoWeb, address: Address) -> None:
    response, body = _ask(address, "tidewatch", "/about")
    assert response.status == 200
    assert body == web.answer("tidewatch.localhost", "/about").body
    assert response.headers["Date"] == "Mon, 05 Jan 2026 00:00:00 GMT"
    assert f"http://tidewatch.localhost:{address.port}/about".encode() in body


def test_gzip_and_304_over_the_wire(address: Address) -> None:
    response, body = _ask(address, "tidewatch", "/", **{"Accept-Encoding": "gzip"})
    assert gzip.decompress(body).startswith(b"<!doctype html>")
    again, nothing = _ask(address, "tidewatch", "/", **{"If-None-Match": response.headers["ETag"]})
    assert (again.status, nothing) == (304, b"")


def test_head_sends_no_body(address: Address) -> None:
    response, body = _ask(address, "tidewatch", "/", "HEAD")
    assert int(response.headers["Content-Length"]) > 1000
    assert body == b""


def test_a_connection_serves_many_requests(address: Address) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", address.port, timeout=10)
    for _ in range(3):
        connection.request("GET", "/robots.txt", headers={"Host": "crumb.localhost"})
        assert connection.getresponse().read().startswith(b"# Be kind.")
    connection.close()


def test_requests_sent_at_once_are_answered_in_order(address: Address) -> None:
    one = b"GET /robots.txt HTTP/1.1\r\nHost: crumb.localhost\r\n\r\n"
    two = b"GET /nothing HTTP/1.1\r\nHost: crumb.localhost\r\nConnection: close\r\n\r\n"
    received = _raw(address, one + one + two)
    assert received.count(b"HTTP/1.1 200") == 2
    assert received.index(b"HTTP/1.1 404") > received.rindex(b"HTTP/1.1 200")


def test_the_log_counts_by_host_target_and_status(address: Address) -> None:
    _ask(address, "tidewatch", "/about")
    _ask(address, "tidewatch", "/about")
    _ask(address, "crumb", "/nothing")
    assert address.log.by_host() == {"tidewatch.localhost": 2, "crumb.localhost": 1}
    assert address.log.by_status() == {200: 2, 404: 1}
    assert address.log.by_target()["/about"] == 2
    assert [request.target for request in address.log.requests] == ["/about", "/about", "/nothing"]


def test_turning_the_clock_is_seen_at_once(web: DemoWeb, address: Address) -> None:
    before = _ask(address, "seawomen", "/")[1]
    web.clock.now = 9 * DAY
    assert _ask(address, "seawomen", "/")[1] != before


def test_a_site_that_drops_connections_sends_nothing(web: DemoWeb, address: Address) -> None:
    web.clock.now = 13.5 * DAY
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        _ask(address, "trailguide", "/")
    assert address.log.by_status() == {0: 1}
    assert _ask(address, "tidewatch", "/")[0].status == 200


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"POST / HTTP/1.1\r\nHost: crumb.localhost\r\nContent-Length: 3\r\n\r\nabc", 405),
        (b"GET / HTTP/3\r\n\r\n", 400),
        (b"hello\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        (b"GET nowhere HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nX: " + b"a" * 40_000, 431),
        (b"GET /about HTTP/1.0\r\nHost: crumb.localhost\r\n\r\n", 200),
        (b"GET http://crumb.localhost/about HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 200),
        (b"\r\n\r\nGET /about HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ],
)
def test_odd_requests_get_a_plain_answer(address: Address, data: bytes, status: int) -> None:
    assert _raw(address, data).split(b" ")[1] == str(status).encode()


@given(st.binary(max_size=300) | st.binary(max_size=80).map(lambda data: data + b"\r\n\r\n"))
@settings(max_examples=settings().max_examples // 2)
def test_the_server_survives_garbage(served: Served, data: bytes) -> None:
    with socket.create_connection(("127.0.0.1", served[1].port), timeout=10) as connection:
        connection.sendall(data)
    assert _ask(served[1], "tidewatch", "/robots.txt")[0].status == 200


def test_a_visitor_who_does_not_read_stops_only_himself(address: Address) -> None:
    greedy = socket.create_connection(("127.0.0.1", address.port), timeout=10)
    greedy.settimeout(0.2)
    request = b"GET / HTTP/1.1\r\nHost: dailyglobe.localhost\r\n\r\n"
    with pytest.raises(TimeoutError):
        greedy.sendall(request * 100_000)
    assert _ask(address, "tidewatch", "/about")[0].status == 200
    greedy.close()


def test_serving_on_a_running_event_loop() -> None:
    async def ask() -> bytes:
        web = DemoWeb()
        async with serve(web, pace=ServerPace(latency=0.01)) as address:
            reader, writer = await asyncio.open_connection(address.host, address.port)
            writer.write(b"GET /about HTTP/1.1\r\nHost: mulgil.localhost\r\nConnection: close\r\n\r\n" * 2)
            received = await reader.read()
            writer.close()
            await writer.wait_closed()
            return received

    assert asyncio.run(ask()).startswith(b"HTTP/1.1 200 OK")


def test_slow_sites_are_slow_when_they_may_be() -> None:
    assert DemoWeb().latency("cheolgil.localhost:80") > 0
    assert DemoWeb().latency("nowhere") == 0


def test_a_port_in_use_is_an_error_for_the_caller(address: Address) -> None:
    with pytest.raises(OSError, match="address already in use"), serve_in_thread(DemoWeb(), address.port):
        pytest.fail("two servers cannot have one port")


def test_the_thread_ends_with_the_context() -> None:
    before = set(threading.enumerate())
    with serve_in_thread(DemoWeb()):
        assert "demo web" in {thread.name for thread in set(threading.enumerate()) - before}
    assert set(threading.enumerate()) <= before
