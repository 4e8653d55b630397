"""Whose turn is it at a site? A visit's, until it ends.

A site has so many turns at a time as the settings' `per_site` says, and never one before its pace allows it. A link
that the queue gives out has its turn in hand. Whoever visits a page that does not wait in the queue stands in line for
the site's next turn and has it before the site's links; for a server that rests one waits before that, so that the
others of its site are not held up. When a server hangs, the turn of the visit that waits for it is
lent to another one.

All turns are looked at a few times a second: a timer for each would cost more than the rest of its keeping.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakValueDictionary

from haenyeo.collect.links.jobs import NO_REF, Job
from haenyeo.collect.links.queue import CrawlQueue
from haenyeo.collect.visit.clock import Clock, nap
from haenyeo.fetch.pace import Pace
from haenyeo.html.urls import origin_of, site_of
from haenyeo.model.visits import Answer

TICK_SECONDS = 0.1


class Turns:
    """The turns of all visits under way, whoever makes them; `at_once` of those that do not come from the queue."""

    def __init__(self, pace: Pace, queue: CrawlQueue, clock: Clock, *, at_once: int) -> None:
        self._pace, self._queue, self._clock = pace, queue, clock
        self._room = asyncio.Semaphore(at_once)
        self._begun: set[Turn] = set()
        self._lines: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._first: dict[str, asyncio.Event] = {}
        self._listeners: list[Callable[[], None]] = []
        self._timer: asyncio.TimerHandle | None = None

    @contextmanager
    def heard_by(self, listener: Callable[[], None]) -> Iterator[None]:
        """Inside, `listener` is called when links of a site may be taken because a turn was lent or given back."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)

    def begin(self, job: Job) -> Turn:
        """The turn of a visit that begins now; the queue has given the job out, or its turn was waited for."""
        origin = origin_of(job.url)
        turn = Turn(job, origin, self._pace.asked(job.site, origin, self._clock.now()))
        self._let_rest(job.site, origin, self._pace.rests_until(origin))
        self._watch(turn)
        return turn

    async def wait_for(self, job: Job, patience: float, stopping: asyncio.Event | None = None) -> Turn | None:
        """The site's next turn for a job that does not wait in the queue.

        None when that is more than `patience` seconds away, or when `stopping` is set before it comes.
        """
        deadline, rested, origin = self._clock.now() + patience, 0.0, origin_of(job.url)
        while (until := self._pace.rests_until(origin)) <= deadline:
            if until > max(self._clock.now(), rested):
                await nap(self._clock.real_seconds(until - self._clock.now()), stopping or asyncio.Event())
                rested = until
            if stopping is not None and stopping.is_set():
                return None
            turn = await self._wait_in_line(job, deadline, rested, stopping)
            if turn is not None or self._pace.rests_until(origin) <= max(self._clock.now(), rested):
                return turn
        return None

    async def _wait_in_line(
        self, job: Job, deadline: float, rested: float, stopping: asyncio.Event | None
    ) -> Turn | None:
        """The same for a job whose server has `rested` and does not rest any more; None also if it begins to."""
        self._queue.reserve(job.site)
        standing = asyncio.ensure_future(self._in_line(job, deadline, rested))
        works: set[asyncio.Future[Any]] = {standing}
        if stopping is not None:
            works.add(asyncio.ensure_future(stopping.wait()))
        turn = None
        try:
            longest = self._clock.real_seconds(deadline - self._clock.now()) + TICK_SECONDS
            await asyncio.wait(works, timeout=longest, return_when=asyncio.FIRST_COMPLETED)
            turn = standing.result() if standing.done() else None
        finally:
            for work in works:
                work.cancel()
            if turn is None:
                self._leave_line(job, standing)
        return turn

    def _leave_line(self, job: Job, standing: asyncio.Future[Turn | None]) -> None:
        """Give back what was reserved, or the turn itself if it came in the moment in which the wait was broken off."""
        turn = standing.result() if standing.done() and not standing.cancelled() else None
        if turn is not None:
            self.release(turn, self.give_up(turn))
            return
        self._queue.give_up_turn(job.site)
        self._tell_of(job.site)

    def end(self, turn: Turn, answer: Answer) -> float:
        """The visit was answered; returns when its site may be asked next.

        The server that the answer came from rests if it needs to, which after a redirect may be that of another site.
        """
        ready_at = self.give_up(turn)
        site, origin = turn.job.site, turn.origin
        asked = answer.final_url if answer.retryable else answer.hops[-1].url if answer.hops else turn.job.url
        if asked != turn.job.url:
            site, origin = site_of(asked), origin_of(asked)
        self._let_rest(site, origin, self._pace.answered(origin, answer, self._clock.now()))
        return ready_at

    def _let_rest(self, site: str, origin: str, until: float) -> None:
        if until > self._clock.now():
            self._queue.rest(site, origin, until)

    def give_up(self, turn: Turn) -> float:
        """The visit is broken off; returns when its site may be asked next."""
        self._begun.discard(turn)
        if turn.lent:
            self._pace.give_back(turn.origin)
        return self._pace.ready_at(turn.job.site)

    def release(self, turn: Turn, ready_at: float) -> None:
        """Let others have the site's next turn, at `ready_at`; once is enough."""
        if not turn.released:
            turn.released = True
            self._queue.release(turn.job, ready_at)
            self._free(turn)

    def put_back(self, turn: Turn, ready_at: float, not_before: float = 0.0) -> None:
        """The same; the job waits in the queue again if it came from there, until `not_before` at least."""
        self._queue.put_back(turn.job, ready_at, not_before)
        self._free(turn)

    def answered(self, turn: Turn) -> None:
        """The server has begun to answer: it does not hang."""
        self._begun.discard(turn)

    async def _in_line(self, job: Job, deadline: float, rested: float) -> Turn | None:
        line = self._lines.get(job.site)
        if line is None:
            line = self._lines[job.site] = asyncio.Lock()
        async with line:
            told = self._first[job.site] = asyncio.Event()
            try:
                if not await self._until_ready(job, deadline, rested, told):
                    return None
                await self._room.acquire()
            finally:
                del self._first[job.site]
            self._queue.use_turn(job.site)
            turn = self.begin(job)
            self._queue.postpone(job.site, turn.ready_at)
            return turn

    async def _until_ready(self, job: Job, deadline: float, rested: float, told: asyncio.Event) -> bool:
        """Wait until no visit to the site is in the way and its pace allows one.

        False when that is too late, or when the job's server has begun to rest.
        """
        waited_until, site, origin = rested, job.site, origin_of(job.url)
        while self._pace.rests_until(origin) <= max(self._clock.now(), waited_until):
            told.clear()
            ready = max(self._queue.ready_at(site), self._pace.ready_at(site))
            free, wait = self._queue.is_free(site), ready - self._clock.now()
            if ready > deadline:
                return False
            if free and (wait <= 0 or ready <= waited_until):
                return True
            if not free:
                await told.wait()
                continue
            await asyncio.sleep(self._clock.real_seconds(wait))
            waited_until = ready
        return False

    def _free(self, turn: Turn) -> None:
        """A visit has ended. The crawl takes its next link by itself after one of its own."""
        if turn.job.ref == NO_REF:
            self._room.release()
            self._tell_of(turn.job.site)
        elif turn.job.site in self._first:
            self._first[turn.job.site].set()

    def _tell_of(self, site: str) -> None:
        """A turn at this site was given back: tell who stands first in line, or those who take from the queue."""
        first = self._first.get(site)
        if first is not None:
            first.set()
        else:
            self._tell()

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    @functools.cached_property
    def _loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    def _watch(self, turn: Turn) -> None:
        turn.due = self._loop.time() + self._pace.patience(turn.origin)
        self._begun.add(turn)
        if self._timer is None:
            self._timer = self._loop.call_later(TICK_SECONDS, self._look)

    def _look(self) -> None:
        """Lend the turns of the visits whose servers hang."""
        now, lent = self._loop.time(), False
        self._timer = None
        for turn in [turn for turn in self._begun if turn.due <= now]:
            if self._pace.lend(turn.origin):
                self._begun.discard(turn)
                turn.lent = lent = True
                self._queue.lend(turn.job, turn.ready_at)
                if turn.job.site in self._first:
                    self._first[turn.job.site].set()
            else:
                self._watch(turn)
        if self._begun and self._timer is None:
            self._timer = self._loop.call_later(TICK_SECONDS, self._look)
        if lent:
            self._tell()


class Turn:
    """One visit's hold on its site: the next may begin at `ready_at`, and at `due` its server counts as hanging."""

    __slots__ = ("due", "job", "lent", "origin", "ready_at", "released")

    def __init__(self, job: Job, origin: str, ready_at: float) -> None:
        self.job, self.origin, self.ready_at = job, origin, ready_at
        self.due = 0.0
        self.lent = self.released = False
