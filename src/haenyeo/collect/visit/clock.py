"""What time is it for the planner? The real one, or a clock that runs faster, for tests and demonstrations.

A turned clock is for a web that is turned with it: pages, planner and the pace of sites all go by it. Clocks are set,
forwards and back, and machines are put to sleep; a `SteadyClock` goes on evenly until its owner is ready for the new
time.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

import msgspec

from haenyeo.model.errors import UsageError
from haenyeo.model.visits import Answer

VARIABLE = "HAENYEO_CLOCK"


class Clock:
    """Shows unix seconds; `speed` says how many of them pass in a real one, `is_real` that it is not turned."""

    def __init__(self, show: Callable[[], float] = time.time, speed: float = 1.0) -> None:
        self.now, self.speed = show, speed
        self.is_real = show is time.time

    def real_seconds(self, seconds: float) -> float:
        """How long so many of its seconds take."""
        return seconds / self.speed

    def moment(self) -> datetime:
        """The time it shows as an aware datetime."""
        return datetime.fromtimestamp(self.now(), UTC)

    def stamped(self, answer: Answer) -> Answer:
        """The answer as if it had come at the time this clock shows."""
        if self.is_real or not answer.hops:
            return answer
        moment = self.moment()
        hops = tuple(msgspec.structs.replace(hop, at=moment) for hop in answer.hops)
        return msgspec.structs.replace(answer, hops=hops)


class SteadyClock(Clock):
    """Goes on evenly from what another clock shows, even when that one is set or the machine sleeps.

    `tick` counts real seconds and is never set.
    """

    def __init__(self, clock: Clock, tick: Callable[[], float] = time.monotonic) -> None:
        super().__init__(self._go_on, clock.speed)
        self._shown, self._tick, self.is_real = clock, tick, clock.is_real
        self.set()

    def set(self) -> None:
        """Show what the other clock shows."""
        self._from, self._since = self._shown.now(), self._tick()

    def behind(self) -> float:
        """By how many real seconds the other clock is ahead; below 0 if it was set back."""
        return self.real_seconds(self._shown.now() - self.now())

    def _go_on(self) -> float:
        return self._from + (self._tick() - self._since) * self.speed


async def nap(seconds: float, unless: asyncio.Event) -> None:
    """Sleep for so many real seconds, or until the event is set."""
    with suppress(TimeoutError):
        await asyncio.wait_for(unless.wait(), max(0.0, seconds))


def parse_clock(text: str) -> Clock:
    """The clock written as START@BEGAN*SPEED, the real one when nothing is written.

    It shows START at the real moment BEGAN, both in unix seconds, and goes SPEED times as fast from there.

    >>> parse_clock("1000@0*2").now() > 1000
    True
    """
    if not text:
        return Clock()
    try:
        shown, _, rest = text.partition("@")
        start, began, speed = float(shown), *map(float, rest.split("*"))
    except ValueError:
        speed = 0.0
    if not 0 < speed < float("inf"):
        raise UsageError(f"{VARIABLE}={text!r} is no clock", advice="write START@BEGAN*SPEED, as in 0@1767225600*1000")
    return Clock(lambda: start + (time.time() - began) * speed, speed)
