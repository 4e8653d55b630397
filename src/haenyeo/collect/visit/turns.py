"""Whose turn is it at a site? A visit's, until it ends; when the server hangs, the turn is lent to another visit.

All turns are looked at a few times a second: a timer for each would cost more than the rest of its keeping.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable

from haenyeo.collect.links.queue import CrawlQueue, Job
from haenyeo.collect.visit.clock import Clock
from haenyeo.fetch.pace import Pace
from haenyeo.model.visits import Answer

TICK_SECONDS = 0.1


class Turns:
    """The turns of all visits under way; `on_lent` is called when another visit may begin because one hangs."""

    def __init__(self, pace: Pace, queue: CrawlQueue, on_lent: Callable[[], None]) -> None:
        self._pace, self._queue, self._on_lent = pace, queue, on_lent
        self._waiting: set[Turn] = set()
        self._timer: asyncio.TimerHandle | None = None

    @functools.cached_property
    def _loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    def begin(self, job: Job, clock: Clock) -> Turn:
        """The turn of a visit that begins now."""
        turn = Turn(job, self._pace, clock, self._waiting)
        self._wait(turn)
        return turn

    def _wait(self, turn: Turn) -> None:
        turn.due = self._loop.time() + self._pace.patience(turn.job.site)
        self._waiting.add(turn)
        if self._timer is None:
            self._timer = self._loop.call_later(TICK_SECONDS, self._look)

    def _look(self) -> None:
        now, lent = self._loop.time(), False
        self._timer = None
        for turn in [turn for turn in self._waiting if turn.due <= now]:
            if self._pace.lend(turn.job.site):
                self._waiting.discard(turn)
                turn.lent = lent = True
                self._queue.lend(turn.job, turn.ready_at)
            else:
                self._wait(turn)
        if self._waiting and self._timer is None:
            self._timer = self._loop.call_later(TICK_SECONDS, self._look)
        if lent:
            self._on_lent()


class Turn:
    """One visit's hold on its site; `due` is when the server hangs unless it has begun to answer."""

    __slots__ = ("_clock", "_pace", "_waiting", "due", "job", "lent", "ready_at")

    def __init__(self, job: Job, pace: Pace, clock: Clock, waiting: set[Turn]) -> None:
        self.job = job
        self._pace, self._clock, self._waiting = pace, clock, waiting
        self.ready_at = pace.asked(job.site, clock.now())
        self.due = 0.0
        self.lent = False

    def answered(self) -> None:
        """The server has begun to answer: it does not hang."""
        self._waiting.discard(self)

    def end(self, answer: Answer) -> float:
        """The visit is over; returns when its site may be asked next."""
        self.give_up()
        return self._pace.answered(self.job.site, answer, self._clock.now())

    def give_up(self) -> float:
        """The visit is broken off; returns when its site may be asked next."""
        self._waiting.discard(self)
        if self.lent:
            self._pace.give_back(self.job.site)
        return self._pace.ready_at(self.job.site)
