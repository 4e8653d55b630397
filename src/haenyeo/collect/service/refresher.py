"""Visits again what is due: conditional requests, at each site's pace, within the budget.

Once in a while (an hour of the planner's clock, or as soon as the budget allows one more request) the planner is asked
what is due. Those pages are visited, the pages of a site one after the other, different sites at the same time. What a
visit finds is stored like that of any other; the planner learns from the store.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from itertools import islice

from haenyeo.collect.crawl.loop import Parts, take_in
from haenyeo.collect.events import Events, PageVisited, RefreshEnded
from haenyeo.collect.links.queue import NO_REF, Job
from haenyeo.collect.service.memory import Memory
from haenyeo.collect.service.sentinels import Sentinels
from haenyeo.collect.visit.absorb import MOST_LISTED
from haenyeo.collect.visit.asking import requests_made
from haenyeo.collect.visit.clock import Clock
from haenyeo.collect.visit.network import NO_NETWORK, Network
from haenyeo.collect.visit.soft_gone import SoftGone
from haenyeo.html.sitemaps import entries
from haenyeo.html.urls import site_of
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Found, Outcome
from haenyeo.store import StoredPage

log = logging.getLogger(__name__)

HOUR = 3600.0
MOST_AT_ONCE = 5000  # pages named in one decision
LONGEST_TURN = 60.0  # seconds that a page waits for its site's turn; then the site's pages rest
SITE_REST = 1800.0  # seconds that a site rests which did not answer, doubling
LONGEST_SITE_REST = 6 * HOUR
SAVE_EVERY = HOUR
LISTINGS_SHARE = 5  # one request of so many at most goes to sitemaps and feeds
LONGEST_NAP = 60.0  # real seconds
_OTHER_BYTES = frozenset({Found.CHANGED, Found.NEAR_TEXT, Found.SAME_TEXT})


class Refresher:
    """One run of refreshing over one collection."""

    def __init__(self, parts: Parts, memory: Memory, clock: Clock, network: Network | None = None) -> None:
        self._parts, self._memory, self._clock = parts, memory, clock
        self._network = network
        self._soft_gone = SoftGone(self._ask_unseen)
        self.sentinels: Sentinels | None = Sentinels(parts.store, memory)
        self.events = Events()
        self._stopping = asyncio.Event()
        self._resting: dict[str, tuple[float, int]] = {}
        self._at_once = asyncio.Semaphore(parts.at_once)
        self._saved_at = clock.now()
        self._found: dict[str, int] = {}
        self._requests = self._bytes = 0
        self._for_listings = 1.0

    def stop(self) -> None:
        """Start no more visits; `run` returns once those under way have ended."""
        self._stopping.set()

    async def run_once(self) -> RefreshEnded:
        """Visit what is due now, as far as the budget goes, and return."""
        began = time.monotonic()
        self._memory.bucket.fill_first()
        self._memory.catch_up()
        await self._visit_due(self._memory.bucket.available(self._clock.now()))
        self._save()
        return self._ended(began)

    async def run(self) -> RefreshEnded:
        """Go on until `stop` is called."""
        began = time.monotonic()
        while not self._stopping.is_set():
            await self.step()
            await self._nap()
        self._save()
        return self._ended(began)

    async def step(self) -> None:
        """One decision: visit what is due, as far as the budget goes."""
        if self._network:
            await self._network.back(self._stopping)
        now = self._clock.now()
        available = self._memory.bucket.available(now)
        if available >= 1 and not self._stopping.is_set():
            self._memory.catch_up()
            await self._visit_due(available)
        if not 0 <= now - self._saved_at < SAVE_EVERY:
            self._save()

    async def _visit_due(self, limit: int) -> None:
        """Visit the sitemaps and feeds whose time has come, then the pages that are due."""
        listings = dict[str, list[Url]]()
        self._for_listings = min(self._for_listings, limit) + limit / LISTINGS_SHARE
        for url in self._memory.signals.listings_due(self._clock.now(), int(self._for_listings)):
            listings.setdefault(site_of(Url(url)), []).append(Url(url))
        count = sum(map(len, listings.values()))
        self._for_listings -= count
        await self._visit_all(listings)
        await self._visit_all(self._due(limit - count))

    def _due(self, limit: int) -> dict[str, list[Url]]:
        """The most urgent pages by site; those of sites that rest are left to rest."""
        now, due = self._clock.now(), dict[str, list[Url]]()
        left = min(limit, MOST_AT_ONCE)
        while left > 0 and (urls := self._memory.planner.due(now, left)):
            resting = 0
            for url in map(Url, urls):
                site = site_of(url)
                until = self._resting.get(site, (0.0, 0))[0]
                if until > now:
                    self._memory.planner.rest([url], until)
                    resting += 1
                elif url not in due.get(site, ()):
                    due.setdefault(site, []).append(url)
            if not resting:
                break
            left = min(limit, MOST_AT_ONCE) - sum(map(len, due.values()))
        return due

    async def _visit_all(self, due: dict[str, list[Url]]) -> None:
        async with asyncio.TaskGroup() as visits:
            for site, urls in due.items():
                visits.create_task(self._visit_site(site, urls))
        self._parts.store.flush()

    async def _visit_site(self, site: str, urls: list[Url]) -> None:
        for place, url in enumerate(urls):
            if self._stopping.is_set() or not await self._turn(site):
                return
            async with self._at_once:
                answer = await self._visit(url)
            if answer is None:
                continue
            if answer.retryable:
                self._let_rest(site, urls[place:])
            if answer.retryable or answer.reason == NO_NETWORK:
                return

    async def _turn(self, site: str) -> bool:
        """Wait for the site's turn; False when it is too far away."""
        wait = self._parts.pace.ready_at(site) - self._clock.now()
        if wait > LONGEST_TURN:
            return False
        await self._sleep(self._clock.real_seconds(wait))
        return not self._stopping.is_set()

    async def _visit(self, url: Url) -> Answer | None:
        """Ask for one page again and store what came; None when it is no longer one of ours."""
        before, listing = self._parts.store.page(url), url in self._memory.signals
        if before is None or before.url != url or not (before.kept or listing):
            self._memory.retire(url)
            return None
        job = Job(ref=NO_REF, url=url, site=site_of(url), depth=before.depth, score=1.0)
        answer = await self._ask(job, before)
        if answer.reason == NO_NETWORK:
            return answer
        if listing:
            self._memory.signals.asked(url, self._clock.now(), gone=answer.outcome is Outcome.GONE)
        if answer.outcome is Outcome.PAGE and not listing:
            answer = await self._soft_gone.seen_through(answer, before)
        self._take_in(job, answer, before)
        return answer

    async def _ask(self, job: Job, before: StoredPage) -> Answer:
        parts = self._parts
        parts.queue.postpone(job.site, parts.pace.asked(job.site, self._clock.now()))
        answer = await parts.asker.ask_again(job, before.validators)
        parts.queue.postpone(job.site, parts.pace.answered(job.site, answer, self._clock.now()))
        requests = requests_made(answer)
        self._memory.bucket.spend(requests)
        self._requests += requests
        self._bytes += sum(len(hop.body) for hop in answer.hops)
        if answer.status:
            self._resting.pop(job.site, None)
        return answer

    async def _ask_unseen(self, url: Url) -> Answer:
        """Ask for an address that is no page of the collection."""
        job = Job(ref=NO_REF, url=url, site=site_of(url), depth=0, score=0.0)
        self._parts.pace.asked(job.site, self._clock.now())
        answer = await self._parts.asker.ask_again(job, None)
        self._memory.bucket.spend(1)
        self._requests += 1
        return answer

    def _take_in(self, job: Job, answer: Answer, before: StoredPage) -> None:
        visited = take_in(self._parts, self.events, job, answer, before)
        if self.sentinels and visited.found in _OTHER_BYTES and job.url not in self._memory.signals:
            self.sentinels.look(answer, before, self._clock.now())
        if job.url in self._memory.signals and answer.outcome is Outcome.PAGE:
            self._memory.heed(islice(entries(answer.body, answer.final_url), MOST_LISTED), job.site)
        if answer.outcome in (Outcome.PAGE, Outcome.UNCHANGED) and answer.final_url != job.url:
            self._memory.retire(job.url)
        self._count(visited)
        if self._parts.store.pending >= self._parts.at_once:
            self._parts.store.flush()
        self.events.tell(visited)

    def _let_rest(self, site: str, urls: list[Url]) -> None:
        """Leave a site alone that did not answer, longer each time."""
        now, before = self._clock.now(), self._resting.get(site, (0.0, 0))[1]
        until = now + min(SITE_REST * 2**before, LONGEST_SITE_REST)
        self._resting[site] = (until, before + 1)
        self._memory.planner.rest(urls, until)

    def _count(self, visited: PageVisited) -> None:
        self._found[visited.found] = self._found.get(visited.found, 0) + 1

    def _save(self) -> None:
        self._memory.catch_up()
        self._memory.save()
        self._parts.store.flush()
        self._saved_at = self._clock.now()

    def _ended(self, began: float) -> RefreshEnded:
        ended = RefreshEnded(
            why="stopped" if self._stopping.is_set() else "done",
            visited=sum(self._found.values()),
            changed=self._found.get(Found.CHANGED, 0),
            found=dict(self._found),
            requests=self._requests,
            bytes=self._bytes,
            seconds=time.monotonic() - began,
        )
        self.events.tell(ended)
        return ended

    async def _nap(self) -> None:
        """Sleep until the budget allows one more request, an hour at most."""
        wait = min(max(self._memory.bucket.seconds_to_one(), 1.0), HOUR)
        await self._sleep(min(self._clock.real_seconds(wait), LONGEST_NAP))

    async def _sleep(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), max(0.0, seconds))
