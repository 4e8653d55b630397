"""Where pages wait that links lead to, and the order in which each topic would have them."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping
from itertools import islice

from haenyeo.collect.adapters.finding.topics import TopicAtWork
from haenyeo.collect.links.queue import CrawlQueue

MOST = 30_000  # waiting pages whose place in the queue is known
KEPT = 12_000  # of the newest, and of those worth most, when there are too many
_FIRST = 1.0

Place = tuple[int, str]
"""Where a page waits in the queue: its reference and site."""


class WaitingPages:
    """The places of waiting pages, by the numbers that scorers know them by; `urgent` are those that come first.

    A page that was `fetched` for one topic may still wait for another, which then has it without a request.
    """

    def __init__(self, queue: CrawlQueue, topics: Mapping[str, TopicAtWork], fetched: dict[int, Place]) -> None:
        self.places: dict[int, Place] = {}
        self._queue, self._topics, self._fetched = queue, topics, fetched
        self.urgent: dict[int, set[int]] = {}  # with the numbers of the topics they come first for

    def end(self, key: int) -> None:
        """A page waits no more: it was asked for."""
        self.places.pop(key, None)
        for topic in self._topics.values():
            topic.worth.pop(key, None)

    def restore(self, places: Mapping[int, Place], unknown: float) -> None:
        """Learn, after a restart, where pages wait, and put them in order; `unknown` is worth what no topic knows."""
        self.places.update(places)
        for number in range(len(self._topics)):
            self.reorder(places, number, unknown)

    def hurry(self, urgent: Mapping[int, set[int]]) -> None:
        """Let pages come before all else, also if they have waited before."""
        self.urgent.update(urgent)
        for number in range(len(self._topics)):
            self.reorder((key for key, topics in self.urgent.items() if number in topics), number)

    def revise(self) -> None:
        """Put the queue in order by what the waiting pages are worth now."""
        for number, topic in enumerate(self._topics.values()):
            keys, worth = topic.scorer.revise()
            if len(topic.worth) + len(keys) > MOST:
                topic.worth = {key: topic.worth[key] for key in topic.best(KEPT)}
            topic.worth.update(zip(keys, worth, strict=True))
            if len(keys):
                self.reorder(keys, number)

    def reorder(self, keys: Iterable[int], number: int = 0, unknown: float = 0.0) -> None:
        """Put a topic's frontier in order by what these pages are worth to it; `unknown` if it does not know one."""
        changed = set(keys)
        if len(self.places) > MOST:
            self._forget(changed)
        known = ChainMap(self.places, self._fetched) if self._fetched else self.places
        worth = list(self._topics.values())[number].worth
        there = [key for key in changed if key in known]
        urgent = {key for key, topics in self.urgent.items() if number in topics}
        scores = [_FIRST if key in urgent else worth.get(key, unknown) for key in there]
        self._queue.rescore([known[key] for key in there], scores, number)

    def _forget(self, changed: set[int]) -> None:
        """Forget where pages wait that scorers have most likely forgotten: the old ones that are worth little."""
        kept = {*changed, *islice(reversed(self.places), KEPT)}
        kept.update(*(topic.best(KEPT) for topic in self._topics.values()))
        self.places = {key: place for key, place in self.places.items() if key in kept}
