"""What time is it for the planner? The real one, or a clock that runs faster, for tests and demonstrations.

Politeness always goes by the real clock: a turned one makes days pass quickly for pages and planner, not for servers.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime

import msgspec

from haenyeo.model.errors import UsageError
from haenyeo.model.visits import Answer

VARIABLE = "HAENYEO_CLOCK"


class Clock(msgspec.Struct, frozen=True):
    """Shows `start` at the real moment `began` and goes `speed` times as fast from there; unix seconds."""

    start: float = 0.0
    began: float = 0.0
    speed: float = 1.0

    def now(self) -> float:
        """The time it shows."""
        return self.start + (time.time() - self.began) * self.speed

    def real_seconds(self, seconds: float) -> float:
        """How long so many of its seconds take."""
        return seconds / self.speed

    def moment(self) -> datetime:
        """The time it shows as an aware datetime."""
        return datetime.fromtimestamp(self.now(), UTC)

    def stamped(self, answer: Answer) -> Answer:
        """The answer as if it had come at the time this clock shows."""
        if self == REAL or not answer.hops:
            return answer
        moment = self.moment()
        hops = tuple(msgspec.structs.replace(hop, at=moment) for hop in answer.hops)
        return msgspec.structs.replace(answer, hops=hops)


REAL = Clock()


def parse_clock(text: str) -> Clock:
    """The clock written as START@BEGAN*SPEED, the real one when nothing is written.

    >>> parse_clock("1000@2000*60")
    Clock(start=1000.0, began=2000.0, speed=60.0)
    """
    if not text:
        return REAL
    try:
        start, _, rest = text.partition("@")
        began, _, speed = rest.partition("*")
        clock = Clock(float(start), float(began), float(speed))
    except ValueError:
        clock = Clock(speed=0)
    if not clock.speed > 0:
        raise UsageError(f"{VARIABLE}={text!r} is no clock", advice="write START@BEGAN*SPEED, as in 0@1767225600*1000")
    return clock
