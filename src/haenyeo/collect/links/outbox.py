"""Links to sites that another crawl of the collection asks: stored with the page that has them, until they are sent.

Where a collection is in shards, each site belongs to one of them. A page's links to the sites of others are kept in its
own transaction, so that a kill loses none; whoever sends them takes them out once the other side has them for certain.
A link that is sent twice changes nothing there, because it was seen before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from haenyeo.collect.links.jobs import Offer
from haenyeo.model.pages import Url
from haenyeo.store import NewLink, PartState, Store

PART = "outbox"
"""The part under whose name the store has the links that are to be sent; the keys count up."""

Owns = Callable[[str], bool]
"""Says whether a site is this crawl's."""


class LinksSent(msgspec.Struct, frozen=True, array_like=True):
    """Links that stand on one page, at their depth; `worths` as in `Offer`, `relevance` is the page's by topic."""

    depth: int
    links: Sequence[NewLink]
    worths: Sequence[tuple[float, ...]] = ()
    relevance: Mapping[str, float] = {}


_decoder = msgspec.msgpack.Decoder(LinksSent)


class Outbox:
    """The links of one collection folder that wait to be sent to others."""

    def __init__(self, store: Store, owns: Owns) -> None:
        self._store, self.owns = store, owns
        self._last = int(store.last_key(PART) or "0", 16)

    def __len__(self) -> int:
        return self._store.state_count(PART)

    def divided(
        self, offer: Offer, depth: int, source: Url | None, relevance: Mapping[str, float] | None = None
    ) -> tuple[Offer, tuple[PartState, ...]]:
        """What is ours of an offer whose links are this deep, and the rest as what is to be stored with the page."""
        ours = [self.owns(link.site) for link in offer.new]
        if all(ours):
            return offer, ()
        worths = offer.worths or [()] * len(offer.new)
        kept = [pair for pair, own in zip(zip(offer.new, worths, strict=True), ours, strict=True) if own]
        sent = [pair for pair, own in zip(zip(offer.new, worths, strict=True), ours, strict=True) if not own]
        links = [msgspec.structs.replace(link, source=source) if source else link for link, _ in sent]
        row = LinksSent(depth, links, [worth for _, worth in sent] if offer.worths else (), relevance or {})
        self._last += 1
        state = PartState(part=PART, key=f"{self._last:016x}", value=msgspec.msgpack.encode(row))
        rest = Offer(offer.targets, [link for link, _ in kept], [worth for _, worth in kept] if offer.worths else ())
        return rest, (state,)

    def sent_off(self, offer: Offer, depth: int) -> Offer:
        """What is ours of an offer of links that stand on no page; the rest is stored to be sent."""
        rest, states = self.divided(offer, depth, None)
        for state in states:
            self._store.put_state(state.part, state.key, state.value)
        return rest

    def first(self, most: int) -> list[tuple[str, LinksSent]]:
        """The links that have waited longest, of so many pages, with the keys to `forget` them by."""
        return [(key, _decoder.decode(value)) for key, value in self._store.first_states(PART, most)]

    def forget(self, keys: Iterable[str]) -> None:
        """These were sent, and are safe elsewhere."""
        self._store.forget_keys(PART, keys)
