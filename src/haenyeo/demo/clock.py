"""The demo web's own time: seconds since a Monday morning, standing still until it is turned or let run."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

EPOCH = datetime(2026, 1, 5, tzinfo=UTC)
"""The moment the clock calls zero, a Monday."""

HOUR = 3600
DAY = 24 * HOUR
WEEK = 7 * DAY


class DemoClock:
    """Simulated seconds since `EPOCH`; set `now`, `advance` it, or let it `run` some times faster than real time."""

    def __init__(self, now: float = 0.0) -> None:
        self._shown = now
        self._speed = 0.0
        self._since = time.monotonic()

    @property
    def now(self) -> float:
        """The simulated time in seconds since `EPOCH`."""
        if not self._speed:
            return self._shown
        return self._shown + (time.monotonic() - self._since) * self._speed

    @now.setter
    def now(self, seconds: float) -> None:
        self._shown, self._since = seconds, time.monotonic()

    def advance(self, seconds: float) -> None:
        """Turn the clock by this many seconds, back when negative."""
        self.now += seconds

    def run(self, speed: float) -> None:
        """From now on let simulated time pass `speed` times as fast as real time; 0 stops the clock."""
        self.now = self.now  # what has passed so far was at the old speed
        self._speed = speed

    @property
    def moment(self) -> datetime:
        """The simulated time as an aware UTC datetime."""
        return moment(self.now)


def moment(seconds: float) -> datetime:
    """Simulated seconds as an aware UTC datetime."""
    return EPOCH + timedelta(seconds=seconds)
