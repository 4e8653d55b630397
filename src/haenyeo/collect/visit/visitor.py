"""One visit, whoever makes it: crawl, refresh and watch rounds all come through here and add no manners of their own.

A visit waits for its site's turn, asks, keeps to the pace that the answer calls for, and stores all that the answer
caused in one transaction. What is to be tried again waits again; nothing is blamed for a lost network; an error of our
own code costs the one page. What is stored is committed as soon as as many pages wait for it as visits are under way,
so a crash costs at most twice the visits under way, and those are made again.

    follow     a link that the queue gave out, its turn in hand      (crawl)
    revisit    a page that is known or that someone named            (refresh, watch rounds)
    ask        an address that is no page of the collection          (sources of seeds, probes)
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import msgspec

from haenyeo.collect.events import Events, PageVisited, RetryPlanned
from haenyeo.collect.links.jobs import Job, named_job
from haenyeo.collect.visit.absorb import Absorber
from haenyeo.collect.visit.asking import Asker, requests_made
from haenyeo.collect.visit.clock import Clock
from haenyeo.collect.visit.intake import Intake
from haenyeo.collect.visit.network import NO_NETWORK
from haenyeo.collect.visit.retries import Retries
from haenyeo.collect.visit.soft_gone import SoftGone
from haenyeo.collect.visit.turns import Turn, Turns
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome, Validators
from haenyeo.store import Store, StoredPage

PATIENCE = 60.0  # seconds that a visit waits for its site's turn
NOT_NOW = "the site needs rest"
"""The reason of an answer that did not come because the site's turn was too far away: nothing was asked."""


class Visited(msgspec.Struct, frozen=True, kw_only=True):
    """A visit: the answer, and what was made of it; `before` is the page as it was stored, if it was.

    `event` is None if nothing came that could be stored: the page waits again, or was not asked for. `requests` counts
    all requests that the visit cost.
    """

    answer: Answer
    event: PageVisited | None = None
    before: StoredPage | None = None
    requests: int = 0

    @property
    def asked(self) -> bool:
        """Whether the page's server was asked, as far as that was for us to decide."""
        return self.answer.reason not in (NOT_NOW, NO_NETWORK)


class Visitor:
    """Makes visits; `under_way` of them at the moment."""

    def __init__(
        self, store: Store, asker: Asker, absorber: Absorber, turns: Turns, *, clock: Clock, events: Events
    ) -> None:
        self._store, self._asker, self._absorber, self._turns = store, asker, absorber, turns
        self._clock, self._events = clock, events
        self._soft_gone = SoftGone(self._probe)
        self._intake = Intake(
            absorber, self._soft_gone, events=events, awaited=lambda: self.under_way, commit=self._commit
        )
        self._retries = Retries()
        self.under_way = 0

    async def follow(self, job: Job) -> Visited:
        """Visit a link that the queue gave out; it waits there again if it is to be tried again."""
        turn = self._turns.begin(job)
        answer = await self._answer(turn)
        ready_at = self._turns.end(turn, answer)
        requests = requests_made(answer)
        if answer.reason == NO_NETWORK:
            self._turns.put_back(turn, ready_at)
            return Visited(answer=answer)
        if answer.retryable and self._try_again(turn, answer, ready_at):
            return Visited(answer=answer, requests=requests)
        release = partial(self._turns.release, turn, ready_at)
        event, probes = await self._take_in(job, answer, release=release)
        release()
        return Visited(answer=answer, event=event, requests=requests + probes)

    async def revisit(self, url: Url, *, stopping: asyncio.Event | None = None, patience: float = PATIENCE) -> Visited:
        """Visit a page that someone named or that is known, with a conditional request if it is.

        It is not asked for if its site's turn is more than `patience` seconds away, or when `stopping` is set first.
        """
        stored = self._store.page(url)
        before = stored if stored is not None and stored.fetched_at is not None else None
        job = named_job(url, before.depth if before else 0)
        turn = await self._turns.wait_for(job, patience, stopping)
        if turn is None:
            return Visited(answer=_unasked(url), before=before)
        answer = await self._asked(turn, before.validators if before is not None and before.url == url else None)
        requests = requests_made(answer)
        if answer.reason == NO_NETWORK:
            return Visited(answer=answer, before=before)
        if before is not None and answer.outcome is Outcome.PAGE and before.kept:
            answer, probes = await self._soft_gone.seen_through(answer, before)
            requests += probes
        event, probes = await self._take_in(job, answer, before)
        return Visited(answer=answer, event=event, before=before, requests=requests + probes)

    async def ask(self, url: Url) -> Answer:
        """What an address says that is no page of the collection; nothing is stored."""
        turn = await self._turns.wait_for(named_job(url), PATIENCE)
        return _unasked(url) if turn is None else await self._asked(turn, None)

    def hear_probe(self, answer: Answer) -> None:
        """Take in what was answered to an address that cannot exist; used when the archive is read again."""
        self._soft_gone.take(answer)

    async def _probe(self, url: Url) -> Answer:
        """What an address says that is no page; it is archived, since what is made of other pages rests on it."""
        answer = await self.ask(url)
        if answer.hops:
            self._store.archive_hops(answer.hops)
        return answer

    async def _asked(self, turn: Turn, validators: Validators | None) -> Answer:
        """The answer to a visit that no link led to; its site may be asked by others again."""
        answer = await self._answer(turn, validators)
        self._turns.release(turn, self._turns.end(turn, answer))
        return answer

    async def _answer(self, turn: Turn, validators: Validators | None = None) -> Answer:
        """The answer; a link whose visit is broken off waits again."""
        answer = None
        self.under_way += 1
        try:
            answer = await self._asker.ask(turn.job, validators, partial(self._turns.answered, turn))
        finally:
            self.under_way -= 1
            if answer is None:
                self._turns.put_back(turn, self._turns.give_up(turn))
        return answer

    def _try_again(self, turn: Turn, answer: Answer, ready_at: float) -> bool:
        """Put the link back unless it has had its tries."""
        job = turn.job
        tries = self._retries.another(job.ref)
        if tries is None:
            return False
        self._absorber.note_attempt(job, answer)
        self._commit()
        not_before = max(ready_at, self._clock.now() + (answer.retry_after or 0.0))
        self._turns.put_back(turn, ready_at, not_before)
        wait = max(0.0, not_before - self._clock.now())
        self._events.tell(RetryPlanned(url=job.url, site=job.site, reason=answer.reason, attempt=tries, wait=wait))
        return True

    async def _take_in(
        self, job: Job, answer: Answer, before: StoredPage | None = None, release: Callable[[], None] | None = None
    ) -> tuple[PageVisited, int]:
        """Have what the answer caused stored and told.

        Returns also the requests it took to find out what it is: `release` gives the visit's turn away for them. They
        are made before anything is learnt from the answer, so that answers are archived in the order in which they
        were learnt from, and can be learnt from again in this order.
        """
        self._retries.forget(job.ref)
        visited = await self._intake.take(job, answer, before)
        if visited is not None:
            return visited, 0
        if release:
            release()
        probes = await self._soft_gone.learn(answer)
        visited = await self._intake.take(job, answer, before, asked=True)
        assert visited is not None
        return visited, probes

    def _commit(self) -> None:
        """Commit once as many pages wait for it as are under way: what a crash costs is at most doubled."""
        if self._store.pending > self.under_way:
            self._store.flush()


def _unasked(url: Url) -> Answer:
    return Answer(url=url, final_url=url, outcome=Outcome.FAILED, reason=NOT_NOW)
