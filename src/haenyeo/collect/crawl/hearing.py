"""A crawl under way hears what the user says of pages: it looks every second for verdicts that were handed over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from haenyeo.collect.adapters.finding.finder import Finder
from haenyeo.collect.adapters.finding.handing import handed, settle
from haenyeo.collect.adapters.finding.said import note
from haenyeo.model.config import Settings
from haenyeo.store import Store

LOOK_EVERY = 1.0  # seconds


@asynccontextmanager
async def hearing(store: Store, finder: Finder, settings: Settings) -> AsyncIterator[None]:
    """Inside, verdicts that are handed over take effect within a second or two."""
    take_up(store, finder, settings)
    listening = asyncio.create_task(_listen(store, finder, settings))
    try:
        yield
    finally:
        listening.cancel()
        with suppress(asyncio.CancelledError):
            await listening
    take_up(store, finder, settings)


async def _listen(store: Store, finder: Finder, settings: Settings) -> None:
    while True:
        await asyncio.sleep(LOOK_EVERY)
        take_up(store, finder, settings)


def take_up(store: Store, finder: Finder, settings: Settings) -> None:
    """Let all verdicts that wait take effect; one on a topic this crawl does not know is left for another."""
    waiting = [(path, verdict) for path, verdict in handed(store.folder) if verdict.topic in settings.topic]
    if not waiting:
        return
    done = [(path, note(store, verdict)) for path, verdict in waiting]
    gained, lost = finder.hear([verdict for _, verdict in waiting])
    store.flush()
    for path, correction in done:
        settle(path, correction.counted(gained, lost))
