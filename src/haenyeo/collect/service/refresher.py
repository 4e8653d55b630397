"""Visits again what is due: conditional requests, at each site's pace, within the budget.

Once in a while (an hour of the planner's clock, or as soon as the budget allows one more request) the planner is asked
what is due. Those pages are visited, the pages of a server one after the other and its lists first, different servers
at the same time as far as their sites' pace allows. What a visit finds is stored like that of any other; the planner
learns from the store.
"""

from __future__ import annotations

import asyncio
import time
from itertools import islice

from haenyeo.collect.crawl.parts import Parts
from haenyeo.collect.events import RefreshEnded
from haenyeo.collect.service.memory import Memory
from haenyeo.collect.service.sentinels import Sentinels
from haenyeo.collect.visit.absorb import MOST_LISTED
from haenyeo.collect.visit.clock import nap
from haenyeo.collect.visit.visitor import Visited
from haenyeo.html.sitemaps import entries
from haenyeo.html.urls import origin_of, site_of
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Found, Outcome

HOUR = 3600.0
MOST_AT_ONCE = 5000  # pages named in one decision
SERVER_REST = 1800.0  # seconds that a server rests which did not answer, doubling
LONGEST_SERVER_REST = 6 * HOUR
SAVE_EVERY = HOUR
LISTINGS_SHARE = 5  # one request of so many at most goes to sitemaps and feeds
LONGEST_NAP = 60.0  # real seconds
_OTHER_BYTES = frozenset({Found.CHANGED, Found.NEAR_TEXT, Found.SAME_TEXT})


