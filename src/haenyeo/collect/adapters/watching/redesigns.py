"""Has a whole site been redesigned, so that what was learned of reading it no longer holds?

One page that looks different may have become another page. When a second one does too, the site was redesigned, and it
is read as a site that is met for the first time. Pages that were last seen before then and look different now are part
of the same redesign.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from haenyeo.collect.adapters.watching.layouts import Reference
from haenyeo.store import PartState, Store

PART = "redesigns"
SITES_IN_MEMORY = 10_000


class SiteHistory(msgspec.Struct, frozen=True, kw_only=True):
    """A page that looked different, not confirmed yet, and when the last redesign began."""

    pending: Reference | None = None
    since: datetime | None = None
    times: int = 0


class Noted(NamedTuple):
    """What a page's layout says of its site: `first` is the page that a redesign was seen on first, once it is sure."""

    first: Reference | None = None
    states: Sequence[PartState] = ()


_UNKNOWN = SiteHistory()
_encoder, _decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(SiteHistory)


class Redesigns:
    """The redesigns of all sites."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sites: dict[str, SiteHistory] = {}

    def note(self, site: str, page: Reference, before: Reference, *, alarm: bool) -> Noted:
        """Take in how a page compares with what it was `before`."""
        history = self._history(site)
        pending = history.pending
        if not alarm:
            calm = pending is not None and pending.url != page.url and before.at < pending.at
            return Noted(states=[self._keep(site, _without_pending(history))]) if calm else Noted()
        if history.since is not None and before.at < history.since:
            return Noted()
        if pending is None or pending.url == page.url:
            return Noted(states=[self._keep(site, msgspec.structs.replace(history, pending=page))])
        redesigned = SiteHistory(since=pending.at, times=history.times + 1)
        return Noted(pending, [self._keep(site, redesigned)])

    def _history(self, site: str) -> SiteHistory:
        history = self._sites.get(site)
        if history is None:
            value = self._store.state(PART, site)
            history = _decoder.decode(value) if value else _UNKNOWN
            self._at_hand(site, history)
        return history

    def _keep(self, site: str, history: SiteHistory) -> PartState:
        self._at_hand(site, history)
        return PartState(part=PART, key=site, value=_encoder.encode(history))

    def _at_hand(self, site: str, history: SiteHistory) -> None:
        if len(self._sites) >= SITES_IN_MEMORY:
            self._sites.clear()
        self._sites[site] = history


def _without_pending(history: SiteHistory) -> SiteHistory:
    """The page that looked different was one of its own."""
    return msgspec.structs.replace(history, pending=None)
