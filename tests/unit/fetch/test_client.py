"""What servers may do, and what comes back: always an answer."""

from __future__ import annotations

import asyncio
import gzip
import itertools
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome, Validators

HELLO = b"<html><p>Hello</p></html>"
HTML = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
INTERIM = b"HTTP/1.1 100 Continue\r\n\r\n"


def chunked(*chunks: bytes) -> bytes:
    return b"Transfer-Encoding: chunked\r\n\r\n" + b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks)


def whole(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def test_a_page_comes_with_all_that_was_said(world: Any) -> None:
    answer, server = world.ask(world.page(HELLO, 'ETag: "1"', "Last-Modified: yesterday"), contact="me@example.org")
    assert (answer.outcome, answer.status, answer.body, answer.content_type) == (Outcome.PAGE, 200, HELLO, "text/html")
    assert answer.validators == Validators(etag='"1"', last_modified="yesterday")
    assert answer.url == answer.final_url == server.url + "/x"
    (hop,) = answer.hops
    assert (hop.url, hop.status, hop.reason, hop.body, hop.cut) == (answer.url, 200, "OK", HELLO, False)
    assert hop.headers[0] == ("Content-Type", "text/html")
    assert hop.address == "127.0.0.1"
    sent = server.calls[0].headers
    assert {name.lower(): value.lower() for name, value in hop.request_headers} == sent
    assert sent["user-agent"].startswith("haenyeo/")
    assert sent["user-agent"].endswith("(+me@example.org)")
    assert sent["host"] == server.url.removeprefix("http://")


WHOLE_PAGES = {
    "length": HTML + whole(HELLO),
    "chunks": HTML + chunked(HELLO[:5], HELLO[5:], b""),
    "crumbs": HTML + chunked(*(bytes([byte]) for byte in HELLO), b""),
    "until the end": HTML + b"\r\n" + HELLO,
    "interim answers": INTERIM * 3 + HTML + whole(HELLO),
    "bare line feeds": (HTML + whole(b"")).replace(b"\r\n", b"\n").replace(b": 0", b": 25") + HELLO,
    "folded header": HTML + b"X-Fold: one\r\n  two\r\n" + whole(HELLO),
    "binary header": HTML + b"X-Raw: \xe9\xec\xa0\x9c\xec\xa3\xbc\r\n" + whole(HELLO),
    "two kinds": b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Type: text/html\r\n" + whole(HELLO),
    "no words": b"HTTP/1.1 200\r\nContent-Type: text/html\r\n" + whole(HELLO),
    "no kind": b"HTTP/1.1 200 OK\r\n" + whole(HELLO),
    "letters counted for bytes": HTML + whole(HELLO) + "해녀".encode(),
    "gzip and junk": HTML + b"Content-Encoding: gzip\r\n" + whole(gzip.compress(HELLO) + b"\x00junk" * 5),
}


@pytest.mark.parametrize("name", WHOLE_PAGES)
def test_a_page_is_read_however_it_is_sent(world: Any, name: str) -> None:
    answer, _ = world.ask(WHOLE_PAGES[name])
    assert (answer.outcome, answer.reason, answer.body) == (Outcome.PAGE, "", HELLO)


BROKEN = {
    "nothing": (b"", "connection reset"),
    "half a head": (b"HTTP/1.1 200 OK\r\nContent-Ty", "connection reset"),
    "no head": (HELLO, "bad answer"),
    "another protocol": (b"SSH-2.0-OpenSSH_9\r\n", "bad answer"),
    "unasked upgrade": (b"HTTP/1.1 101 Switching\r\nUpgrade: sea\r\nConnection: upgrade\r\n\r\n\x00\x01", "bad answer"),
    "two lengths": (HTML + b"Content-Length: 5\r\nContent-Length: 7\r\n\r\nhello", "bad answer"),
    "length and chunks": (HTML + b"Content-Length: 5\r\n" + chunked(HELLO, b""), "bad answer"),
    "negative length": (HTML + b"Content-Length: -5\r\n\r\nhello", "bad answer"),
    "endless length": (HTML + b"Content-Length: 99999999999999999999999\r\n\r\nhello", "bad answer"),
    "name with a space": (HTML + b"Bad Name: one\r\n" + whole(HELLO), "bad answer"),
    "empty name": (HTML + b": one\r\n" + whole(HELLO), "bad answer"),
    "nul in a header": (HTML + b"X-Nul: a\x00b\r\n" + whole(HELLO), "bad answer"),
    "long header": (HTML + b"X-Long: " + b"z" * 100_000 + b"\r\n\r\n", "bad answer"),
    "many headers": (HTML + b"X-Many: z\r\n" * 10_000 + b"\r\n", "bad answer"),
    "many interim answers": (INTERIM * 5_000 + HTML + whole(HELLO), "too many interim answers"),
    "short body": (HTML + b"Content-Length: 500\r\n\r\nhello", "cut short"),
    "missing chunk": (HTML + chunked(HELLO), "cut short"),
    "huge chunk": (HTML + b"Transfer-Encoding: chunked\r\n\r\n4000000000000000\r\nhello", "cut short"),
    "chunk of no size": (HTML + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nhello", "bad answer"),
    "many trailers": (HTML + chunked(HELLO) + b"0\r\n" + b"X-Trailer: z\r\n" * 100_000 + b"\r\n", "bad answer"),
    "half of gzip": (HTML + b"Content-Encoding: gzip\r\n" + whole(gzip.compress(HELLO)[:-9]), "cut short"),
    "no gzip": (HTML + b"Content-Encoding: gzip\r\n" + whole(HELLO), "bad content coding"),
    "bomb": (HTML + b"Content-Encoding: gzip\r\n" + whole(gzip.compress(bytes(2 << 20))), "too large"),
    "large": (HTML + whole(bytes(2 << 20)), "too large"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_answer_fails_with_its_reason(world: Any, name: str) -> None:
    data, reason = BROKEN[name]
    answer, server = world.ask(data, max_bytes=1 << 20)
    assert (answer.outcome, answer.reason, answer.body) == (Outcome.FAILED, reason, b"")
    assert answer.retryable == (reason in ("connection reset", "cut short") and name != "half of gzip")
    assert len(server.calls) == 1


STATUSES = {
    "204 No Content": (Outcome.USELESS, False),
    "206 Partial": (Outcome.ERROR, False),
    "304 Not Modified": (Outcome.ERROR, False),
    "403 Forbidden": (Outcome.ERROR, False),
    "404 없음": (Outcome.GONE, False),
    "408 Timeout": (Outcome.ERROR, True),
    "410 Gone": (Outcome.GONE, False),
    "429 Slow": (Outcome.ERROR, True),
    "500 Oh": (Outcome.ERROR, True),
    "503 Busy": (Outcome.ERROR, True),
    "599 Odd": (Outcome.ERROR, True),
    "999 Denied": (Outcome.ERROR, False),
}


@pytest.mark.parametrize("status", STATUSES)
def test_a_status_without_page_is_named_in_the_reason(world: Any, status: str) -> None:
    answer, _ = world.ask(world.page(b"", status=status))
    assert (answer.outcome, answer.retryable) == STATUSES[status]
    assert answer.reason == f"status {answer.status}" == f"status {status[:3]}"


@pytest.mark.parametrize("status", ["-1 OK", "20000 OK", "fine OK"])
def test_what_is_no_status_fails(world: Any, status: str) -> None:
    assert world.ask(world.page(HELLO, status=status))[0].outcome is Outcome.FAILED


@pytest.mark.parametrize(
    ("status", "asked", "wait"), [("429 Slow", "7", 7.0), ("503 Busy", "-7", None), ("500", "7", None)]
)
def test_a_busy_server_says_when(world: Any, status: str, asked: str, wait: float | None) -> None:
    answer, _ = world.ask(world.page(b"", f"Retry-After: {asked}", status=status))
    assert answer.retry_after == wait


def test_an_explanation_is_read_in_part_only(world: Any) -> None:
    answer, _ = world.ask(world.page(b"z" * (1 << 20), status="404 Not Found"))
    assert answer.outcome is Outcome.GONE
    assert len(answer.hops[0].body) == 1 << 16
    assert answer.hops[0].cut


def test_an_empty_answer_is_an_empty_page(world: Any) -> None:
    answer, _ = world.ask(world.page(b""))
    assert (answer.outcome, answer.body) == (Outcome.PAGE, b"")


USELESS = {
    "image": b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 999\r\n\r\n",
    "zip called html": HTML + whole(b"PK\x03\x04" + bytes(99)),
    "unknown coding": HTML + b"Content-Encoding: foo\r\n" + whole(bytes(range(256))),
    "script": b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + whole(b"{}"),
}


@pytest.mark.parametrize("name", USELESS)
def test_what_is_no_page_is_useless(world: Any, name: str) -> None:
    answer, _ = world.ask(USELESS[name])
    assert answer.outcome is Outcome.USELESS
    assert answer.reason


def test_an_image_is_not_waited_for(world: Any) -> None:
    async def endless(call: Any) -> None:
        await call.send(b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n")
        while True:
            await call.send(bytes(1 << 16))

    answer, _ = world.ask(endless)
    assert (answer.outcome, answer.reason) == (Outcome.USELESS, "kind: image/png")


def test_a_page_that_has_not_changed_is_not_sent_again(world: Any) -> None:
    async def say(call: Any) -> None:
        same = call.headers["if-none-match"] == '"1"' and call.headers["if-modified-since"] == "yesterday"
        await call.send(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n" if same else world.page())

    answer, _ = world.ask(say, validators=Validators(etag='"1"', last_modified="yesterday"))
    assert (answer.outcome, answer.reason, answer.status) == (Outcome.UNCHANGED, "", 304)


def test_a_stored_validator_cannot_smuggle_a_header(world: Any) -> None:
    answer, server = world.ask(world.page(), validators=Validators(etag='"1"\r\nEvil: 1'))
    assert answer.outcome is Outcome.PAGE
    assert "evil" not in server.calls[0].headers


ENDLESS = {
    "chunks": ([HTML + chunked()], chunked(bytes(1 << 16))[len(chunked()) :], "too large"),
    "body": ([HTML + b"\r\n"], bytes(1 << 16), "too large"),
    "headers": ([HTML], b"X-Header: z\r\n" * 100, "bad answer"),
    "header": ([HTML + b"X-Header: "], b"z" * (1 << 16), "bad answer"),
    "interim answers": ([], INTERIM * 1000, "too many interim answers"),
    "chunk extension": ([HTML + chunked() + b"5;"], b"z" * (1 << 16), "too large"),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_what_never_ends_is_ended(world: Any, name: str) -> None:
    start, more, reason = ENDLESS[name]
    sent = 0

    async def endless(call: Any) -> None:
        nonlocal sent
        for part in itertools.chain(start, itertools.repeat(more)):
            await call.send(part)
            sent += len(part)

    answer, _ = world.ask(endless, max_bytes=1 << 20)
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, reason)
    assert sent < 32 << 20


def slowly(*parts: bytes, pause: float) -> Any:
    async def say(call: Any) -> None:
        for part in parts:
            await call.send(part)
            await asyncio.sleep(pause)
        await asyncio.sleep(60)

    return say


SLOW = {
    "silence": (slowly(pause=60), "timeout: first byte"),
    "head in bits": (slowly(*(bytes([byte]) for byte in HTML * 9), pause=0.05), "timeout: first byte"),
    "body in bits": (slowly(HTML + b"\r\n", *[b"z"] * 999, pause=0.05), "timeout: total"),
}


@pytest.mark.parametrize("name", SLOW)
def test_a_time_limit_ends_what_is_slow(world: Any, name: str) -> None:
    say, reason = SLOW[name]
    answer, _ = world.ask(say, timeout=0.3)
    assert (answer.outcome, answer.reason, answer.retryable) == (Outcome.FAILED, reason, False)


def test_silence_within_a_body_ends_it(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("haenyeo.fetch.transport.watch.IDLE_SECONDS", 0.2)
    answer, _ = world.ask(slowly(HTML + b"Content-Length: 99\r\n\r\nhello", pause=60))
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, "timeout: idle")


def test_an_answer_is_announced_when_its_head_has_come(world: Any) -> None:
    async def work() -> list[str]:
        events: list[str] = []

        async def say(call: Any) -> None:
            await call.send(HTML + b"Content-Length: 5\r\n\r\n")
            await asyncio.sleep(0.05)
            events.append("body")
            await call.send(b"hello")

        async with world.serve(say).running() as server, world.client() as client:
            url = Url(server.url + "/x")
            answer = await client.fetch(url, None, world.anywhere, on_answer=lambda: events.append("head"))
            return [*events, answer.outcome]

    assert world.run(work()) == ["head", "body", "page"]


def test_files_are_taken_under_any_name_and_cut_at_the_limit(world: Any) -> None:
    async def fetched(data: bytes, limit: int) -> Answer:
        async def say(call: Any) -> None:
            await call.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n" + data)
            call.hang_up()

        async with world.serve(say).running() as server, world.client() as client:
            answer: Answer = await client.fetch_file(Url(server.url + "/x"), world.anywhere, limit_bytes=limit)
            return answer

    def outcome(data: bytes, limit: int = 100) -> tuple[Outcome, str, bytes]:
        answer = world.run(fetched(data, limit))
        return answer.outcome, answer.reason, answer.body

    packed = gzip.compress(b"12345678")
    assert outcome(whole(b"12345678")) == (Outcome.PAGE, "", b"12345678")
    assert outcome(whole(b"12345678"), 4) == (Outcome.PAGE, "too large", b"1234")
    assert outcome(b"Content-Encoding: gzip\r\n" + whole(packed), 4)[0] is Outcome.FAILED
    assert outcome(b"Content-Encoding: gzip\r\n" + whole(packed)) == (Outcome.PAGE, "", b"12345678")
    assert outcome(b"Content-Length: 99\r\n\r\n12345678") == (Outcome.PAGE, "cut short", b"12345678")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300) | st.binary(max_size=100).map(lambda tail: HTML + tail))
def test_any_bytes_are_an_answer(world: Any, data: bytes) -> None:
    assert isinstance(world.ask(data, timeout=5)[0], Answer)


@pytest.mark.parametrize("url", ["ftp://example.org/", "file:///etc/passwd", "http://", "no address", "http://a b/"])
def test_only_web_addresses_are_asked(world: Any, url: str) -> None:
    async def work() -> Answer:
        async with world.client() as client:
            answer: Answer = await client.fetch(Url(url), None, world.anywhere)
            return answer

    answer = world.run(work())
    assert (answer.outcome, answer.reason, answer.hops) == (Outcome.REFUSED, "bad address", ())