class Refresher:
    """One run of refreshing over one collection; `heeds_lists` if what lists say of their items is taken in."""

    def __init__(self, parts: Parts, memory: Memory, *, heeds_lists: bool = True) -> None:
        self._parts, self._memory, self._clock = parts, memory, parts.clock
        self._sentinels = Sentinels(parts.store, memory) if heeds_lists else None
        self.events = parts.events
        self._stopping = asyncio.Event()
        self._resting: dict[str, tuple[float, int]] = {}
        self._saved_at, self._began = parts.clock.now(), time.monotonic()
        self._found: dict[str, int] = {}
        self._requests = self._bytes = 0
        self._for_listings = 1.0

    def stop(self) -> None:
        """Start no more visits; `run` returns once those under way have ended."""
        self._stopping.set()

    async def run_once(self) -> RefreshEnded:
        """Visit what is due now, as far as the budget goes, and return."""
        self._memory.bucket.fill_first()
        self._memory.catch_up()
        await self._visit_due(self._memory.bucket.available(self._clock.now()))
        self.save()
        return self._ended()

    async def run(self) -> RefreshEnded:
        """Go on until `stop` is called."""
        while not self._stopping.is_set():
            await self.step()
            await self._nap()
        self.save()
        return self._ended()

    async def step(self, most_pages: int = MOST_AT_ONCE) -> None:
        """One decision: visit what is due, as far as the budget goes, and no more than so many pages."""
        if self._parts.network:
            await self._parts.network.back(self._stopping)
        now = self._clock.now()
        available = self._memory.bucket.available(now)
        if available >= 1 and not self._stopping.is_set():
            self._memory.catch_up()
            await self._visit_due(available, most_pages)
        if not 0 <= now - self._saved_at < SAVE_EVERY:
            self.save()

    async def _visit_due(self, limit: int, most_pages: int = MOST_AT_ONCE) -> None:
        """Visit the sitemaps and feeds whose time has come, then the pages that are due."""
        listings = dict[str, list[Url]]()
        self._for_listings = min(self._for_listings, limit) + limit / LISTINGS_SHARE
        for url in self._memory.signals.listings_due(self._clock.now(), int(self._for_listings)):
            listings.setdefault(origin_of(url), []).append(Url(url))
        count = sum(map(len, listings.values()))
        self._for_listings -= count
        await self._visit_all(listings)
        await self._visit_all(self._due(min(limit - count, most_pages)))

    def _due(self, limit: int) -> dict[str, list[Url]]:
        """The most urgent pages by server; those of servers that rest are left to rest."""
        now, due = self._clock.now(), dict[str, list[Url]]()
        left = limit
        while left > 0 and (urls := self._memory.planner.due(now, left)):
            resting = 0
            for url in map(Url, urls):
                origin = origin_of(url)
                until = self._resting.get(origin, (0.0, 0))[0]
                if until > now:
                    self._memory.planner.rest([url], until)
                    resting += 1
                elif url not in due.get(origin, ()):
                    due.setdefault(origin, []).append(url)
            if not resting:
                break
            left = limit - sum(map(len, due.values()))
        return due

    async def _visit_all(self, due: dict[str, list[Url]]) -> None:
        items = self._parts.watch.shelf.item_map()
        async with asyncio.TaskGroup() as visits:
            for origin, urls in due.items():
                visits.create_task(self._visit_server(origin, items.in_order(urls)))
        self._parts.store.flush()

    async def _visit_server(self, origin: str, urls: list[Url]) -> None:
        """Visit pages of one server in turn; when it rests or does not answer, the others stay due or rest with it."""
        for place, url in enumerate(urls):
            if self._stopping.is_set():
                return
            if not self._is_ours(url):
                self._memory.retire(url)
                continue
            visited = await self._parts.visitor.revisit(url, stopping=self._stopping)
            self._note(url, visited)
            if visited.answer.retryable:
                self._let_rest(origin, urls[place:])
            if visited.answer.retryable or not visited.asked:
                return

    def _is_ours(self, url: Url) -> bool:
        page = self._parts.store.page(url)
        return page is not None and page.url == url and (page.kept or url in self._memory.signals)

    def _note(self, url: Url, visited: Visited) -> None:
        """Take what a visit says of other pages, and count what it cost."""
        answer = visited.answer
        self._memory.bucket.spend(visited.requests)
        self._requests += visited.requests
        self._bytes += sum(len(hop.body) for hop in answer.hops)
        if answer.status:
            self._resting.pop(origin_of(url), None)
        if visited.event is None:
            return
        self._found[visited.event.found] = self._found.get(visited.event.found, 0) + 1
        if url in self._memory.signals:
            self._note_listing(url, answer)
        elif self._sentinels and visited.before and visited.event.found in _OTHER_BYTES:
            self._sentinels.look(answer, visited.before, self._clock.now())
        if answer.outcome in (Outcome.PAGE, Outcome.UNCHANGED) and answer.final_url != url:
            self._memory.retire(url)

    def _note_listing(self, url: Url, answer: Answer) -> None:
        """A sitemap or feed was asked for: take what it says of pages."""
        self._memory.signals.asked(url, self._clock.now(), gone=answer.outcome is Outcome.GONE)
        if answer.outcome is Outcome.PAGE:
            self._memory.heed(islice(entries(answer.body, answer.final_url), MOST_LISTED), site_of(url))

    def _let_rest(self, origin: str, urls: list[Url]) -> None:
        """Leave a server alone that did not answer, longer each time."""
        now, before = self._clock.now(), self._resting.get(origin, (0.0, 0))[1]
        until = now + min(SERVER_REST * 2**before, LONGEST_SERVER_REST)
        self._resting[origin] = (until, before + 1)
        self._memory.planner.rest(urls, until)

    def save(self) -> None:
        """Keep what the planner knows."""
        self._memory.catch_up()
        self._memory.save()
        self._parts.store.flush()
        self._saved_at = self._clock.now()

    def _ended(self) -> RefreshEnded:
        ended = self.so_far()
        self.events.tell(ended)
        return ended

    def so_far(self) -> RefreshEnded:
        """What visiting has come to by now."""
        return RefreshEnded(
            why="stopped" if self._stopping.is_set() else "done",
            visited=sum(self._found.values()),
            changed=self._found.get(Found.CHANGED, 0),
            found=dict(self._found),
            requests=self._requests,
            bytes=self._bytes,
            seconds=time.monotonic() - self._began,
            pages=self._memory.planner.planned(),
            fresh=self._share_fresh(),
        )

    def _share_fresh(self) -> float | None:
        """The share of copies that are expected to be up to date now."""
        chances = self._memory.planner.chances(self._clock.now())
        return None if chances is None or not len(chances) else float(chances.mean())

    async def _nap(self) -> None:
        """Sleep until the budget allows one more request, an hour at most."""
        wait = min(max(self._memory.bucket.seconds_to_one(), 1.0), HOUR)
        await nap(min(self._clock.real_seconds(wait), LONGEST_NAP), self._stopping)
