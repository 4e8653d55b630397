"""Asks for one link: robots.txt first, then the page, its redirects held to the same rules as links."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial

from haenyeo.collect.events import VISITED
from haenyeo.collect.links.queue import CrawlQueue, Job
from haenyeo.collect.visit.absorb import TIRED, is_listing
from haenyeo.collect.visit.clock import Clock
from haenyeo.collect.visit.network import NO_NETWORK, Network, cut_off_answer
from haenyeo.fetch.client import Client
from haenyeo.fetch.pace import Pace
from haenyeo.fetch.robots_keeper import RobotsKeeper
from haenyeo.html.urls import origin_of, site_of
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome, Validators

LISTING_BYTES = 64 * 1024 * 1024  # the sitemap protocol allows 50 MB
LONGEST_REDIRECT_WAIT = 10.0  # seconds a redirect waits for its site's turn
ROBOTS_PATIENCE = (
    10.0  # seconds until an unreachable robots.txt is tried again, beyond which a crawl does not wait for it
)
LONG = 3600.0  # seconds for which a site without reachable robots.txt is left alone

SitemapsFound = Callable[[Job, Sequence[str]], None]


class Asker:
    """Knows whether a page may be asked for, and asks."""

    def __init__(self, client: Client, keeper: RobotsKeeper | None, pace: Pace, queue: CrawlQueue) -> None:
        self._client, self._keeper, self._pace, self._queue = client, keeper, pace, queue
        self._origins: set[str] = set()
        self.on_sitemaps: SitemapsFound = lambda _job, _urls: None
        self.clock = Clock()
        self.network: Network | None = None

    async def ask(self, job: Job, on_answer: Callable[[], None]) -> Answer:
        """What comes of asking for this link; `on_answer` is called when the server has begun to answer."""
        refusal = None if self._is_open(job.url) else await self.robots_refusal(job.url, job)
        if refusal is not None:
            on_answer()
            return refusal
        permit = partial(self._permit, job)
        if is_listing(job.url):
            answer = await self._client.fetch_file(job.url, permit, limit_bytes=LISTING_BYTES)
        else:
            answer = await self._client.fetch(job.url, None, permit, on_answer=on_answer)
        return self.clock.stamped(answer) if self.network is None else await self._seen_through(answer, self.network)

    async def ask_again(self, job: Job, validators: Validators | None) -> Answer:
        """What comes of asking for a page that someone named or that is known; it may lead to pages already visited."""
        refusal = await self.robots_refusal(job.url)
        if refusal is not None:
            return refusal
        answer = await self._client.fetch(job.url, validators, self._permit_again)
        return self.clock.stamped(answer) if self.network is None else await self._seen_through(answer, self.network)

    async def _seen_through(self, answer: Answer, network: Network) -> Answer:
        """The answer, or one that says so if there is none because the network is lost."""
        if answer.hops:
            network.answered(answer.hops[-1].url)
        silent = answer.outcome is Outcome.FAILED and not answer.hops
        if answer.reason == _redirect_refused(NO_NETWORK) or (silent and await network.cut_off(answer.url)):
            return cut_off_answer(answer.url)
        return self.clock.stamped(answer)

    async def _permit_again(self, target: Url) -> str:
        """Why a redirect of a known page is not followed."""
        refusal = await self.robots_refusal(target)
        return _redirect_refused(refusal.reason) if refusal else ""

    def _is_open(self, url: Url) -> bool:
        """Whether the rules at hand, taken up before, let the address be asked for: true of nearly every one."""
        if self._keeper is None:
            return True
        origin = origin_of(url)
        rules = self._keeper.at_hand(origin) if origin in self._origins else None
        return rules is not None and rules.allows(url)

    async def robots_refusal(self, url: Url, job: Job | None = None) -> Answer | None:
        """The answer in place of one that robots.txt does not allow to ask for, or None."""
        if self._keeper is None:
            return None
        began = time.monotonic()
        rules = await self._keeper.rules(url)
        if self.network and self._keeper.is_unanswered(url, began) and await self.network.cut_off(url):
            self._keeper.forgive(url)
            return cut_off_answer(url)
        self._heed(url, rules.crawl_delay, rules.sitemaps, job)
        if rules.allows(url):
            return None
        refusal = Answer(url=url, final_url=url, outcome=Outcome.REFUSED, reason="robots.txt")
        retry_at = self._keeper.retry_at(url)
        return refusal if retry_at is None else self._unreachable(refusal, retry_at - time.time())

    @staticmethod
    def _unreachable(refusal: Answer, wait: float) -> Answer:
        return Answer(
            url=refusal.url,
            final_url=refusal.url,
            outcome=Outcome.REFUSED,
            reason="robots.txt unreachable",
            retryable=True,
            retry_after=max(0.0, wait) if wait <= ROBOTS_PATIENCE else LONG,
        )

    def _heed(self, url: Url, crawl_delay: float | None, sitemaps: Sequence[str], job: Job | None) -> None:
        """Take up what robots.txt asks for, once for each origin; sitemaps only of hosts the user has named."""
        origin = origin_of(url)
        if origin in self._origins:
            return
        self._origins.add(origin)
        self._pace.heed(site_of(url), crawl_delay)
        if job is not None and job.depth == 0 and sitemaps:
            self.on_sitemaps(job, sitemaps)

    async def _permit(self, job: Job, target: Url) -> str:
        """Why a redirect is not followed; waits for the turn of the target's site if it is."""
        if not self._queue.follows(target):
            return "redirect out of scope"
        if self._queue.is_visited(target):
            return VISITED
        refusal = await self.robots_refusal(target)
        if refusal is not None:
            return _redirect_refused(refusal.reason)
        site, now = site_of(target), self.clock.now()
        wait = self._pace.ready_at(site) - now
        if wait > LONGEST_REDIRECT_WAIT:
            return TIRED
        if wait > 0:
            await asyncio.sleep(self.clock.real_seconds(wait))
        ready_at = self._pace.asked(site, self.clock.now())
        if site != job.site:
            self._queue.postpone(site, ready_at)
        return ""


def requests_made(answer: Answer) -> int:
    """How many requests a visit cost, redirects included; none if it was refused or the network is lost."""
    unasked = answer.outcome is Outcome.REFUSED or answer.reason == NO_NETWORK
    return len(answer.hops) or (0 if unasked else 1)


def _redirect_refused(reason: str) -> str:
    return f"redirect: {reason}"
