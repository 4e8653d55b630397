"""A crawl under way hears what the user says of pages: it looks every second for verdicts that were handed over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from haenyeo.collect.adapters.finding.handing import Verdict, handed, settle
from haenyeo.collect.adapters.finding.judging import judge_again, note
from haenyeo.collect.adapters.finding.resume import teach_known
from haenyeo.collect.adapters.finding.topical import TopicFinder
from haenyeo.collect.crawl.loop import Parts
from haenyeo.model.config import Settings

LOOK_EVERY = 1.0  # seconds


@asynccontextmanager
async def hearing(parts: Parts, settings: Settings) -> AsyncIterator[None]:
    """Inside, verdicts that are handed over take effect within a second or two."""
    take_up(parts, settings)
    listening = asyncio.create_task(_listen(parts, settings))
    try:
        yield
    finally:
        listening.cancel()
        with suppress(asyncio.CancelledError):
            await listening
    take_up(parts, settings)


async def _listen(parts: Parts, settings: Settings) -> None:
    while True:
        await asyncio.sleep(LOOK_EVERY)
        take_up(parts, settings)


def take_up(parts: Parts, settings: Settings) -> None:
    """Let all verdicts that wait take effect; one on a topic this crawl does not know is left for another."""
    store = parts.store
    waiting = [(path, verdict) for path, verdict in handed(store.folder) if verdict.topic in settings.topic]
    if not waiting:
        return
    done = [(path, note(store, verdict)) for path, verdict in waiting]
    finder = parts.absorber.finder
    gained = lost = 0
    if isinstance(finder, TopicFinder):
        _teach(finder, parts, [verdict for _, verdict in waiting])
        gained, lost = judge_again(store, finder)
    store.flush()
    for path, correction in done:
        settle(path, correction.counted(gained, lost))


def _teach(finder: TopicFinder, parts: Parts, verdicts: list[Verdict]) -> None:
    """Teach what is known of the pages, put the queue in order, and ask first for pages that are not known yet."""
    for verdict in verdicts:
        finder.told.setdefault(verdict.url, {})[verdict.topic] = verdict.relevant
    teach_known(finder, parts.store)
    unknown = finder.unfetched()
    parts.queue.exempt.update(unknown)
    parts.absorber.add_seeds(unknown)
    finder.hurry(unknown)
    finder.revise()
