"""Takes a whole archive in anew, visit after visit, as if every answer came now.

What is in the archive comes back: pages, texts, visits, links, what waits, what sites have taught. What never was: that
a server did not answer, or that robots.txt refused an address (such addresses wait again), and what the user said. The
last is taken over from the old database if that can be read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import msgspec

from haenyeo.collect.adapters.finding.shared_crawl import TURNS
from haenyeo.collect.adapters.finding.topics import JUDGED
from haenyeo.collect.adapters.watching.saved_rules import PART as RULES
from haenyeo.collect.adapters.watching.watchlist import PART as WATCHED
from haenyeo.collect.crawl.assembly import RunContext, taking_in_of
from haenyeo.collect.crawl.seeding.starts import PART as SEEDS
from haenyeo.collect.crawl.seeding.starts import added_starts, given_starts, known_starts
from haenyeo.collect.events import Events
from haenyeo.collect.links.jobs import SEED_DEPTH
from haenyeo.collect.rebuild.recorded_links import leading_to
from haenyeo.collect.rebuild.replay import FreeTurns, RecordedAsker, RecordedClient, Reel
from haenyeo.collect.visit.soft_gone import nowhere
from haenyeo.collect.visit.visitor import Visitor
from haenyeo.fetch.robots import MAX_BYTES, Robots
from haenyeo.fetch.robots_keeper import rules_text
from haenyeo.fetch.transport.requests import name_of
from haenyeo.html.urls import origin_of
from haenyeo.model.config import Settings
from haenyeo.model.pages import Url
from haenyeo.store import Session
from haenyeo.store.elsewhere import length_of
from haenyeo.store.rebuilding import LinkNumbers, RebuildingStore

USERS_OWN = (JUDGED, RULES, WATCHED, SEEDS, TURNS)
COMMIT_EVERY = 200  # visits that a kill may cost, to be made again
UNDER_WAY = 64  # visits that may have been made while another waited for its answer
ROBOTS = "/robots.txt"
DAY = 86_400.0

Told = Callable[[int, int], None]
"""Is told how far the work is: bytes of the archive read, and all of them."""


class Rebuilt(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it.

    `visits` counts those taken in by this call, `carried` what was taken over from the old database (None if that could
    not be read), `lost` the answers whose payload is in no file any more, `unread` says where files are damaged.
    """

    visits: int
    pages: int
    kept: int
    waiting: int
    carried: int | None
    lost: int
    unread: tuple[str, ...]


async def rebuild(store: RebuildingStore, settings: Settings, told: Told) -> Rebuilt:
    """Fill the new database from the archive, from where an earlier call was cut off; it is not put in place yet."""
    carried = store.copy_states(USERS_OWN)
    reel = Reel(store.archive)
    everything = sum(map(length_of, store.archive.files))
    async with RecordedClient(settings.fetch, reel) as client:
        work = _Replay(store, settings, reel, client)
        while (record := reel.next) is not None:
            work.follow_on(record.session)
            await work.take_in(record.read.hop.url)
            told(record.done, everything)
    work.remember()
    store.commit()
    counts = store.counts()
    return Rebuilt(
        visits=work.visits,
        pages=counts.asked,
        kept=counts.kept,
        waiting=store.waiting_count(),
        carried=carried if carried >= 0 else None,
        lost=reel.lost,
        unread=tuple(store.archive.unread),
    )


class _Replay:
    """Makes the visits that the records tell of, session after session, with what was known in each."""

    def __init__(self, store: RebuildingStore, settings: Settings, reel: Reel, client: RecordedClient) -> None:
        self._store, self._settings, self._reel = store, settings, reel
        self._client, self._name = client, name_of(settings.fetch)
        self._links = LinkNumbers(store)
        self._led_to: deque[Url | None] = deque(maxlen=UNDER_WAY)
        self._day = 0.0
        self.visits = self._visits_before = 0
        self._begin()

    def _begin(self) -> None:
        """Take up what was learnt, and queue the seeds, as a crawl does at its start."""
        store, settings, reel = self._store, self._settings, self._reel
        self._taking = taking = taking_in_of(store, settings, RunContext(clock=reel.clock, events=Events()))
        asker = RecordedAsker.of(self._client, taking.queue, reel, settings.fetch)
        turns = FreeTurns(asker.pace, taking.queue, reel.clock, at_once=1)
        self._visitor = Visitor(store, asker, taking.absorber, turns, clock=reel.clock, events=Events())
        seeds = [*given_starts(settings.topic.values()), *added_starts(store.folder), *known_starts(store, settings)]
        taking.finder.begin(seeds)
        taking.queue.add(seeds, SEED_DEPTH)

    def follow_on(self, session: Session) -> None:
        """Put down what was learnt if that was done before the next record was made; take it up as that was."""
        if session is Session.GOES_ON or self.visits == self._visits_before:
            return
        self.remember()
        if session is Session.BEGINS:
            self._led_to.clear()
            self._begin()

    def remember(self) -> None:
        """Put down what was learnt, as at the end of a crawl, when pages are judged again before they are counted."""
        self._taking.finder.judge_again()
        self._taking.remember()
        self._visits_before = self.visits

    async def take_in(self, url: Url) -> None:
        """Take in what was answered to a request for this address, and to those it redirected to."""
        before, origin = self._reel.next, origin_of(url)
        if url == nowhere(origin):
            self._visitor.hear_probe(await self._visitor.ask(url))
        elif url == f"{origin}{ROBOTS}" and self._links.number_of(url) is None:
            await self._hear_robots(url)
        else:
            await self._visit(url)
        if self._reel.next is before:  # an address that is none by today's rules
            self._reel.take()

    async def _visit(self, url: Url) -> None:
        """Make the visit that began with a request for this address.

        One that a redirect has led to a moment ago may have been asked for at the same time, by its own link.
        """
        if self._taking.queue.is_visited(url) and url not in self._led_to:
            await self._visitor.revisit(url)
        else:
            visited = await self._visitor.follow(leading_to(url, self._links, self._taking.queue, self._store))
            self._led_to.append(visited.answer.final_url if visited.answer.final_url != url else None)
        self.visits += 1
        if self.visits % COMMIT_EVERY == 0:
            self._taking.remember_traps()
            self._store.commit()
        if self._reel.clock.now() - self._day > DAY:
            self._day = self._reel.clock.now()
            self._taking.absorber.begin_run()

    async def _hear_robots(self, url: Url) -> None:
        """Queue the sitemaps that a robots.txt names, if the page that it was asked for is a seed."""
        answer = await self._client.fetch_file(url, _anywhere, limit_bytes=MAX_BYTES)
        asked_for = self._reel.next
        sitemaps = Robots.parse(rules_text(answer) or b"", self._name).sitemaps
        if sitemaps and asked_for is not None and origin_of(asked_for.read.hop.url) == origin_of(url):
            job = leading_to(asked_for.read.hop.url, self._links, self._taking.queue, self._store)
            if job.depth == 0:
                self._taking.absorber.add_sitemaps(sitemaps)


async def _anywhere(_: Url) -> str:
    """Every redirect of a robots.txt was followed."""
    return ""
