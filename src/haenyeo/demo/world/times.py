"""When things happen: hours of the week in which people work, births of items, and changes of pages.

All times are whole seconds of the demo clock, so that a Last-Modified header can tell any two versions apart.
"""

from __future__ import annotations

import functools
import threading
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from haenyeo.demo.chance import Chance
from haenyeo.demo.clock import HOUR, WEEK

_WORKDAYS = 5
_HOURS = 24
_OPENS, _CLOSES = 7, 20
_PROFILES: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    # weights of the 24 hours of a working day and of a day of the weekend
    "office": (
        (0.1,) * 7 + (2, 5, 6, 5, 4, 3, 4, 5, 5, 4, 3, 2, 1, 1, 0.5, 0.3, 0.2),
        (0.1,) * 8 + (0.6,) * 12 + (0.2,) * 4,
    ),
    "evening": ((0.1,) * 7 + (0.5,) * 10 + (1.5, 2, 4, 6, 6, 4, 2), (0.2,) * 8 + (2,) * 14 + (1,) * 2),
    "flat": ((1,) * _HOURS, (1,) * _HOURS),
}


@functools.cache
def _passed(profile: str) -> tuple[float, ...]:
    """The share of a week's activity that has passed at the end of each of its 168 hours."""
    workday, weekend = _PROFILES[profile]
    weights = workday * _WORKDAYS + weekend * 2
    whole = sum(weights)
    return tuple(share / whole for share in accumulate(weights))


def moment_in_week(profile: str, share: float) -> int:
    """The second of the week at which this share (0 to 1) of the week's activity has passed."""
    passed = _passed(profile)
    hour = min(bisect_right(passed, share), len(passed) - 1)
    before = passed[hour - 1] if hour else 0.0
    return int(HOUR * (hour + min((share - before) / (passed[hour] - before), 0.999)))


class Happenings:
    """A growing sequence of times, drawn from an endless or finite source as far as somebody asks."""

    _drawing = threading.Lock()  # a server's thread and a test's may ask at once

    def __init__(self, coming: Iterator[int]) -> None:
        self._coming = coming
        self._times: list[int] = []
        self._drawn_until = float("-inf")

    def _reach(self, until: float) -> None:
        if until <= self._drawn_until:
            return
        with self._drawing:
            while not self._times or self._times[-1] <= until:
                following = next(self._coming, None)
                if following is None:
                    self._drawn_until = float("inf")
                    return
                self._times.append(following)
            self._drawn_until = max(self._drawn_until, until)

    def count(self, until: float) -> int:
        """How many happened up to and with this time."""
        self._reach(until)
        return bisect_right(self._times, until)

    def last(self, until: float) -> int | None:
        """The latest one up to and with this time."""
        count = self.count(until)
        return self._times[count - 1] if count else None

    def between(self, since: float, until: float) -> list[int]:
        """Those after `since`, up to and with `until`."""
        return self._times[self.count(since) : self.count(until)] if until > since else []


def settling(chance: Chance, start: float, mean: float, first_gap: float = 2 * HOUR) -> Iterator[int]:
    """Changes after a birth, `mean` of them on average, each gap about three times as long as the one before."""
    at, gap = start, first_gap
    while chance.happens(mean / (1 + mean)):
        at += gap * chance.between(0.3, 1.7)
        gap *= 3
        yield int(at)


def drifting(chance: Chance, start: float, per_week: float, profile: str = "office") -> Iterator[int]:
    """Changes without end at a steady rate, in the hours of the profile."""
    if not per_week:
        return
    work = start / WEEK
    last = start
    while True:
        work += chance.wait(per_week)
        week = int(work // 1)
        at = max(week * WEEK + moment_in_week(profile, work - week), int(last) + 1)
        last = at
        yield at


def renewed(seconds: float) -> int:
    """The last full hour at which a newsroom renewed its front page: hourly on working days, else every three hours."""
    hour = int(seconds // HOUR)
    while not _renews(hour):
        hour -= 1
    return hour * HOUR


def _renews(hour: int) -> bool:
    day, of_day = divmod(hour, _HOURS)
    return of_day % 3 == 0 or (day % 7 < _WORKDAYS and _OPENS <= of_day <= _CLOSES)
