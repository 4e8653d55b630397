"""Answers that have come by the same moment are taken in together, step by step: all are parsed, then all are read.

What a step needs, its code and its tables, stays in the processor's caches from one page to the next, which takes a
tenth of the time off. All that is known of a site is learnt page by page, so no round has two pages of one site; what
pages teach about links is applied once a round. An error of our own code costs the one page.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial

import msgspec

from haenyeo.collect.events import Events, PageBroke, PageVisited
from haenyeo.collect.links.jobs import Job
from haenyeo.collect.visit.absorb import Absorber
from haenyeo.collect.visit.findings import Findings, Looked
from haenyeo.collect.visit.soft_gone import REASON as SOFT_GONE
from haenyeo.collect.visit.soft_gone import SoftGone
from haenyeo.html.urls import site_of
from haenyeo.model.visits import Answer
from haenyeo.store import StoredPage

log = logging.getLogger(__name__)

PATIENCE = 0.002
"""Seconds that an answer waits for others that are awaited."""
MOST_TOGETHER = 16
"""Pages in a round; parsed, each takes some hundred kilobytes."""
TAKEN_PER_PLACE = 128
"""Answers taken in for each further page in a round: the more is known, the less does one page change what comes next.

Links that are chosen all at once, after a round, are chosen alike. With rounds from the start on, crawls of 600 pages
found 2 % less.
"""
MOST_BYTES = 1 << 20
"""Bytes of the answers of a round, unless it has one only."""


class Arrival(msgspec.Struct, kw_only=True, eq=False):
    """An answer to be taken in, and how far that has come; `asked` if its server's word on missing pages is known.

    `done` gets what it caused, or None if that word is to be asked for first.
    """

    job: Job
    answer: Answer
    before: StoredPage | None
    asked: bool
    done: asyncio.Future[PageVisited | None]
    looked: Looked | None = None
    findings: Findings | None = None
    error: Exception | None = None

    @property
    def sites(self) -> set[str]:
        """The sites it tells something of."""
        return {self.job.site, site_of(self.answer.final_url)}


class Intake:
    """Takes answers in, `taken` so far.

    `awaited` says how many are still to come, `commit` is called after every round.
    """

    def __init__(
        self,
        absorber: Absorber,
        soft_gone: SoftGone,
        *,
        events: Events,
        awaited: Callable[[], int],
        commit: Callable[[], None],
    ) -> None:
        self._absorber, self._soft_gone = absorber, soft_gone
        self._events, self._awaited, self._commit = events, awaited, commit
        self._handle: asyncio.Handle | None = None
        self._come: list[Arrival] = []
        self.taken = 0

    @property
    def most(self) -> int:
        """How many pages a round may have by now."""
        return min(MOST_TOGETHER, 1 + self.taken // TAKEN_PER_PLACE)

    async def take(
        self, job: Job, answer: Answer, before: StoredPage | None = None, *, asked: bool = False
    ) -> PageVisited | None:
        """What the answer caused, once it is stored; None, and nothing is learnt from it, if it may be only what its
        server says of all that is not there, and that is to be `asked` for first.
        """  # noqa: D205
        loop = asyncio.get_running_loop()
        arrival = Arrival(job=job, answer=answer, before=before, asked=asked, done=loop.create_future())
        self._come.append(arrival)
        if not self._awaited() or len(self._come) >= self.most:
            self._take_soon(loop.call_soon(self._take_all))
        elif len(self._come) == 1:
            self._take_soon(loop.call_later(PATIENCE, self._take_all))
        try:
            return await arrival.done
        except asyncio.CancelledError:
            if arrival in self._come:  # it is here, so it is not asked for again
                self._come.remove(arrival)
                self._take_together([arrival])
            raise

    def _take_soon(self, handle: asyncio.Handle) -> None:
        """Take in what has come when this calls, not when another would have."""
        if self._handle:
            self._handle.cancel()
        self._handle = handle

    def _take_all(self) -> None:
        self._handle = None
        come, self._come = self._come, []
        with ExitStack() as unless_done:
            unless_done.push(partial(_fail, come))
            for together in _rounds(come, self.most):
                self._take_together(together)

    def _take_together(self, arrivals: list[Arrival]) -> None:
        self.taken += len(arrivals)
        for arrival in arrivals:
            self._try(arrival, self._look)
        arrivals = [arrival for arrival in arrivals if not self._must_ask(arrival)]
        for step in (self._read, self._learn):
            for arrival in arrivals:
                if arrival.error is None:
                    self._try(arrival, step)
        visited = [self._absorbed(arrival) for arrival in arrivals]
        if arrivals:
            self._try(arrivals[-1], lambda _: self._absorber.conclude())
        self._commit()
        for arrival, event in zip(arrivals, visited, strict=True):
            self._events.tell(event)
            if not arrival.done.done():
                arrival.done.set_result(event)

    def _try(self, arrival: Arrival, step: Callable[[Arrival], None]) -> None:
        try:
            step(arrival)
        except Exception as error:
            if not self._absorber.survives(error):
                raise
            log.exception("our own code failed on %s", arrival.job.url)
            self._events.tell(PageBroke(url=arrival.job.url, error=f"{type(error).__name__}: {error}"))
            arrival.error = error

    def _look(self, arrival: Arrival) -> None:
        arrival.looked = self._absorber.look(arrival.answer, arrival.before)

    def _must_ask(self, arrival: Arrival) -> bool:
        """Whether its server is to be asked first what it says of pages that are not there; then it is told so."""
        looked = arrival.looked
        if arrival.asked or looked is None or not looked.suspect or self._soft_gone.knows(arrival.answer):
            return False
        if not arrival.done.done():
            arrival.done.set_result(None)
        return True

    def _read(self, arrival: Arrival) -> None:
        assert arrival.looked is not None
        arrival.looked = self._absorber.read(arrival.answer, arrival.looked, arrival.before)

    def _learn(self, arrival: Arrival) -> None:
        assert arrival.looked is not None
        findings = self._absorber.learn(arrival.job, arrival.answer, arrival.looked, arrival.before)
        if findings.suspect and self._soft_gone.is_gone(arrival.answer):
            findings = self._absorber.gone(arrival.job, findings, SOFT_GONE)
        arrival.findings = findings

    def _absorbed(self, arrival: Arrival) -> PageVisited:
        """What the answer caused, which is stored now."""
        found: list[PageVisited] = []

        def absorb(_: Arrival) -> None:
            assert arrival.findings is not None
            found.append(self._absorber.absorb(arrival.job, arrival.answer, arrival.findings))

        if arrival.error is None:
            self._try(arrival, absorb)
        if arrival.error is not None:
            found.append(self._absorber.give_up(arrival.job, arrival.answer, arrival.error))
        return found[-1]


def _fail(come: list[Arrival], _: object, error: BaseException | None, __: object) -> bool:
    """Let those who wait for these answers raise an error, if there was one; returns whether there was."""
    if not isinstance(error, Exception):
        return False
    for arrival in come:
        if not arrival.done.done():
            arrival.done.set_exception(error)
    return True


def _rounds(come: list[Arrival], most: int) -> Iterator[list[Arrival]]:
    """The answers in order, in rounds of at most so many of different sites that are not too large."""
    together: list[Arrival] = []
    sites: set[str] = set()
    size = 0
    for arrival in come:
        size += len(arrival.answer.body)
        if together and (len(together) >= most or size > MOST_BYTES or not sites.isdisjoint(arrival.sites)):
            yield together
            together, size = [], len(arrival.answer.body)
            sites.clear()
        together.append(arrival)
        sites |= arrival.sites
    if together:
        yield together
