"""Which of the things that parts of a shard have remembered belong into which new shard, when there are more or fewer.

What is about a site goes where the site goes. What is about none goes to all new shards: what topics have learnt, and
what the user has said of pages, whichever site they are of. What counts by numbers of rows is counted anew; planners'
memories are left, because they are made anew from the visits.
"""

from __future__ import annotations

import msgspec

from haenyeo.collect.adapters.finding import topics
from haenyeo.collect.adapters.reading import unsettled
from haenyeo.collect.adapters.watching import layouts, notify, saved_rules
from haenyeo.collect.links import outbox
from haenyeo.collect.links.outbox import Owns
from haenyeo.collect.service import memory
from haenyeo.html.urls import canonical, site_of
from haenyeo.store import Store

OF_A_SHARD = "shard"
"""The part under whose name a shard has how far a run has come."""
_LEFT = frozenset({outbox.PART, OF_A_SHARD, memory.PART, unsettled.PART})
_unsettled = msgspec.msgpack.Decoder(tuple[str, tuple[str, ...]])


class Remembered:
    """What one store's parts have remembered; `owns` says which sites the new shard has, `had` which the store has had.

    What it knows of other sites is an old copy.
    """

    def __init__(self, store: Store, owns: Owns, had: Owns) -> None:
        self._store = store
        self._owns: Owns = lambda site: owns(site) and had(site)
        self._names = set(store.sites().values())

    def is_wanted(self, part: str, key: str) -> bool:
        """Whether the new shard gets what a part has remembered under a key."""
        if part in _LEFT:
            return False
        site = self._site_of(part, key)
        return site is None or self._owns(site)

    def put_unsettled(self, made: Store) -> None:
        """Let the new shard have the pages of its sites that wait to be settled, under numbers of its own."""
        for _, value in self._store.states(unsettled.PART):
            if value and self._owns(_unsettled.decode(value)[0]):
                made.put_state(unsettled.PART, str(made.state_count(unsettled.PART)), value)
        made.flush()

    def _site_of(self, part: str, key: str) -> str | None:
        """The site that something is about; None if it is about none, or for all."""
        if part == topics.JUDGED:
            return None
        if part == saved_rules.PART:
            return saved_rules.decoded(self._store.state(part, key) or b"").site
        if key in self._names:
            return key
        address = canonical(f"http://{key}" if part == layouts.PART else key)
        return site_of(address) if address else None


def number_anew(made: Store) -> None:
    """Let what counts by numbers of pages and events begin after those that a new shard was given."""
    for key, value in made.states(topics.PART):
        checkpoint = msgspec.msgpack.decode(value, type=topics.Checkpoint)
        now = msgspec.structs.replace(checkpoint, page=made.newest_page())
        made.put_state(topics.PART, key, msgspec.msgpack.encode(now))
    if made.state(notify.PART, notify.LAST) is not None:
        last = max((event.id for event in made.events()), default=0)
        made.put_state(notify.PART, notify.LAST, str(last).encode())
    made.flush()
