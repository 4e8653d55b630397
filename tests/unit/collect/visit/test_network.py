"""When nothing answers the network is lost; a single site that is down is not the network."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from typing import Any

import pytest

from haenyeo.collect.events import Event, NetworkBack, NetworkLost
from haenyeo.collect.visit.network import NO_NETWORK, Network, cut_off_answer
from haenyeo.html.urls import origin_of
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Hop, Outcome

A, B, DOWN = Url("https://a.example/1"), Url("https://b.example/2"), Url("https://down.example/3")


class World:
    """The sites that answer, and the addresses that were asked for."""

    def __init__(self, *urls: Url) -> None:
        self.up = {origin_of(url) for url in urls}
        self.asked: list[str] = []

    async def ask(self, url: Url) -> Answer:
        self.asked.append(url)
        await asyncio.sleep(0)
        if origin_of(url) not in self.up:
            return Answer(url=url, final_url=url, outcome=Outcome.FAILED, reason="connection refused")
        hop = Hop(url=url, status=503, at=datetime.now(UTC))
        return Answer(url=url, final_url=url, outcome=Outcome.ERROR, status=503, hops=(hop,))


def with_network(world: World, use: Callable[[Network], Coroutine[Any, Any, None]], *known: Url) -> list[Event]:
    """What the network told while `use` worked with it."""
    told: list[Event] = []

    async def work() -> None:
        await use(Network(world.ask, told.append, known))

    asyncio.run(work())
    return told


def test_a_site_that_is_down_is_not_the_network() -> None:
    async def use(network: Network) -> None:
        network.answered(A)
        assert not await network.cut_off(DOWN)
        assert not network.lost

    assert with_network(World(A), use) == []


def test_the_network_is_lost_when_no_site_that_answered_before_does() -> None:
    world = World()

    async def use(network: Network) -> None:
        network.answered(A)
        network.answered(B)
        assert await network.cut_off(DOWN)
        assert network.lost

    told = with_network(world, use)
    assert sorted(world.asked) == ["https://a.example/robots.txt", "https://b.example/robots.txt"]
    assert told == [NetworkLost(tried=("https://a.example", "https://b.example"))]


def test_nothing_is_probed_while_something_else_answers() -> None:
    world = World()

    async def use(network: Network) -> None:
        asyncio.get_running_loop().call_later(0.01, network.answered, A)
        assert not await network.cut_off(DOWN)

    with_network(world, use, B)
    assert world.asked == []


def test_before_anything_has_answered_known_addresses_are_probed_and_else_the_suspect() -> None:
    world = World(B)

    async def use(network: Network) -> None:
        assert not await network.cut_off(DOWN)

    async def use_unknown(network: Network) -> None:
        assert await network.cut_off(DOWN)

    with_network(world, use, A, B)
    assert "https://b.example/robots.txt" in world.asked
    with_network(world, use_unknown)
    assert world.asked[-1] == "https://down.example/robots.txt"


def test_requests_that_fail_together_are_probed_for_once() -> None:
    world = World()

    async def use(network: Network) -> None:
        network.answered(A)
        assert all(await asyncio.gather(*(network.cut_off(DOWN) for _ in range(40))))

    with_network(world, use)
    assert len(world.asked) == 1


@pytest.mark.slow
def test_it_is_back_soon_after_a_site_answers_again() -> None:
    world = World()

    async def use(network: Network) -> None:
        network.answered(A)
        assert await network.cut_off(DOWN)
        world.up.add(origin_of(A))
        await asyncio.gather(*(network.back(asyncio.Event()) for _ in range(3)))
        assert not network.lost

    told = with_network(world, use)
    assert len(world.asked) == 2
    assert isinstance(told[-1], NetworkBack)


def test_waiting_ends_when_it_is_time_to_stop() -> None:
    async def use(network: Network) -> None:
        assert await network.cut_off(DOWN)
        stopping = asyncio.Event()
        asyncio.get_running_loop().call_later(0.01, stopping.set)
        began = time.monotonic()
        await network.back(stopping)
        assert network.lost
        assert time.monotonic() - began < 30

    with_network(World(), use)


def test_an_answer_that_the_network_kept_away_blames_no_one() -> None:
    answer = cut_off_answer(A)
    assert answer.reason == NO_NETWORK
    assert not answer.retryable
