"""What is under watch: every address with how it is, and what has changed there lately."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from haenyeo.collect.adapters.watching.changes import restored
from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.collect.adapters.watching.watch_states import WatchedAddress, watched_addresses
from haenyeo.collect.adapters.watching.watchlist import Watchlist
from haenyeo.collect.adapters.watching.wording import details, headline
from haenyeo.html.urls import site_of
from haenyeo.model.pages import Url
from haenyeo.store import Store, StoredEvent
from haenyeo.web.queries.layouts import COMPARED

MOST_CHANGES = 30


class ToldChange(msgspec.Struct, frozen=True, kw_only=True):
    """A change in the words of `haenyeo changes`: its line, and below it what went, came, was edited and moved."""

    id: int
    at: datetime
    kind: str
    url: str
    site: str
    headline: str
    details: Sequence[str]

    @property
    def compared(self) -> bool:
        """Whether the page can be shown before and after it."""
        return self.kind in COMPARED


class UnderWatch(msgspec.Struct, frozen=True, kw_only=True):
    """All addresses under watch, and their latest changes, the newest first."""

    addresses: Sequence[WatchedAddress]
    changes: Sequence[ToldChange]


def under_watch(store: Store, events: Sequence[StoredEvent]) -> UnderWatch:
    """What is under watch; of these events those are told that happened to it."""
    addresses = watched_addresses(Watchlist(store), Shelf(store))
    known = {each.url for each in addresses}
    rules = {rule.name for each in addresses for rule in each.rules}
    told = (_told(event, known, rules) for event in reversed(events))
    return UnderWatch(addresses=addresses, changes=[change for change in told if change][:MOST_CHANGES])


def _told(event: StoredEvent, known: set[str], rules: set[str]) -> ToldChange | None:
    """The event in words; None if it is no change, or of something else."""
    change = restored(event)
    if change is None or (event.url not in known and getattr(change, "rule", None) not in rules):
        return None
    return ToldChange(
        id=event.id,
        at=event.at,
        kind=event.kind,
        url=event.url,
        site=site_of(Url(event.url)),
        headline=headline(change),
        details=details(change),
    )
