"""The crawl loop: takes the best link that may be asked now, asks, and hands the answer to be absorbed.

The life of a link: *offered* by a page or as a seed → *new* (never seen, in scope) and stored → *waiting* in the
frontier → *taken* (its site has a free slot and is ready) → refused, retried (waiting again, its site slowed), or
*visited*: then all it caused is stored in one transaction. Taken links are only remembered in memory, so after a crash
they wait again.

The loop is driven by what happens, not by polling: the end of a visit, or a timer for the next site that becomes ready,
calls `_pump`, which starts as many visits as allowed.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import time
from collections.abc import Callable
from contextlib import suppress

import msgspec

from haenyeo.collect.events import CrawlEnded, CrawlStarted, Events, PageBroke, PageVisited, RetryPlanned
from haenyeo.collect.links.queue import CrawlQueue, Job
from haenyeo.collect.visit.absorb import Absorber
from haenyeo.collect.visit.asking import Asker, requests_made
from haenyeo.collect.visit.bucket import Bucket
from haenyeo.collect.visit.clock import Clock
from haenyeo.collect.visit.network import NO_NETWORK
from haenyeo.collect.visit.turns import Turns
from haenyeo.fetch.pace import Pace
from haenyeo.model.visits import Answer
from haenyeo.store import Store, StoredPage

log = logging.getLogger(__name__)

MOST_TRIES = 4  # of one page in one crawl
LONGEST_WAIT = 30.0  # seconds a crawl waits for a site when nothing else is left; a service would wait for ever
GRACE = 5.0  # seconds that visits under way get when the crawl is stopped


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """How much one crawl may do; None is no limit.

    `pages` counts pages that answered, not redirects, robots.txt or the user's examples.
    """

    pages: int | None = None
    seconds: float | None = None


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """What a crawl works with; `at_once` is how many visits may be under way.

    `remember` keeps what the parts have learnt so far.
    """

    store: Store
    queue: CrawlQueue
    asker: Asker
    absorber: Absorber
    pace: Pace
    at_once: int
    remember: Callable[[], None] = lambda: None

    def set_clock(self, clock: Clock) -> None:
        """Note visits at the times that this clock shows."""
        self.asker.clock, self.absorber.now = clock, clock.moment


class Crawl:
    """One run of the loop over one collection; an `allowance` says how many requests may be made by now."""

    def __init__(self, parts: Parts, allowance: Bucket | None = None) -> None:
        self._parts, self._store, self._queue = parts, parts.store, parts.queue
        self._allowance = allowance
        self.events = Events()
        self._budget = Budget()
        self._turns = Turns(parts.pace, parts.queue, self._pump)
        self._under_way: set[asyncio.Task[None]] = set()
        self._tries: dict[int, int] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._over: asyncio.Event = asyncio.Event()
        self._why = ""
        self._failure: Exception | None = None
        self.visited = self.kept = self.counted = 0
        self.began = 0.0

    async def run(self, budget: Budget) -> CrawlEnded:
        """Crawl until the budget is used, nothing is left to ask, or `stop` is called."""
        self._budget, self.began = budget, time.monotonic()
        if budget.pages is not None:
            self._queue.be_strict(self._parts.absorber.finder.strictness)
        self.events.tell(CrawlStarted(waiting=len(self._queue), collected=self._store.counts().kept))
        if budget.seconds is not None:
            self._loop.call_later(budget.seconds, self.stop, "time")
        self._pump()
        await self._over.wait()
        await self._end_visits()
        self._store.flush()
        if self._failure:
            raise self._failure
        ended = CrawlEnded(
            why=self._why,
            visited=self.visited,
            kept=self.kept,
            waiting=len(self._queue),
            seconds=time.monotonic() - self.began,
        )
        self.events.tell(ended)
        return ended

    def set_clock(self, clock: Clock) -> None:
        """Note visits at the times that this clock shows."""
        self._parts.set_clock(clock)

    def stop(self, why: str = "stopped") -> None:
        """Start nothing more; `run` returns once the visits under way have ended or had their grace."""
        if not self._why:
            self._why = why
            self._over.set()

    @functools.cached_property
    def _loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    @property
    def _clock(self) -> Clock:
        return self._parts.asker.clock

    @property
    def under_way(self) -> int:
        """How many visits are under way."""
        return len(self._under_way)

    def _pump(self) -> None:
        """Start every visit that may start now, and arrange to be called again."""
        now = self._clock.now()
        while not self._why and self._may_start(now):
            job = self._queue.take(now)
            if job is None:
                break
            if self._allowance:
                self._allowance.spend(1)
            task = self._loop.create_task(self._visit(job))
            self._under_way.add(task)
            task.add_done_callback(self._visit_ended)
        if not self._why:
            self._wait_or_end(now)

    def _may_start(self, now: float) -> bool:
        under_way, pages = len(self._under_way), self._budget.pages
        if under_way >= self._parts.at_once:
            return False
        if self._allowance and self._allowance.available(now) < 1:
            return False
        return pages is None or self.counted + under_way < pages

    def _wait_or_end(self, now: float) -> None:
        """Set the timer for the next site that becomes ready, or end when there is nothing to wait for."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._budget.pages is not None and self.counted >= self._budget.pages:
            self.stop("budget")
            return
        ready = self._queue.next_ready(now)
        if ready is not None and self._allowance:
            ready = max(ready, now + min(self._allowance.seconds_to_one(), 2 * LONGEST_WAIT))
        if not self._under_way and ready is None and self._queue.let_go():
            self._pump()
        elif not self._under_way and ready is None:
            self.stop("done")
        elif not self._under_way and ready is not None and ready - now > LONGEST_WAIT:
            self.stop("waiting")
        elif ready is not None:
            self._timer = self._loop.call_later(max(0.0, self._clock.real_seconds(ready - now)), self._pump)

    def _visit_ended(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self._failure = error if isinstance(error, Exception) else RuntimeError(str(error))
            self.stop("failed")
        self._pump()

    async def _visit(self, job: Job) -> None:
        """Ask for one page and take in what came."""
        turn = self._turns.begin(job, self._clock)
        answer = None
        try:
            answer = await self._parts.asker.ask(job, turn.answered)
        finally:
            if answer is None:  # broken off, so that it waits again
                self._queue.put_back(job, turn.give_up())
        if self._allowance:
            self._allowance.spend(requests_made(answer) - 1)
        ready_at = turn.end(answer)
        if self._is_cut_off(job, answer, ready_at):
            return
        if answer.retryable and self._try_again(job, answer, ready_at):
            return
        self._take_in(job, answer)
        self._queue.release(job, ready_at)

    def _is_cut_off(self, job: Job, answer: Answer, ready_at: float) -> bool:
        """Put the link back and end the crawl when it is the network that is gone, not the page."""
        if answer.reason != NO_NETWORK:
            return False
        self._queue.put_back(job, ready_at)
        self.stop("network")
        return True

    def _try_again(self, job: Job, answer: Answer, ready_at: float) -> bool:
        """Put the link back unless it has had its tries."""
        tries = self._tries.get(job.ref, 0) + 1
        if tries >= MOST_TRIES:
            self._tries.pop(job.ref, None)
            return False
        self._tries[job.ref] = tries
        self._parts.absorber.note_attempt(job, answer)
        self._commit()
        self._queue.put_back(job, ready_at)
        wait = max(0.0, ready_at - self._clock.now())
        self.events.tell(RetryPlanned(url=job.url, site=job.site, reason=answer.reason, attempt=tries, wait=wait))
        return True

    def _take_in(self, job: Job, answer: Answer) -> None:
        """Store what the answer caused."""
        visited = take_in(self._parts, self.events, job, answer)
        self._count(visited)
        self._commit()
        self.events.tell(visited)

    def _commit(self) -> None:
        """Commit once as many pages wait for it as are under way: what a crash costs is at most doubled."""
        if self._store.pending >= max(1, len(self._under_way)):
            self._store.flush()

    def _count(self, visited: PageVisited) -> None:
        self.visited += 1
        self.kept += visited.kept
        self.counted += visited.counts

    async def _end_visits(self) -> None:
        """Let the visits under way end, but not for long."""
        if self._timer:
            self._timer.cancel()
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=GRACE)
        for task in self._under_way:
            task.cancel()
        for task in list(self._under_way):
            with suppress(asyncio.CancelledError):
                await task


def take_in(parts: Parts, events: Events, job: Job, answer: Answer, before: StoredPage | None = None) -> PageVisited:
    """Store what the answer caused; a defect of ours costs this page only."""
    try:
        return parts.absorber.absorb(job, answer, before)
    except Exception as error:
        if not parts.absorber.survives(error):
            raise
        log.exception("our own code failed on %s", job.url)
        events.tell(PageBroke(url=job.url, error=f"{type(error).__name__}: {error}"))
        return parts.absorber.give_up(job, answer, error)
