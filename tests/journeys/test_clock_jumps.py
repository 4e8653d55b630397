"""The service while the clock is set: a day forwards, an hour back. It neither storms nor stands still."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.collect.events import ClockSet, Event
from haenyeo.collect.service.service import Service
from haenyeo.collect.visit.clock import Clock
from haenyeo.demo import Address, DemoWeb, serve_in_thread
from haenyeo.demo.clock import DAY, HOUR
from haenyeo.model.config import FetchSettings, Topic

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

SITE = "tidekit"
A_SECOND = 2
"""Requests that the budget allows; a quarter of a day's budget is far more than the site has pages."""


class Wall:
    """A clock on the wall that can be set."""

    def __init__(self) -> None:
        self.set_by = 0.0

    def __call__(self) -> float:
        return time.time() + self.set_by


async def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 100
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.1)


async def set_clock(wall: Wall, by: float, address: Address, told: list[Event]) -> None:
    """Set the clock; requests go on afterwards, and no faster than the budget allows."""
    wall.set_by += by
    known = sum(isinstance(event, ClockSet) for event in told)
    await wait_for(lambda: sum(isinstance(event, ClockSet) for event in told) > known)
    began, before = time.monotonic(), len(address.log.requests)
    await wait_for(lambda: len(address.log.requests) > before + 4)
    await asyncio.sleep(1)
    assert len(address.log.requests) - before <= A_SECOND * (time.monotonic() - began) + 5


def test_requests_go_on_evenly_when_the_clock_is_set(tmp_path: Path) -> None:
    web, wall, told = DemoWeb(), Wall(), list[Event]()
    folder = tmp_path / "set"

    async def serve(address: Address) -> None:
        async with Collection.open(folder) as opened:
            settings = Overrides(delay=0.0, scorer="bfs").applied_to(opened.settings)
            service = Service(opened.store, settings, clock=Clock(wall), per_day=A_SECOND * DAY)
            service.events.listen(told.append)
            running = asyncio.create_task(service.run())
            await wait_for(lambda: opened.store.counts().kept > 50 and not opened.store.waiting_count())
            await set_clock(wall, DAY, address, told)
            await set_clock(wall, -HOUR, address, told)
            service.stop()
            await running

    with serve_in_thread(web) as address:
        create_collection(
            folder,
            Topic(words="tide", seeds=(web.url(SITE),)),
            hosts=[f"{SITE}.localhost"],
            fetch=FetchSettings(allow_private=("127.0.0.0/8",)),
        )
        asyncio.run(serve(address))
