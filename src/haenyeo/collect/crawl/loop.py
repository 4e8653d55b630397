"""The crawl loop: takes the best link that may be asked now and has it visited.

The life of a link: *offered* by a page or as a seed → *new* (never seen, in scope) and stored → *waiting* in the
frontier → *taken* (its site has a free slot and is ready) → refused, retried (waiting again, its site slowed), or
*visited*: then all it caused is stored in one transaction. Taken links are only remembered in memory, so after a crash
they wait again.

The loop is driven by what happens, not by polling: the end of a visit, or a timer for the next site that becomes ready,
calls `_pump`, which starts as many visits as allowed.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import math
import time
from collections.abc import Sequence
from contextlib import suppress

import msgspec

from haenyeo.collect.crawl.causes import Causes, state_of
from haenyeo.collect.crawl.parts import Parts
from haenyeo.collect.events import CrawlEnded, CrawlStarted
from haenyeo.collect.links.jobs import Job
from haenyeo.collect.visit.bucket import Bucket
from haenyeo.collect.visit.network import NO_NETWORK
from haenyeo.collect.visit.visitor import Visited
from haenyeo.model.config import PaceSettings
from haenyeo.model.pages import Url
from haenyeo.model.visits import Outcome

LONGEST_WAIT = 30.0  # seconds a crawl waits for a site when nothing else is left; a service would wait for ever
GRACE = 5.0  # seconds that visits under way get when the crawl is stopped
FEWEST_REQUESTS = 20  # that a crawl may make however few pages it is to bring
FEWEST_AT_ONCE = 4  # visits under way, where pages are scarce
VISITS_PER_SLOT = 8  # visits that have ended for each further one under way then


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """How much one crawl may do; None is no limit.

    `pages` counts pages that answered, not redirects, robots.txt or the user's examples.
    """

    pages: int | None = None
    seconds: float | None = None


class Crawl:
    """One run of the loop over one collection, from these `seeds` on.

    An `allowance` says how many requests may be made by now. A `patient` crawl does not end for want of links or of
    pages that it may fetch: others may bring more, and call `wake` or `grant`.
    """

    def __init__(
        self, parts: Parts, allowance: Bucket | None = None, *, seeds: Sequence[Url] = (), patient: bool = False
    ) -> None:
        self._parts, self._store, self._queue = parts, parts.store, parts.queue
        self._patient = patient
        self._allowance, self._seeds, self._causes = allowance, seeds, Causes()
        self._clock, self.events = parts.clock, parts.events
        self._budget, self._least = Budget(), 0.0
        self._under_way: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._over: asyncio.Event = asyncio.Event()
        self._why = ""
        self._failure: Exception | None = None
        self.visited = self.counted = self.requests = 0
        self._most_requests = float("inf")
        self.began = 0.0

    async def run(self, budget: Budget) -> CrawlEnded:
        """Crawl until the budget is used, nothing is left to ask, or `stop` is called."""
        self._budget, self.began = budget, time.monotonic()
        if budget.pages is not None:
            self._bound_requests(budget.pages)
            self._queue.be_strict(self._parts.finder.strictness)
        collected = self._store.counts().kept
        self.events.tell(CrawlStarted(waiting=len(self._queue), collected=collected))
        if budget.seconds is not None:
            self._loop.call_later(budget.seconds, self.stop, "time")
        with self._parts.turns.heard_by(self._pump):
            self._pump()
            await self._over.wait()
            await self._end_visits()
        self._store.flush()
        if self._failure:
            raise self._failure
        ended = self._ended(collected)
        self.events.tell(ended)
        return ended

    def _ended(self, collected: int) -> CrawlEnded:
        """How the crawl ended; pages are counted as they are judged now."""
        self._parts.finder.judge_again()
        self._store.flush()
        seeds, kept = state_of(self._seeds, self._store, self._queue.follows), self._store.counts().kept
        given = [url for url in self._parts.finder.examples() if url not in self._seeds]
        return CrawlEnded(
            why=self._why,
            visited=self.visited,
            kept=kept,
            gained=kept - collected,
            waiting=len(self._queue),
            requests=self.requests,
            seconds=time.monotonic() - self.began,
            seeds=seeds.count,
            seeds_read=seeds.read,
            seeds_lost=bool(seeds.count) and not seeds.read and not seeds.later,
            causes=self._causes.told(seeds, state_of(given, self._store, lambda _: True)),
        )

    def stop(self, why: str = "stopped") -> None:
        """Start nothing more; `run` returns once the visits under way have ended or had their grace."""
        if not self._why:
            self._why = why
            self._over.set()

    def wake(self) -> None:
        """Look again at what waits: others have brought links."""
        if self.began:
            self._pump()

    def grant(self, pages: int | None, of: int | None = None, least: float = 0.0) -> None:
        """Let the crawl fetch so many pages in all, any number if it is None, as long as a link is worth `least`.

        They may be a part `of` those that several crawls may fetch; then it may make the requests of all.
        """
        if pages != self._budget.pages or least != self._least:
            self._budget, self._least = msgspec.structs.replace(self._budget, pages=pages), least
            self._bound_requests(of or pages)
            self.wake()

    @property
    def rest(self) -> str:
        """Why a patient crawl does nothing: budget, requests, done or waiting; empty while it has something to do."""
        if self._under_way:
            return ""
        if self._is_used_up or self._is_too_poor:
            return "requests" if self.requests >= self._most_requests else "budget"
        now = self._clock.now()
        ready = self._queue.next_ready(now)
        if ready is None:
            return "done"
        return "waiting" if ready - now > LONGEST_WAIT else ""

    @property
    def _is_used_up(self) -> bool:
        pages = self._budget.pages
        return self.requests >= self._most_requests or (pages is not None and self.counted >= pages)

    @property
    def _is_too_poor(self) -> bool:
        """Whether no link that waits is worth what one must be."""
        return self._least > 0 and not any(link.score >= self._least for link in self._queue.first(1))

    def _bound_requests(self, pages: int | None) -> None:
        self._most_requests = most_requests(self._parts.pace, pages)

    @functools.cached_property
    def _loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    @property
    def under_way(self) -> int:
        """How many visits are under way."""
        return len(self._under_way)

    def _pump(self) -> None:
        """Start every visit that may start now, and arrange to be called again; if that fails, the crawl has failed.

        The event loop, which calls this, would note the error and go on without us.
        """
        with contextlib.ExitStack() as unless_done:
            unless_done.push(self._fail)
            self._start_visits()

    def _fail(self, _: object, error: BaseException | None, __: object) -> bool:
        """Leave an error of our own for `run` to raise; returns whether there was one."""
        if not isinstance(error, Exception):
            return False
        self._failure = error
        self.stop("failed")
        return True

    def _start_visits(self) -> None:
        now = self._clock.now()
        while not self._why and self._may_start(now):
            if self._queue.shared:  # what was under way when a topic came to it may have been read by now
                self._parts.finder.catch_up()
            job = self._queue.take(now)
            if job is None:
                if self._parts.finder.catch_up():
                    continue
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
        if under_way >= self._parts.pace.total:
            return False
        if pages is not None and under_way - len(self._queue.lent) >= at_once(self.requests):
            return False
        if (self._allowance and self._allowance.available(now) < 1) or self._is_too_poor:
            return False
        return pages is None or (self.counted + under_way < pages and self.requests + under_way < self._most_requests)

    def _wait_or_end(self, now: float) -> None:
        """Set the timer for the next site that becomes ready, or end when there is nothing to wait for."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._patient:
            self._wait_for_more(now)
            return
        if self._budget.pages is not None and self.counted >= self._budget.pages:
            self.stop("budget")
            return
        if self.requests >= self._most_requests:
            self.stop("requests")
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

    def _wait_for_more(self, now: float) -> None:
        """Set the timer for the next site that becomes ready, if more may be asked for."""
        ready = self._queue.next_ready(now)
        if not self._under_way and ready is None and self._queue.let_go():
            self._pump()
        elif ready is not None and self._may_start(now):
            self._timer = self._loop.call_later(max(0.0, self._clock.real_seconds(ready - now)), self._pump)

    def _visit_ended(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self._failure = error if isinstance(error, Exception) else RuntimeError(str(error))
            self.stop("failed")
        self._pump()

    async def _visit(self, job: Job) -> None:
        """Have one link visited, and count what came."""
        visited = await self._parts.visitor.follow(job)
        if self._allowance:
            self._allowance.spend(visited.requests - 1)
        if visited.answer.reason == NO_NETWORK:
            self.stop("network")
        if visited.event is None or visited.event.outcome is not Outcome.LISTING:  # lists have a bound of their own
            self.requests += visited.requests
        self._causes.note(job, visited)
        self._queue.give_back_turn(job, 1.0 - self._cost_of(job, visited))
        if visited.event:
            self.visited += 1
            self.counted += visited.event.counts

    def _cost_of(self, job: Job, visited: Visited) -> float:
        """How much of a topic's turn a visit takes: as much as it takes of the pages or requests the crawl may make."""
        if visited.event and visited.event.counts:
            return 1.0
        free = self._parts.finder.is_example(job.url)
        return 0.0 if free else min(1.0, max(1, visited.requests) / self._parts.pace.requests_per_page)

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


def most_requests(pace: PaceSettings, pages: int | None) -> float:
    """How many requests a crawl for so many pages may make."""
    return math.inf if pages is None else max(FEWEST_REQUESTS, pace.requests_per_page * pages)


def at_once(ended: int) -> int:
    """How many visits may be under way in a crawl that may fetch only so many pages, after so many have ended.

    A visit under way cannot profit from what the others bring. A first page that lists a hundred sites would have all
    of them visited at once, before anything is known about any.
    """
    return FEWEST_AT_ONCE + ended // VISITS_PER_SLOT
