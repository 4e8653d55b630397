"""What the topics' scorers think by now, read from what the crawl has stored: what links are worth, and why."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.collect.adapters.finding.parts import stored_traps, topics_for
from haenyeo.collect.adapters.finding.resume import resume
from haenyeo.collect.adapters.finding.topical import TopicFinder
from haenyeo.collect.adapters.finding.topics import JUDGED, PART, UnsaidWorth
from haenyeo.collect.links.queue import CrawlQueue
from haenyeo.collect.links.scope import Scope
from haenyeo.find.learned.strategy import Learned
from haenyeo.model.config import Settings
from haenyeo.model.parts import Reason, TopicScorer
from haenyeo.model.registry import find_part
from haenyeo.store import StateStamp, Store, StoredLink, StoredPage

MOST_REASONS = 8


class WaitingWorth(msgspec.Struct, frozen=True, kw_only=True):
    """What waiting pages are worth, by the numbers they are known by, sorted."""

    keys: npt.NDArray[np.uint64]
    worth: npt.NDArray[np.float32]


class Mind:
    """The scorers of a collection as the crawl has left them, taught what the user has said since."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store, self._settings = store, settings
        self._stamp: tuple[list[StateStamp], list[StateStamp]] = ([], [])
        self._finder: TopicFinder | None = None
        self._lock = threading.Lock()
        self.opinion: WaitingWorth | None = None

    def look(self) -> bool:
        """Take up what has been learnt since the last time; False if that is nothing."""
        learnt, said = self._store.state_stamps(PART), self._store.state_stamps(JUDGED)
        if not learnt or (learnt, said) == self._stamp:
            return False
        self._stamp = (learnt, said)
        finder = self._resumed()
        opinion = _opinion([topic.scorer for topic in finder.topics.values()])
        with self._lock:
            self._finder, self.opinion = finder, opinion
        return True

    def why_page(self, page: StoredPage) -> dict[str, Sequence[Reason]]:
        """What made a page relevant, or not, by topic."""
        with self._lock:
            topics = self._finder.topics if self._finder else {}
            return {name: topic.scorer.why_page(page.title, page.text)[:MOST_REASONS] for name, topic in topics.items()}

    def why_link(self, link: StoredLink) -> Sequence[Reason]:
        """What made a waiting link's worth, by the topic that values it most."""
        with self._lock:
            if self._finder is None:
                return ()
            key = self._finder.key(link.url)
            told = [topic.scorer.why_link(key, [link.as_link()]) for topic in self._finder.topics.values()]
        return max(filter(None, told), key=_in_favour, default=())[:MOST_REASONS]

    def _resumed(self) -> TopicFinder:
        settings = self._settings
        queue = CrawlQueue(self._store, Scope(settings.scope), UnsaidWorth(), stored_traps(self._store), per_site=1)
        topics = topics_for(find_part("scorers", settings.strategy.scorer), settings)
        finder = TopicFinder(self._store, queue, topics, settings.strategy.scorer, feeds=settings.scope.sitemaps)
        resume(finder, self._store, settings.topic)
        return finder


def _in_favour(reasons: Sequence[Reason]) -> float:
    """What the reasons amount to."""
    return sum(reason.weight for reason in reasons)


def _opinion(scorers: Sequence[TopicScorer]) -> WaitingWorth:
    """The worth of every waiting page for the topic that values it most."""
    found: dict[int, float] = {}
    for scorer in scorers:
        for key, worth in zip(*_worths(scorer), strict=True):
            found[key] = max(worth, found.get(key, 0.0))
    keys = np.array(sorted(found), np.uint64)
    return WaitingWorth(keys=keys, worth=np.array([found[int(key)] for key in keys], np.float32))


def _worths(scorer: TopicScorer) -> tuple[Sequence[int], Sequence[float]]:
    if not isinstance(scorer, Learned):
        return scorer.revise()
    scorer.learner.revise()
    keys, worths = scorer.learner.waiting()
    return keys.tolist(), worths.tolist()
