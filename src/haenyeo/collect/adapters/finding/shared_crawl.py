"""What do several topics have of one crawl? Whose turn it was, what came of it, and which of them have seen a page.

Each topic learns from the pages that it asked for itself, as if it were alone: pages that another chose would make it
believe that hardly anything is worth a visit. It is told of them all the same (`glance`), because they may be its own.
If it would ask for one of them later, it has it without a request and learns from it then. Examples wait for their own
topics alone: to others they are pages like any, which links may lead to. So are the pages that others start from.

Turns and who has seen a page are stored with the page, so that a crawl that was killed goes on as it was.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Collection, Container, Iterable, Mapping, Sequence

import msgspec

from haenyeo.collect.links.jobs import NO_TOPIC, Job
from haenyeo.collect.links.queue import CrawlQueue
from haenyeo.model.config import Topic
from haenyeo.model.pages import Url
from haenyeo.model.parts import LinkedPage
from haenyeo.store import PartState, Store, StoredPage

TURNS = "turns"
"""The part under whose name the store has the turns of each topic, by its name."""
SEEN_BY = "seen-by"
"""The part under whose name the store has the names of the topics that learnt from a page, by its address."""

_MOST_FETCHED = 40_000  # pages that a topic may still come to want


class TurnCount(msgspec.Struct, frozen=True, array_like=True):
    """Pages that a topic asked for, how many of them it wanted once they were read, and how many were not there."""

    asked: int = 0
    found: int = 0
    missed: int = 0


_decoder = msgspec.msgpack.Decoder(TurnCount)
_names = msgspec.msgpack.Decoder(list[str])


class SharedCrawl:
    """The turns of some topics, as the store has them and as they go on, and where the pages fetched had waited.

    `starts` are the addresses that some of the topics start from, by their numbers; all start from other seeds.
    """

    def __init__(self, names: Sequence[str], store: Store, starts: Mapping[Url, Collection[int]]) -> None:
        self.names = list(names)
        self._starts = {url: frozenset(topics) for url, topics in starts.items()}
        self._store = store
        self._counts = [turns_of(store, name) for name in self.names]
        self.fetched: dict[int, tuple[int, str]] = {}

    @property
    def read(self) -> list[int]:
        """How many pages each topic has asked for that were there."""
        return [count.asked - count.missed for count in self._counts]

    def asker(self, job: Job) -> list[str] | None:
        """The topic that has asked for a page, as a list of one; None if it was nobody's turn."""
        return None if job.topic == NO_TOPIC else [self.names[job.topic]]

    def met_by(self, topic: int, page: LinkedPage, told: Container[str]) -> LinkedPage:
        """A page as a topic meets it: if others alone start there or were `told` of it, a link has led there."""
        starts = page.start and topic in self._starts.get(page.url, (topic,))
        begun = starts or self.names[topic] in told or topic in self._starts.get(page.url, () if told else (topic,))
        if page.depth or (starts is page.start and begun):
            return page
        return msgspec.structs.replace(page, start=starts, depth=0 if begun else 1)

    def miss(self, job: Job) -> None:
        """No page was there on a topic's turn."""
        before = self._counts[job.topic]
        self._counts[job.topic] = TurnCount(before.asked + 1, before.found, before.missed + 1)

    def end_turn(self, job: Job, wanted: Iterable[str]) -> tuple[PartState, ...]:
        """A page was read on a topic's turn; `wanted` names the topics it belongs to.

        Returns what is to be stored with the page.
        """
        before, name = self._counts[job.topic], self.names[job.topic]
        now = self._counts[job.topic] = TurnCount(before.asked + 1, before.found + (name in wanted), before.missed)
        return (
            PartState(part=TURNS, key=name, value=msgspec.msgpack.encode(now)),
            PartState(part=SEEN_BY, key=job.url, value=msgspec.msgpack.encode([name])),
        )

    def note_example(self, job: Job, names: Iterable[str]) -> tuple[PartState, ...]:
        """An example of these topics was read; returns what is to be stored with it."""
        seen_by = list(dict.fromkeys([*names, self.names[job.topic]]))
        return (PartState(part=SEEN_BY, key=job.url, value=msgspec.msgpack.encode(seen_by)),)

    def seen_by(self, url: Url) -> list[str] | None:
        """The topics that learnt from a page; None if that is not known."""
        stored = self._store.state(SEEN_BY, url)
        return _names.decode(stored) if stored else None

    def note_seen(self, url: Url, name: str) -> None:
        """One more topic has learnt from a page."""
        names = [*(self.seen_by(url) or ()), name]
        self._store.put_state(SEEN_BY, url, msgspec.msgpack.encode(names))

    def join(
        self,
        queue: CrawlQueue,
        topic: int,
        waiting: dict[int, tuple[int, str]],
        worth: Iterable[tuple[int, float]],
    ) -> None:
        """Let links of other topics, waiting or fetched, wait for a topic to which they are worth something now."""
        known = ChainMap(waiting, self.fetched)
        wanted: dict[int, float] = {}
        for key, score in worth:
            if score >= 0 and key in known:
                wanted[key] = max(score, wanted.get(key, score))  # a page may have several links to another
        queue.join(topic, [known[key] for key in wanted], list(wanted.values()))

    def owed(self, queue: CrawlQueue, told: Mapping[Url, Container[str]]) -> list[tuple[int, StoredPage]]:
        """The pages that topics would ask for now and others have asked for, with the topics' numbers.

        Those that are under way are owed later; what the user has `told` a topic of it has learnt.
        """
        shared, queue.shared = queue.shared, []
        found = []
        for topic, url in shared:
            page = self._store.page(url)
            if page is None and not queue.is_visited(url):
                queue.shared.append((topic, url))
            elif page is not None and self.names[topic] not in told.get(url, ()):
                found.append((topic, page))
        return found

    def note_fetched(self, key: int, job: Job) -> None:
        """Remember where a page had waited, for topics that may come to want it."""
        self.fetched[key] = job.ref, job.site
        if len(self.fetched) > _MOST_FETCHED:
            del self.fetched[next(iter(self.fetched))]


def is_known_to(store: Store, name: str, url: Url) -> bool:
    """Whether a topic has learnt from a page; not if only others that share the crawl have."""
    stored = store.state(SEEN_BY, url)
    return stored is None or name in _names.decode(stored)


class TopicHarvest(msgspec.Struct, frozen=True, kw_only=True):
    """What a topic had of the crawl: pages `asked` for on its turns, and how many of these it `found` to be its own.

    `weight` is its share of the turns beside those of the other topics; `harvest` is the share found of those asked
    for, None as long as there are none.
    """

    topic: str
    words: str
    weight: float
    asked: int
    found: int
    harvest: float | None


def topic_harvests(store: Store, topics: Mapping[str, Topic]) -> tuple[TopicHarvest, ...]:
    """The harvest of each topic; none where topics did not take turns, because there is one or no page is judged."""
    counts = {name: turns_of(store, name) for name in topics}
    if not any(count.asked for count in counts.values()):
        return ()
    return tuple(
        TopicHarvest(
            topic=name,
            words=topics[name].words,
            weight=topics[name].weight,
            asked=count.asked,
            found=count.found,
            harvest=count.found / count.asked if count.asked else None,
        )
        for name, count in counts.items()
    )


def turns_of(store: Store, name: str) -> TurnCount:
    """The turns a topic has had; none if it never shared a crawl with others."""
    stored = store.state(TURNS, name)
    return _decoder.decode(stored) if stored else TurnCount()
