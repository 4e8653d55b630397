"""Takes in what others have collected, page after page, as if each had been visited at its time; nothing is asked for.

Pages are read, judged and archived and their links queued by the code of a real visit. After a kill the work goes on
where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from haenyeo.collect.crawl.assembly import RunContext, TakingIn, taking_in_of
from haenyeo.collect.crawl.seeding.starts import added_starts, given_starts, known_starts
from haenyeo.collect.events import Events
from haenyeo.collect.importing.recording import Recording, is_known
from haenyeo.collect.importing.sources import source_of
from haenyeo.collect.links.jobs import SEED_DEPTH
from haenyeo.collect.rebuild.recorded_links import leading_to
from haenyeo.collect.rebuild.replay import FreeTurns, RecordedAsker, RecordedClient, Reel
from haenyeo.collect.visit.pdf_pages import reading_pdfs
from haenyeo.collect.visit.visitor import Visitor
from haenyeo.model.config import Settings
from haenyeo.model.pages import Url
from haenyeo.store import Store
from haenyeo.store.rebuilding import LinkNumbers

DAY = 86_400.0

Told = Callable[[int, int], None]
"""Is told how far the work is: bytes read, and all of them."""


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it: pages taken in, of which so many are kept now; what the collection had already, as new or newer.

    `other` counts records that are no pages, `lost` those whose payload is nowhere, `passed` those that an earlier
    import has read; `unread` says which files are damaged, and how.
    """

    pages: int
    kept: int
    known: int
    other: int
    lost: int
    passed: int
    unread: tuple[str, ...]

    def joined(self, other: Imported) -> Imported:
        """What came of it if another shard of the collection has read the same files, for its own sites."""
        return msgspec.structs.replace(
            other,
            pages=self.pages + other.pages,
            kept=self.kept + other.kept,
            known=self.known + other.known,
            passed=max(self.passed, other.passed),
        )

    @property
    def brought_nothing(self) -> bool:
        """Whether no file had a page, today or at an earlier import: most likely they are not what was meant."""
        return not (self.pages or self.known or self.passed)


async def take_in_files(
    store: Store, settings: Settings, files: Sequence[Path], told: Told, *, base: str = ""
) -> Imported:
    """Take in these files, from where an earlier call was cut off; `base` is the address of folders without any."""
    recording = Recording(store, [source_of(path) for path in files], base)
    everything = sum(source_of(path).size for path in files)
    kept = store.counts().kept
    reel = Reel(recording)
    taking = taking_in_of(store, settings, RunContext(clock=reel.clock, events=Events()))
    seeds = [*given_starts(settings.topic.values()), *added_starts(store.folder), *known_starts(store, settings)]
    taking.finder.begin(seeds)
    taking.queue.add(seeds, SEED_DEPTH)
    async with RecordedClient(settings.fetch, reel) as client, reading_pdfs() as pdf_pages:
        work = _Importing(store, taking, reel, RecordedAsker.of(client, taking.queue, reel, settings.fetch, pdf_pages))
        while (record := reel.next) is not None:
            if not taking.queue.is_ours(record.read.hop.url):
                reel.take()
            elif is_known(store, record.read.hop):
                recording.tally.known += 1
                reel.take()
            else:
                await work.take_in(record.read.hop.url)
                recording.tally.pages += 1
            recording.note()
            told(recording.done, everything)
    taking.finder.judge_again()
    taking.remember()
    store.flush()
    tally = recording.tally
    return Imported(
        pages=tally.pages,
        kept=store.counts().kept - kept,
        known=tally.known,
        other=tally.other,
        lost=tally.lost + reel.lost,
        passed=tally.passed,
        unread=tuple(tally.unread),
    )


class _Importing:
    """Makes the visits that the records tell of."""

    def __init__(self, store: Store, taking: TakingIn, reel: Reel, asker: RecordedAsker) -> None:
        self._store, self._taking, self._reel = store, taking, reel
        turns = FreeTurns(asker.pace, taking.queue, reel.clock, at_once=1)
        self._visitor = Visitor(store, asker, taking.absorber, turns, clock=reel.clock, events=Events())
        self._links = LinkNumbers(store)
        self._day = 0.0

    async def take_in(self, url: Url) -> None:
        """Take in the answer to a request for this address, and those to the requests it redirected to."""
        before = self._reel.next
        if self._taking.queue.is_visited(url):
            await self._visitor.revisit(url)
        else:
            await self._visitor.follow(leading_to(url, self._links, self._taking.queue, self._store))
        if self._reel.next is before:  # an address that is none by today's rules
            self._reel.take()
        if abs(self._reel.clock.now() - self._day) > DAY:
            self._day = self._reel.clock.now()
            self._taking.absorber.begin_run()
