"""Connections are guarded where they are opened, and used again only when nothing unasked came over them."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from typing import Any

import pytest

from haenyeo.fetch.client import Client
from haenyeo.model.config import FetchSettings
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome


async def fetch_all(world: Any, client: Client, server: Any, *paths: str) -> list[Answer]:
    return [await client.fetch(Url(server.url + path), None, world.anywhere) for path in paths]


def ask_in_turn(world: Any, say: Any, *paths: str, pause: float = 0.0) -> tuple[list[Answer], Any]:
    async def work() -> tuple[list[Answer], Any]:
        async with world.serve(say).running() as server, world.client() as client:
            answers = []
            for path in paths:
                answers += await fetch_all(world, client, server, path)
                await asyncio.sleep(pause)
            return answers, server

    result: tuple[list[Answer], Any] = world.run(work())
    return result


def test_a_connection_serves_many_requests(world: Any) -> None:
    async def say(call: Any) -> None:
        await call.send(world.page())

    answers, server = ask_in_turn(world, say, "/1", "/2", "/3")
    assert [answer.outcome for answer in answers] == [Outcome.PAGE] * 3
    assert server.connections == 1


@pytest.mark.parametrize("delay", [0.0, 0.02])
@pytest.mark.parametrize("early", ["nothing", "the head"])
@pytest.mark.parametrize("pause", [0.0, 0.05])
def test_a_glued_answer_never_answers_the_next_request(world: Any, delay: float, early: str, pause: float) -> None:
    async def say(call: Any) -> None:
        if call.path != "/x":
            await call.send(world.page(b"good"))
            return
        first, glued = world.page(b"first"), world.page(b"evil")
        cut = first.index(b"first") if early == "the head" else 0
        await call.send(first[:cut])
        await asyncio.sleep(0.02)
        if delay:
            await call.send(first[cut:])
            await asyncio.sleep(delay)
            await call.send(glued)
        else:
            await call.send(first[cut:] + glued)

    answers, _ = ask_in_turn(world, say, "/x", "/y", "/z", pause=pause + delay)
    assert [answer.body for answer in answers] == [b"first", b"good", b"good"]


def test_a_kept_connection_that_closes_is_replaced(world: Any) -> None:
    async def say(call: Any) -> None:
        await call.send(world.page())
        call.writer.close()

    answers, server = ask_in_turn(world, say, *(f"/{number}" for number in range(10)))
    assert [answer.outcome for answer in answers] == [Outcome.PAGE] * 10
    assert server.connections == len(server.calls) == 10


def test_a_connection_that_closes_on_the_next_request_is_replaced_once(world: Any) -> None:
    async def say(call: Any) -> None:
        if call.number == 1:
            call.hang_up()
        else:
            await call.send(world.page())

    answers, server = ask_in_turn(world, say, "/1", "/2")
    assert [answer.outcome for answer in answers] == [Outcome.PAGE] * 2
    assert [call.path for call in server.calls] == ["/1", "/2", "/2"]


def test_a_new_connection_that_closes_is_not_tried_again(world: Any) -> None:
    async def say(call: Any) -> None:
        call.hang_up()

    (answer,), server = ask_in_turn(world, say, "/1")
    assert (answer.outcome, answer.reason, answer.retryable) == (Outcome.FAILED, "connection reset", True)
    assert len(server.calls) == 1


def test_half_an_answer_is_the_last_of_its_connection(world: Any) -> None:
    async def say(call: Any) -> None:
        kind = "image/png" if call.path == "/image" else "text/html"
        await call.send(f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: 5\r\n\r\nhe".encode())
        await asyncio.sleep(0.01)
        await call.send(b"llo")

    answers, server = ask_in_turn(world, say, "/image", "/page")
    assert [answer.outcome for answer in answers] == [Outcome.USELESS, Outcome.PAGE]
    assert server.connections == 2


def test_requests_to_one_server_can_run_side_by_side(world: Any) -> None:
    async def work() -> int:
        async def say(call: Any) -> None:
            await asyncio.sleep(0.02)
            await call.send(world.page(call.path.encode()))

        async with world.serve(say).running() as server, world.client() as client:
            for _ in range(2):
                paths = [f"/{number}" for number in range(8)]
                answers = await asyncio.gather(*(fetch_all(world, client, server, path) for path in paths))
                assert [answer.body.decode() for (answer,) in answers] == paths
            connections: int = server.connections
            return connections

    assert world.run(work()) == 8


def names(**known: Sequence[str]) -> Any:
    async def look_up(host: str) -> Sequence[str]:
        looked_up.append(host)
        addresses = known.get(host.partition(".")[0])
        if addresses is None:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        return addresses

    looked_up: list[str] = []
    look_up.asked = looked_up  # type: ignore[attr-defined]
    return look_up


def ask_name(world: Any, host: str, look_up: Any, listen: str = "127.0.0.1", **settings: Any) -> tuple[Answer, Any]:
    async def work() -> tuple[Answer, Any]:
        async def say(call: Any) -> None:
            await call.send(world.page())

        options = {"allow_private": ("127.0.0.0/24",)} | settings
        async with (
            world.serve(say).running(listen) as server,
            Client(FetchSettings(**options), look_up=look_up) as client,
        ):
            return await client.fetch(Url(f"http://{host}:{server.port}/x"), None, world.anywhere), server

    result: tuple[Answer, Any] = world.run(work())
    return result


def test_a_name_is_looked_up_and_its_address_shown(world: Any) -> None:
    answer, server = ask_name(world, "reef.example", names(reef=["127.0.0.1"]))
    assert answer.outcome is Outcome.PAGE
    assert answer.hops[0].address == "127.0.0.1"
    assert server.calls[0].headers["host"] == f"reef.example:{server.port}"


@pytest.mark.parametrize("address", ["127.0.1.1", "10.0.0.1", "::1", "::ffff:127.0.1.1", "fe80::1%lo", "0.0.0.0"])
def test_a_name_that_leads_inside_is_refused(world: Any, address: str) -> None:
    answer, server = ask_name(world, "reef.example", names(reef=[address]), listen="0.0.0.0")
    assert (answer.outcome, answer.reason) == (Outcome.REFUSED, "forbidden address")
    assert server.connections == 0


def test_of_several_addresses_only_allowed_ones_are_tried(world: Any) -> None:
    answer, _ = ask_name(world, "reef.example", names(reef=["10.0.0.1", "127.0.0.9", "127.0.0.1"]))
    assert answer.outcome is Outcome.PAGE
    assert answer.hops[0].address == "127.0.0.1"


def test_a_name_that_changes_its_mind_gains_nothing(world: Any) -> None:
    turns = iter([["127.0.0.1"], ["127.0.1.1"]])

    async def look_up(_: str) -> Sequence[str]:
        return next(turns)

    async def work() -> list[Answer]:
        async def say(call: Any) -> None:
            await call.send(world.page())
            call.writer.close()

        options = FetchSettings(allow_private=("127.0.0.0/24",))
        async with world.serve(say).running() as server, Client(options, look_up=look_up) as client:
            client._ways[0].connections._names._known.clear()
            answers = []
            for _ in range(2):
                answers.append(await client.fetch(Url(f"http://reef.example:{server.port}/x"), None, world.anywhere))
                client._ways[0].connections._names._known.clear()
            return answers

    assert [answer.reason for answer in world.run(work())] == ["", "forbidden address"]


@pytest.mark.parametrize("host", ["localhost", "a.b.localhost", "LOCALHOST", "localhost."])
def test_localhost_is_this_machine_and_never_looked_up(world: Any, host: str) -> None:
    look_up = names()
    answer, _ = ask_name(world, host, look_up)
    assert answer.outcome is Outcome.PAGE
    answer, server = ask_name(world, host, look_up, allow_private=())
    assert (answer.outcome, answer.reason, server.connections) == (Outcome.REFUSED, "forbidden address", 0)
    assert look_up.asked == []


@pytest.mark.parametrize("host", ["unknown.example", "reef.invalid", "reef.onion", "a" * 70 + ".example"])
def test_a_name_without_address_fails(world: Any, host: str) -> None:
    answer, _ = ask_name(world, host, names())
    assert (answer.outcome, answer.reason, answer.retryable) == (Outcome.FAILED, "no such host", False)


def test_a_name_server_that_fails_may_be_asked_again(world: Any) -> None:
    async def look_up(_: str) -> Sequence[str]:
        raise socket.gaierror(socket.EAI_AGAIN, "try again")

    answer, _ = ask_name(world, "reef.example", look_up)
    assert (answer.outcome, answer.reason, answer.retryable) == (Outcome.FAILED, "name server failed", True)


def test_ipv6_addresses_are_asked_when_allowed(world: Any) -> None:
    answer, server = ask_name(world, "[::1]", names(), listen="::1", allow_private=("::1/128",))
    assert answer.outcome is Outcome.PAGE
    assert server.calls[0].headers["host"] == f"[::1]:{server.port}"


def test_a_server_that_is_not_there_refuses(world: Any) -> None:
    async def work() -> Answer:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            port = unused.getsockname()[1]
            async with world.client() as client:
                answer: Answer = await client.fetch(Url(f"http://127.0.0.1:{port}/x"), None, world.anywhere)
                return answer

    answer = world.run(work())
    assert (answer.outcome, answer.reason, answer.retryable) == (Outcome.FAILED, "connection refused", True)


def test_idle_connections_are_let_go_of(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("haenyeo.fetch.transport.connections.IDLE_SECONDS", 0.01)
    monkeypatch.setattr("haenyeo.fetch.transport.connections._SWEEP_SECONDS", 0.0)

    async def say(call: Any) -> None:
        await call.send(world.page())

    async def work() -> int:
        async with world.serve(say).running() as first, world.serve(say).running() as second, world.client() as client:
            await fetch_all(world, client, first, "/1")
            await asyncio.sleep(0.05)
            await fetch_all(world, client, second, "/1")
            return len(client._ways[0].connections._idle)

    assert world.run(work()) == 1
