"""Asks for one page: robots.txt first, then the page, its redirects held to the same rules as links."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial

from haenyeo.collect.advice import ROBOTS_UNREACHABLE
from haenyeo.collect.events import VISITED
from haenyeo.collect.links.jobs import NO_REF, Job
from haenyeo.collect.links.queue import CrawlQueue
from haenyeo.collect.visit.clock import Clock
from haenyeo.collect.visit.markdown_offers import MarkdownOffers
from haenyeo.collect.visit.network import NO_NETWORK, Network, cut_off_answer
from haenyeo.collect.visit.pdf_pages import PdfPages, is_pdf
from haenyeo.collect.visit.rendering import Rendering
from haenyeo.fetch.browser.page_run import Headers
from haenyeo.fetch.client import Client
from haenyeo.fetch.pace import Pace
from haenyeo.fetch.robots_keeper import RobotsKeeper
from haenyeo.html.sitemaps import is_listing
from haenyeo.html.urls import origin_of, site_of
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome, Validators

LISTING_BYTES = 64 * 1024 * 1024  # the sitemap protocol allows 50 MB
PART_BYTES = 16 * 1024 * 1024  # of a script, or of the data that a script asks for
LONGEST_REDIRECT_WAIT = 10.0  # seconds a redirect waits for its site's turn
ROBOTS_PATIENCE = 10.0  # seconds that a crawl waits until an unreachable robots.txt is tried again; not longer
LONG = 3600.0  # seconds for which a site without reachable robots.txt is left alone
TIRED = "redirect to a site that needs rest"
ABROAD = "redirect to a site of another shard"

SitemapsFound = Callable[[Sequence[str]], None]


class Asker:
    """Knows whether a page may be asked for, and asks.

    `on_sitemaps` is called with the sitemaps of hosts that the user has named. With a `network`, an answer that did not
    come because nothing answers at all says so.
    """

    def __init__(  # noqa: PLR0913 - what a request passes through
        self,
        client: Client,
        keeper: RobotsKeeper | None,
        pace: Pace,
        queue: CrawlQueue,
        *,
        clock: Clock,
        network: Network | None,
        on_sitemaps: SitemapsFound,
        rendering: Rendering | None = None,
        pdfs: PdfPages | None = None,
        markdown: MarkdownOffers | None = None,
    ) -> None:
        self._client, self._keeper, self._pace, self._queue = client, keeper, pace, queue
        self._clock, self._network, self._on_sitemaps = clock, network, on_sitemaps
        self._rendering, self._pdfs, self._markdown = rendering, pdfs, markdown
        self._origins: set[str] = set()

    async def ask(self, job: Job, validators: Validators | None, on_answer: Callable[[], None]) -> Answer:
        """What comes of asking for a page; `on_answer` is called when the server has begun to answer."""
        if not self._is_open(job.url):
            refusal = await self._robots_refusal(job.url, job)
            if refusal is not None:
                on_answer()
                return refusal
            self._pace.asked(job.site, origin_of(job.url), self._clock.now())  # robots.txt may have taken long to come
        permit = partial(self._permit, job)
        if is_listing(job.url) and validators is None:
            answer = await self._client.fetch_file(job.url, permit, limit_bytes=LISTING_BYTES)
        else:
            headers = self._markdown.headers(job.url) if self._markdown else ()
            answer = await self._client.fetch(job.url, validators, permit, on_answer=on_answer, headers=headers)
            if self._markdown is not None:
                self._markdown.hear(answer)
            if self._rendering is not None and answer.outcome is Outcome.PAGE:
                answer = await self._rendering.seen(answer, partial(self._ask_part, job))
            elif self._pdfs is not None and is_pdf(answer):
                answer = await self._pdfs.read(answer)
        return self._clock.stamped(answer) if self._network is None else await self._seen_through(answer, self._network)

    async def _seen_through(self, answer: Answer, network: Network) -> Answer:
        """The answer, or one that says so if there is none because the network is lost."""
        if answer.hops:
            network.answered(answer.hops[-1].url)
        silent = answer.outcome is Outcome.FAILED and not answer.hops
        if answer.reason == _redirect_refused(NO_NETWORK) or (silent and await network.cut_off(answer.url)):
            return cut_off_answer(answer.url)
        return self._clock.stamped(answer)

    def _is_open(self, url: Url) -> bool:
        """Whether the rules at hand, taken up before, let the address be asked for: true of nearly every one."""
        if self._keeper is None:
            return True
        origin = origin_of(url)
        rules = self._keeper.at_hand(origin) if origin in self._origins else None
        return rules is not None and rules.allows(url)

    async def _robots_refusal(self, url: Url, job: Job) -> Answer | None:
        """The answer in place of one that robots.txt does not allow to ask for, or None."""
        if self._keeper is None:
            return None
        began = time.monotonic()
        rules = await self._keeper.rules(url)
        if self._network and self._keeper.is_unanswered(url, began) and await self._network.cut_off(url):
            self._keeper.forgive(url)
            return cut_off_answer(url)
        self._heed(url, rules.crawl_delay, rules.sitemaps, job)
        if rules.allows(url):
            return None
        refusal = Answer(url=url, final_url=url, outcome=Outcome.REFUSED, reason="robots.txt")
        retry_at = self._keeper.retry_at(url)
        if retry_at is None:
            return refusal
        return self._unreachable(url, retry_at - time.time(), self._keeper.trouble(url))

    @staticmethod
    def _unreachable(url: Url, wait: float, trouble: str) -> Answer:
        return Answer(
            url=url,
            final_url=url,
            outcome=Outcome.REFUSED,
            reason=f"{ROBOTS_UNREACHABLE}: {trouble}",
            retryable=True,
            retry_after=max(0.0, wait) if wait <= ROBOTS_PATIENCE else LONG,
        )

    def _heed(self, url: Url, crawl_delay: float | None, sitemaps: Sequence[str], job: Job) -> None:
        """Take up what robots.txt asks for, once for each origin; sitemaps only of hosts the user has named."""
        origin = origin_of(url)
        if origin in self._origins:
            return
        self._origins.add(origin)
        self._pace.heed(site_of(url), crawl_delay)
        if url == job.url and job.ref != NO_REF and job.depth == 0 and sitemaps:
            self._on_sitemaps(sitemaps)

    async def _permit(self, job: Job, target: Url) -> str:
        """Why a redirect is not followed, or nothing; waits for the turn of the target's site if it is.

        A page that someone named, or that is known, may lead anywhere and to pages that were visited.
        """
        if job.ref != NO_REF and not self._queue.follows(target):
            return "redirect out of scope"
        if job.ref != NO_REF and self._queue.is_visited(target):
            return VISITED
        if not self._queue.is_ours(target):
            return ABROAD
        refusal = await self._robots_refusal(target, job)
        if refusal is not None:
            return _redirect_refused(refusal.reason)
        return await self._wait_for_redirect(target, job)

    async def _ask_part(self, job: Job, url: Url, headers: Headers) -> Answer:
        """What is answered to a page that asks for something by script: held to robots.txt and pace as all requests."""
        permit = partial(self._permit_part, job)
        refusal = await permit(url)
        if refusal:
            return Answer(url=url, final_url=url, outcome=Outcome.REFUSED, reason=refusal)
        answer = await self._client.fetch_file(url, permit, limit_bytes=PART_BYTES, headers=headers)
        self._pace.answered(origin_of(answer.final_url), answer, self._clock.now())
        return answer

    async def _permit_part(self, job: Job, target: Url) -> str:
        """Why a part of a page is not asked for, or nothing; waits for its site's turn."""
        refusal = await self._robots_refusal(target, job)
        return refusal.reason if refusal is not None else await self._wait_for_redirect(target, job)

    async def _wait_for_redirect(self, target: Url, job: Job) -> str:
        """Wait for the pace of a redirect's site and server; why it is not followed if that takes too long."""
        site, origin, waited_until = site_of(target), origin_of(target), 0.0
        while (ready := self._ready_at(site, origin)) > max(self._clock.now(), waited_until):
            wait = ready - self._clock.now()
            if wait > LONGEST_REDIRECT_WAIT:
                return TIRED
            await asyncio.sleep(self._clock.real_seconds(wait))
            waited_until = ready
        ready_at = self._pace.asked(site, origin, self._clock.now())
        if site != job.site:
            self._queue.postpone(site, ready_at)
        return ""

    def _ready_at(self, site: str, origin: str) -> float:
        return max(self._pace.ready_at(site), self._pace.rests_until(origin))


def requests_made(answer: Answer) -> int:
    """How many requests a visit cost, redirects included; none if it was refused or the network is lost."""
    unasked = answer.outcome is Outcome.REFUSED or answer.reason == NO_NETWORK
    return answer.parts + (len(answer.hops) or (0 if unasked else 1))


def _redirect_refused(reason: str) -> str:
    return f"redirect: {reason}"
