"""What time is it for the planner? The real one, or a clock that runs faster, for tests and demonstrations.

A turned clock is for a web that is turned with it: pages, planner and the pace of sites all go by it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec

from haenyeo.model.errors import UsageError
from haenyeo.model.visits import Answer

VARIABLE = "HAENYEO_CLOCK"


class Clock:
    """Shows unix seconds; `speed` says how many of them pass in a real one."""

    def __init__(self, show: Callable[[], float] = time.time, speed: float = 1.0) -> None:
        self.now, self._speed = show, speed

    def real_seconds(self, seconds: float) -> float:
        """How long so many of its seconds take."""
        return seconds / self._speed

    def moment(self) -> datetime:
        """The time it shows as an aware datetime."""
        return datetime.fromtimestamp(self.now(), UTC)

    def stamped(self, answer: Answer) -> Answer:
        """The answer as if it had come at the time this clock shows."""
        if self.now is time.time or not answer.hops:
            return answer
        moment = self.moment()
        hops = tuple(msgspec.structs.replace(hop, at=moment) for hop in answer.hops)
        return msgspec.structs.replace(answer, hops=hops)


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
