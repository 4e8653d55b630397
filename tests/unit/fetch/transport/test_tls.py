"""A server must prove who it is before anything is asked of it."""

from __future__ import annotations

import asyncio
import ssl
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an authority's certificate and one of its servers, for 127.0.0.1 and reef.localhost."""
    folder = tmp_path_factory.mktemp("authority")
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]

    def sign(name: str, extension: str, *by: str) -> None:
        files = ["-keyout", f"{name}.key", "-out", f"{name}.pem", "-subj", f"/CN={name}", "-addext", extension]
        subprocess.run(["openssl", "req", "-x509", *curve, *files, *by], check=True, capture_output=True, cwd=folder)

    sign("authority", "basicConstraints=critical,CA:TRUE")
    by = ("-CA", "authority.pem", "-CAkey", "authority.key")
    sign("good", "subjectAltName=IP:127.0.0.1,DNS:reef.localhost", *by)
    sign("other", "subjectAltName=DNS:other.example", *by)
    sign("selfmade", "subjectAltName=IP:127.0.0.1")
    return folder


def ask(world: Any, authority: Path, certificate: str, host: str = "127.0.0.1", **settings: Any) -> tuple[Answer, Any]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority / f"{certificate}.pem", authority / f"{certificate}.key")

    async def say(call: Any) -> None:
        await call.send(world.page())

    async def work() -> tuple[Answer, Any]:
        async with world.serve(say).running(ssl=context) as server, world.client(**settings) as client:
            url = Url(f"https://{host}:{server.port}/x")
            await client.fetch(url, None, world.anywhere)
            return await client.fetch(url, None, world.anywhere), server

    result: tuple[Answer, Any] = world.run(work())
    return result


@pytest.fixture(autouse=True)
def _trusted(authority: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority / "authority.pem"))


@pytest.mark.parametrize("host", ["127.0.0.1", "reef.localhost"])
def test_an_authority_named_by_the_environment_is_trusted(world: Any, authority: Path, host: str) -> None:
    answer, server = ask(world, authority, "good", host)
    assert answer.outcome is Outcome.PAGE
    assert server.connections == 1


@pytest.mark.parametrize(
    ("certificate", "host"), [("other", "127.0.0.1"), ("selfmade", "127.0.0.1"), ("good", "localhost")]
)
def test_a_server_that_is_another_is_asked_nothing(world: Any, authority: Path, certificate: str, host: str) -> None:
    answer, server = ask(world, authority, certificate, host)
    assert (answer.outcome, answer.reason, answer.retryable) == (Outcome.FAILED, "certificate", False)
    assert server.calls == []


def test_an_authority_nobody_named_is_not_trusted(
    world: Any, authority: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "none.pem").write_text("")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    assert ask(world, authority, "good")[0].reason == "certificate"


def test_a_server_without_tls_fails(world: Any) -> None:
    async def work() -> Answer:
        async def loud(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(world.page())
            await asyncio.sleep(5)

        async with world.accepting(loud) as url, world.client() as client:
            answer: Answer = await client.fetch(Url(url.replace("http", "https")), None, world.anywhere)
            return answer

    answer = world.run(work())
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, "tls")


def test_a_server_that_never_greets_is_given_up(world: Any) -> None:
    async def work() -> Answer:
        async def silent(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
            await asyncio.sleep(5)

        async with world.accepting(silent) as url, world.client(timeout=0.3) as client:
            answer: Answer = await client.fetch(Url(url.replace("http", "https")), None, world.anywhere)
            return answer

    answer = world.run(work())
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, "timeout: connect")


class Tunnel:
    """A proxy that lets CONNECT requests through to where they want, or not."""

    def __init__(self, status: str = "200 OK") -> None:
        self.status = status
        self.heads: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.heads.append(head)
        writer.write(f"HTTP/1.1 {self.status}\r\n\r\n".encode())
        await writer.drain()
        if self.status.startswith("200"):
            host, _, port = head.split(" ")[1].rpartition(":")
            there = await asyncio.open_connection("127.0.0.1" if host == "reef.example" else host, int(port))
            try:
                await asyncio.gather(self.pass_on(reader, there[1]), self.pass_on(there[0], writer))
            finally:
                there[1].transport.abort()

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(1 << 16):
                writer.write(data)
        writer.transport.abort()


def through(world: Any, authority: Path, tunnel: Tunnel, host: str, certificate: str = "good") -> Answer:
    async def work() -> Answer:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(authority / f"{certificate}.pem", authority / f"{certificate}.key")

        async def say(call: Any) -> None:
            await call.send(world.page())

        async with (
            world.accepting(tunnel.serve) as proxy,
            world.serve(say).running(ssl=context) as server,
            world.client(proxy=proxy.replace("//", "//me:salt@")) as client,
        ):
            answer: Answer = await client.fetch(Url(f"https://{host}:{server.port}/x"), None, world.anywhere)
            return answer

    answer: Answer = world.run(work())
    return answer


def test_a_proxy_tunnels_to_a_server_that_proves_itself(world: Any, authority: Path) -> None:
    tunnel = Tunnel()
    assert through(world, authority, tunnel, "127.0.0.1").outcome is Outcome.PAGE
    assert "Proxy-Authorization: Basic bWU6c2FsdA==\r\n" in tunnel.heads[0]
    assert through(world, authority, tunnel, "127.0.0.1", "other").reason == "certificate"
    assert through(world, authority, tunnel, "reef.example").reason == "certificate"


def test_a_proxy_that_lets_nobody_through_is_the_reason(world: Any, authority: Path) -> None:
    answer = through(world, authority, Tunnel("403 Forbidden"), "127.0.0.1")
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, "proxy: status 403")
