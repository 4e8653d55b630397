"""Visits to pages that someone named or that are known already, outside the crawl's queue, with the crawl's manners."""

from __future__ import annotations

import asyncio

import msgspec

from haenyeo.collect.crawl.loop import Parts
from haenyeo.collect.events import PageVisited
from haenyeo.collect.links.queue import NO_REF, Job
from haenyeo.collect.visit.network import NO_NETWORK
from haenyeo.html.urls import site_of
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer
from haenyeo.store import StoredPage

LONGEST_WAIT = 60.0
"""Seconds a visit waits for its site's turn."""


class Visited(msgspec.Struct, frozen=True, kw_only=True):
    """A visit: the answer, and what was made of it, if anything; `before` is the page as it was stored, if it was."""

    answer: Answer
    event: PageVisited | None
    before: StoredPage | None


class Visitor:
    """Asks for one page at a time: robots.txt, the site's pace, a conditional request where the page is known."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def visit(self, url: Url) -> Visited:
        """Ask for a page, store all that it caused, and return what came."""
        parts = self._parts
        before = parts.store.page(url)
        known = before if before is not None and before.fetched_at is not None else None
        job = Job(ref=NO_REF, url=url, site=site_of(url), depth=known.depth if known else 0, score=1.0)
        await self._wait(job.site)
        parts.pace.asked(job.site, parts.asker.clock.now())
        validators = known.validators if known is not None and known.url == url else None
        answer = await parts.asker.ask_again(job, validators)
        parts.pace.answered(job.site, answer, parts.asker.clock.now())
        event = None
        if answer.reason != NO_NETWORK:
            event = parts.absorber.absorb(job, answer, known)
            parts.store.flush()
        return Visited(answer=answer, event=event, before=known)

    async def _wait(self, site: str) -> None:
        clock = self._parts.asker.clock
        wait = self._parts.pace.ready_at(site) - clock.now()
        if wait > 0:
            await asyncio.sleep(clock.real_seconds(min(wait, LONGEST_WAIT)))
