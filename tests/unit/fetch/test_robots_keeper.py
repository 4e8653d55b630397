"""A robots.txt is fetched once, kept for a day, and missed with patience."""

from __future__ import annotations

import asyncio
import gzip
import time
from collections.abc import Callable
from typing import Any

import pytest

from haenyeo.fetch.robots_keeper import KEPT_SECONDS, WAITS, RobotsKeeper
from haenyeo.model.pages import Url

RULE = b"User-agent: haenyeo\nDisallow: /x\nCrawl-delay: 2\nSitemap: /sitemap.xml\n"


class Clock:
    """A clock that tests turn."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def file(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def with_keeper(world: Any, say: Any, use: Callable[..., Any]) -> Any:
    """What `use(keeper, server, clock)` returns, with a keeper that asks a server of these answers."""

    async def send(call: Any) -> None:
        await call.send(say)
        call.writer.close()

    async def work() -> Any:
        async with world.serve(send if isinstance(say, bytes) else say).running() as server, world.client() as client:
            clock = Clock()
            put_away: dict[str, bytes] = {}
            keeper = RobotsKeeper(client, load=put_away.get, put=put_away.__setitem__, clock=clock)
            return await use(keeper, server, clock)

    return world.run(work())


def allows_x(world: Any, say: Any) -> bool:
    async def use(keeper: RobotsKeeper, server: Any, _: Clock) -> bool:
        return (await keeper.rules(Url(server.url + "/x"))).allows(server.url + "/x")

    allowed: bool = with_keeper(world, say, use)
    return allowed


def test_the_rules_of_a_file_hold(world: Any) -> None:
    async def use(keeper: RobotsKeeper, server: Any, _: Clock) -> None:
        rules = await keeper.rules(Url(server.url + "/x?a=1"))
        assert not rules.allows(server.url + "/x")
        assert rules.allows(server.url + "/y")
        assert rules.crawl_delay == 2.0
        assert rules.sitemaps
        assert [call.path for call in server.calls] == ["/robots.txt"]
        assert keeper.retry_at(Url(server.url + "/x")) is None

    with_keeper(world, file(RULE, "Content-Type: application/octet-stream"), use)


@pytest.mark.parametrize(
    "say",
    [
        file(RULE, "Content-Type: text/html"),
        file(gzip.compress(RULE), "Content-Encoding: gzip"),
        file(b"User-agent: *\n" + b"Disallow: /other\n" * 24_000 + b"Disallow: /x\n"),
        file(RULE + b"Disallow: /z\n" * 200_000),
    ],
    ids=["any label", "packed", "late rule", "too large"],
)
def test_a_file_is_read_however_it_comes(world: Any, say: bytes) -> None:
    assert not allows_x(world, say)


@pytest.mark.parametrize("status", ["404 Not Found", "403 Forbidden", "401 Unauthorized", "410 Gone", "204 No Content"])
def test_without_a_file_everything_is_allowed(world: Any, status: str) -> None:
    assert allows_x(world, file(b"", status=status))


UNREACHABLE = {
    "busy": file(b"", status="429 Slow"),
    "broken": file(b"", status="500 Oh"),
    "half": b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\nUser-agent: *\n",
    "reset": b"",
    "inside": file(b"", "Location: http://127.9.9.9/robots.txt", status="302 Found"),
    "loop": file(b"", "Location: /robots.txt", status="302 Found"),
    "bad packing": file(b"User-agent: *\n", "Content-Encoding: gzip"),
}


@pytest.mark.parametrize("name", UNREACHABLE)
def test_what_cannot_be_reached_allows_nothing(world: Any, name: str) -> None:
    assert not allows_x(world, UNREACHABLE[name])


def test_silence_is_not_waited_out(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("haenyeo.fetch.robots_keeper.LONGEST_FETCH_SECONDS", 0.1)

    async def silent(_: Any) -> None:
        await asyncio.sleep(60)

    assert not allows_x(world, silent)


def test_five_redirects_are_followed_to_another_host(world: Any) -> None:
    async def work() -> bool:
        async def say_rule(call: Any) -> None:
            await call.send(file(RULE))

        async def send_on(call: Any) -> None:
            onwards = f"/hop-{call.number}" if call.number < 4 else there.url + "/robots.txt"
            await call.send(file(b"", f"Location: {onwards}", status="301 Moved"))

        async with (
            world.serve(say_rule).running("127.0.0.2") as there,
            world.serve(send_on).running() as here,
            world.client() as client,
        ):
            rules = await RobotsKeeper(client).rules(Url(here.url + "/x"))
            return rules.allows(here.url + "/x")

    assert world.run(work()) is False


def test_many_callers_share_one_request(world: Any) -> None:
    async def say(call: Any) -> None:
        await asyncio.sleep(0.05)
        await call.send(file(RULE))

    async def use(keeper: RobotsKeeper, server: Any, _: Clock) -> None:
        first = asyncio.create_task(keeper.rules(Url(server.url + "/0")))
        others = [asyncio.create_task(keeper.rules(Url(f"{server.url}/{number}"))) for number in range(1, 9)]
        assert len({id(rules) for rules in await asyncio.gather(first, *others)}) == 1
        assert len(server.calls) == 1

    with_keeper(world, say, use)


def test_a_caller_that_leaves_does_not_leave_the_others_alone(world: Any) -> None:
    async def say(call: Any) -> None:
        await asyncio.sleep(0.05)
        await call.send(file(RULE))

    async def use(keeper: RobotsKeeper, server: Any, _: Clock) -> None:
        first = asyncio.create_task(keeper.rules(Url(server.url + "/0")))
        second = asyncio.create_task(keeper.rules(Url(server.url + "/1")))
        await asyncio.sleep(0.02)
        first.cancel()
        assert not (await second).allows(server.url + "/x")

    with_keeper(world, say, use)


def test_a_file_is_kept_for_a_day(world: Any) -> None:
    async def use(keeper: RobotsKeeper, server: Any, clock: Clock) -> None:
        for hours, requests in [(0, 1), (23, 1), (2, 2)]:
            clock.now += 3600 * hours
            await keeper.rules(Url(server.url + "/x"))
            assert len(server.calls) == requests

    with_keeper(world, file(RULE), use)


def test_an_unreachable_file_is_tried_again_less_and_less_and_not_for_ever(world: Any) -> None:
    async def use(keeper: RobotsKeeper, server: Any, clock: Clock) -> None:
        url, began, tries = Url(server.url + "/x"), clock.now, []
        while True:
            assert not (await keeper.rules(url)).allows(url)
            assert not (await keeper.rules(url)).allows(url)
            tries.append(clock.now - began)
            retry_at = keeper.retry_at(url)
            if retry_at is None:
                break
            clock.now = retry_at
        assert len(server.calls) == len(tries) == len(WAITS) + 1 == 8
        assert sum(seconds < 60 for seconds in tries) == 3
        clock.now += KEPT_SECONDS - 1
        await keeper.rules(url)
        assert len(server.calls) == 8

    with_keeper(world, file(b"", status="500 Oh"), use)


def test_a_server_that_names_a_time_is_not_asked_before(world: Any) -> None:
    async def use(keeper: RobotsKeeper, server: Any, clock: Clock) -> None:
        url = Url(server.url + "/x")
        await keeper.rules(url)
        assert keeper.retry_at(url) == clock.now + 900

    with_keeper(world, file(b"", "Retry-After: 900", status="429 Slow"), use)


def test_known_rules_outlive_an_outage(world: Any) -> None:
    async def say(call: Any) -> None:
        await call.send(file(b"", status="500 Oh") if call.number else file(RULE))

    async def use(keeper: RobotsKeeper, server: Any, clock: Clock) -> None:
        url = Url(server.url + "/y")
        assert (await keeper.rules(url)).allows(url)
        clock.now += KEPT_SECONDS + 1
        assert (await keeper.rules(url)).allows(url)
        assert len(server.calls) == 2
        assert keeper.retry_at(url) is None

    with_keeper(world, say, use)


def restart(keeper: RobotsKeeper, clock: Clock) -> RobotsKeeper:
    """Another keeper, as in the next run, that knows what this one has put away."""
    return RobotsKeeper(keeper._client, load=keeper._load, put=keeper._put, clock=clock)


def test_rules_that_left_the_memory_are_not_asked_for_again(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("haenyeo.fetch.robots_keeper.MOST_ORIGINS", 1)

    async def use(keeper: RobotsKeeper, server: Any, _: Clock) -> None:
        there = Url(server.url + "/x")
        for host in ("127.0.0.1", "localhost"):
            url = Url(there.replace("127.0.0.1", host))
            assert not (await keeper.rules(url)).allows(url)
        assert len(keeper._kept) == 1
        assert not (await keeper.rules(there)).allows(there)
        assert len(server.calls) == 2

    with_keeper(world, file(RULE), use)


def test_a_restart_does_not_ask_again(world: Any) -> None:
    async def use(keeper: RobotsKeeper, server: Any, clock: Clock) -> None:
        url = Url(server.url + "/x")
        await keeper.rules(url)
        restarted = restart(keeper, clock)
        assert not (await restarted.rules(url)).allows(url)
        assert len(server.calls) == 1
        clock.now += KEPT_SECONDS + 1
        restarted = restart(keeper, clock)
        await restarted.rules(url)
        assert len(server.calls) == 2

    with_keeper(world, file(RULE), use)


def test_rules_from_a_future_that_a_wrong_clock_showed_are_asked_for_anew(world: Any) -> None:
    async def use(keeper: RobotsKeeper, server: Any, clock: Clock) -> None:
        await keeper.rules(Url(server.url + "/x"))
        clock.now -= 3650 * KEPT_SECONDS
        restarted = restart(keeper, clock)
        await restarted.rules(Url(server.url + "/x"))
        assert len(server.calls) == 2

    with_keeper(world, file(RULE), use)


def test_a_robots_file_that_nobody_answered_for_is_asked_for_anew_when_the_network_was_to_blame(world: Any) -> None:
    async def use(keeper: RobotsKeeper, server: Any, _: Clock) -> None:
        url, began = Url(server.url + "/y"), time.monotonic()
        assert not (await keeper.rules(url)).allows(url)
        assert keeper.is_unanswered(url, began)
        keeper.forgive(url)
        assert (await keeper.rules(url)).allows(url)
        assert not keeper.is_unanswered(url, began)

    async def say(call: Any) -> None:
        if call.number:
            await call.send(file(RULE))
        call.writer.close()

    with_keeper(world, say, use)


def test_origins_leave_the_memory_oldest_first(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("haenyeo.fetch.robots_keeper.MOST_ORIGINS", 1)

    async def use(keeper: RobotsKeeper, server: Any, _: Clock) -> None:
        forgetful = RobotsKeeper(keeper._client)
        for host in ("127.0.0.1", "localhost", "127.0.0.1"):
            await forgetful.rules(Url(f"http://{host}:{server.port}/x"))
        assert len(server.calls) == 3, "nothing was put away"

    with_keeper(world, file(RULE), use)
