"""What the planner knows, and how it survives: a snapshot now and then, and the visits since from the store.

The store has every visit, whoever made it: a crawl, a refresh, a watch. So nothing needs to be told to the planner as
it happens, and a kill at any moment costs nothing: the next start takes the last snapshot and reads on from there.

Pages that do not answer as they should are not given up at once. One that is gone (404, 410, or a page that only says
so) is looked at again after a day, after three and after nine, and then retired; one that gives no answer that tells
rests for an hour, then two, up to a day. All this too follows from the visits alone.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

import msgspec

from haenyeo.collect.service.promises_kept import keep_promises
from haenyeo.collect.service.signals import Signals, SignalState
from haenyeo.collect.visit.bucket import Bucket
from haenyeo.html.sitemaps import SitemapEntry
from haenyeo.model.errors import StoreError
from haenyeo.model.parts import RevisitPlanner
from haenyeo.model.visits import Found
from haenyeo.refresh.urgency import UrgencyPlanner
from haenyeo.store import PageVisit, Store

log = logging.getLogger(__name__)

HOUR, DAY = 3600.0, 86_400.0
GONE_CHECKS = 4  # visits that find a page gone before it is retired
LONGEST_REST = DAY
BATCH = 4096
PART = "planner"


class Trouble(msgspec.Struct, frozen=True, array_like=True):
    """How often in a row a page was found gone or gave no answer that tells, and until when it is left alone."""

    gone: int = 0
    silent: int = 0
    until: float = 0.0


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """All that is kept between two runs; it holds what visits up to the one of number `visit` have taught."""

    visit: int
    planner: bytes
    troubles: dict[str, Trouble]
    signals: SignalState
    requests: float
    filled_at: float


class Memory:
    """A planner that keeps up with the store's visits."""

    def __init__(self, store: Store, name: str, planner: RevisitPlanner, bucket: Bucket) -> None:
        self.planner, self.bucket = planner, bucket
        self._store, self._name = store, name
        self._visit = 0
        self._troubles: dict[str, Trouble] = {}
        self.signals = Signals()
        self._load()

    def catch_up(self) -> int:
        """Take in all visits since the last time; returns how many of them were to known pages."""
        again, batch = 0, list[PageVisit]()
        for visit in self._store.page_visits(self._visit):
            if batch and (len(batch) >= BATCH or visit.at // HOUR != batch[0].at // HOUR):
                self._take(batch)
                batch = []
            batch.append(visit)
            again += visit.found is not Found.NEW
        self._take(batch)
        return again

    def save(self) -> None:
        """Keep all that is known; it is safe with the store's next `flush`."""
        snapshot = Snapshot(
            visit=self._visit,
            planner=self.planner.dump(),
            troubles=self._troubles,
            signals=self.signals.state,
            requests=self.bucket.requests,
            filled_at=self.bucket.filled_at,
        )
        self._store.put_state(PART, self._name, msgspec.msgpack.encode(snapshot))
        if isinstance(self.planner, UrgencyPlanner):
            keep_promises(self._store, self.planner.promise.weeks())

    def heed(self, entries: Iterable[SitemapEntry], site: str) -> int:
        """Take what a sitemap or feed says of the pages we know; returns how many it claims to have changed."""
        dated = {entry.url: entry.modified.timestamp() for entry in entries if entry.modified is not None}
        seen = self.planner.last_visits(list(dated))
        claimed = [url for (url, at), last in zip(dated.items(), seen, strict=True) if last is not None and at > last]
        self.planner.hint(claimed, self.signals.claim(claimed, site))
        return len(claimed)

    def heed_list(self, list_url: str, claimed: list[str]) -> None:
        """Take what a list says of its items: that these have changed."""
        chance = self.signals.claim_by_list(claimed, list_url)
        if chance:
            self.planner.hint(claimed, chance)

    def retire(self, url: str) -> None:
        """This page is no longer one of ours."""
        self.signals.forget(url)
        self.planner.retire([url])
        self._troubles.pop(url, None)

    def _load(self) -> None:
        data = self._store.state(PART, self._name)
        if data is None:
            return
        try:
            snapshot = msgspec.msgpack.decode(data, type=Snapshot)
            self.planner.load(snapshot.planner)
        except (msgspec.DecodeError, msgspec.ValidationError, StoreError) as error:
            log.warning("the planner's memory cannot be read and is made anew from the visits: %s", error)
            return
        self._visit, self._troubles = snapshot.visit, dict(snapshot.troubles)
        self.signals = Signals(snapshot.signals)
        for url, trouble in self._troubles.items():
            self.planner.rest([url], trouble.until)
        for url in self.signals.state.claims:
            if chance := self.signals.chance_of(url):
                self.planner.hint([url], chance)
        self.bucket.requests, self.bucket.filled_at = snapshot.requests, snapshot.filled_at

    def _take(self, batch: list[PageVisit]) -> None:
        if not batch:
            return
        now = max(visit.at for visit in batch)
        self._visit = batch[-1].visit
        for visit in batch:
            take = self.signals.take_listing if visit.listing else self.signals.take_page
            take(visit)
        batch = [visit for visit in batch if not visit.listing]
        new = [visit for visit in batch if visit.found is Found.NEW]
        self.planner.add([visit.url for visit in new], [visit.site for visit in new], now)
        telling = [visit for visit in batch if visit.found not in (Found.NEW, Found.GONE, Found.NOTHING)]
        self.planner.observe([visit.url for visit in telling], now, [visit.found is Found.CHANGED for visit in telling])
        for visit in (*new, *telling):
            self._troubles.pop(visit.url, None)
        self._take_troubles(visit for visit in batch if visit.found in (Found.GONE, Found.NOTHING))

    def _take_troubles(self, visits: Iterable[PageVisit]) -> None:
        for visit in visits:
            before = self._troubles.get(visit.url, Trouble())
            trouble = _worse(before, visit)
            if trouble.gone >= GONE_CHECKS:
                self.retire(visit.url)
                continue
            self._troubles[visit.url] = trouble
            self.planner.rest([visit.url], trouble.until)


def _worse(before: Trouble, visit: PageVisit) -> Trouble:
    if visit.found is Found.GONE:
        return Trouble(before.gone + 1, 0, visit.at + DAY * 3**before.gone)
    return Trouble(before.gone, before.silent + 1, visit.at + min(HOUR * 2**before.silent, LONGEST_REST))
