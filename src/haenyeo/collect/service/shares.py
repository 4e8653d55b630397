"""One budget for two: what may the crawl ask for, and what is left for revisits?

While both have something to ask for, each gets half of what the day allows; while one has nothing, the other gets all.
How much either has is kept in the store every few seconds, so that a service that is killed again and again spends no
more than one that runs.
"""

from __future__ import annotations

import logging

import msgspec

from haenyeo.collect.visit.bucket import Bucket
from haenyeo.store import Store

log = logging.getLogger(__name__)

PART, KEY = "budget", "shares"


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    """What both had at a moment."""

    crawl: float
    revisits: float
    filled_at: float


class Shares:
    """Fills the bucket of the crawl and that of revisits with `per_day` requests together."""

    def __init__(self, store: Store, per_day: float, revisits: Bucket, now: float) -> None:
        self._store, self._per_day = store, per_day
        self.crawl, self.revisits = Bucket(per_day / 2), revisits
        self.revisits.per_day = per_day / 2
        self._load(now)

    def balance(self, now: float, *, links: bool, pages: bool) -> None:
        """Share what comes in from now on: are there links to crawl, and pages to visit again?"""
        for bucket in (self.crawl, self.revisits):
            bucket.available(now)
        if links == pages:
            self.crawl.per_day = self.revisits.per_day = self._per_day / 2
            return
        wanting, other = (self.crawl, self.revisits) if links else (self.revisits, self.crawl)
        wanting.per_day, other.per_day = self._per_day, 0.0

    def save(self) -> None:
        """Keep what both have; it is safe with the store's next `flush`."""
        kept = _Kept(self.crawl.requests, self.revisits.requests, self.revisits.filled_at)
        self._store.put_state(PART, KEY, msgspec.msgpack.encode(kept))

    def _load(self, now: float) -> None:
        data = self._store.state(PART, KEY)
        try:
            kept = msgspec.msgpack.decode(data, type=_Kept) if data else None
        except msgspec.DecodeError as error:
            log.warning("what was left of the budget cannot be read: %s", error)
            kept = None
        if kept is None:
            self.crawl.fill_first()
            self.crawl.filled_at = now
            return
        self.crawl.requests, self.crawl.filled_at = kept.crawl, kept.filled_at
        self.revisits.requests, self.revisits.filled_at = kept.revisits, kept.filled_at
