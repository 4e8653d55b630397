"""What the topics' scorers think by now, read from what the crawl has stored: what links are worth, and why."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.collect.adapters.finding.explain import why_of
from haenyeo.collect.adapters.finding.parts import stored_traps, topics_for
from haenyeo.collect.adapters.finding.resume import restored, stored_strategy
from haenyeo.collect.adapters.finding.topics import JUDGED, PART
from haenyeo.find.learned.strategy import Learned
from haenyeo.html.urls import url_hash
from haenyeo.model.config import Settings
from haenyeo.model.parts import Reason, TopicScorer
from haenyeo.model.registry import configured_part
from haenyeo.store import StateStamp, Store, StoredLink, StoredPage
from haenyeo.store.columns import KEY_MASK

MOST_REASONS = 8


class WaitingWorth(msgspec.Struct, frozen=True, kw_only=True):
    """What waiting pages are worth, by the numbers they are known by, sorted."""

    keys: npt.NDArray[np.uint64]
    worth: npt.NDArray[np.float32]


class Mind:
    """The scorers of a collection as the crawl has stored them last; pages read since then are not read again."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store, self._settings = store, settings
        self._stamp: tuple[list[StateStamp], list[StateStamp]] = ([], [])
        self._scorers: dict[str, TopicScorer] = {}
        self._lock = threading.Lock()
        self.opinion: WaitingWorth | None = None

    def look(self) -> bool:
        """Take up what has been learnt since the last time; False if that is nothing."""
        learnt, said = self._store.state_stamps(PART), self._store.state_stamps(JUDGED)
        if not learnt or (learnt, said) == self._stamp:
            return False
        self._stamp = (learnt, said)
        scorers = self._restored()
        opinion = _opinion(list(scorers.values()))
        with self._lock:
            self._scorers, self.opinion = scorers, opinion
        return True

    def why_page(self, page: StoredPage, store: Store) -> dict[str, Sequence[Reason]]:
        """What made a page relevant, or not, by topic; the store is one that the calling thread may read."""
        key = url_hash(stored_traps(store).key(page.url)) & int(KEY_MASK)
        with self._lock:
            return {name: why_of(scorer, page, key)[:MOST_REASONS] for name, scorer in self._scorers.items()}

    def why_links(self, links: Sequence[StoredLink], store: Store) -> dict[int, Sequence[Reason]]:
        """What made the worth of waiting links, by their refs, for the topic that values each most.

        The store is one that the calling thread may read; it knows which addresses lead to one page.
        """
        traps = stored_traps(store)
        keys = {link.ref: url_hash(traps.key(link.url)) & int(KEY_MASK) for link in links}
        with self._lock:
            return {link.ref: self._why_link(link, keys[link.ref]) for link in links}

    def _why_link(self, link: StoredLink, key: int) -> Sequence[Reason]:
        told = [scorer.why_link(key, [link.as_link()]) for _, scorer in self._scorers.items()]
        return max(filter(None, told), key=_in_favour, default=())[:MOST_REASONS]

    def _restored(self) -> dict[str, TopicScorer]:
        strategy = stored_strategy(self._store) or self._settings.strategy.scorer
        topics = topics_for(configured_part("scorers", strategy, self._settings.parts), self._settings)
        for name, topic in topics.items():
            restored(topic, name, strategy, self._store)
        return {name: topic.scorer for name, topic in topics.items()}


def _in_favour(reasons: Sequence[Reason]) -> float:
    """What the reasons amount to."""
    return sum(reason.weight for reason in reasons)


def _opinion(scorers: Sequence[TopicScorer]) -> WaitingWorth:
    """The worth of every waiting page for the topic that values it most."""
    told = [_worths(scorer) for scorer in scorers]
    keys, places = np.unique(np.concatenate([np.empty(0, np.uint64), *(keys for keys, _ in told)]), return_inverse=True)
    worth = np.zeros(len(keys), np.float32)
    np.maximum.at(worth, places, np.concatenate([np.empty(0), *(worths for _, worths in told)]).astype(np.float32))
    return WaitingWorth(keys=keys, worth=worth)


def _worths(scorer: TopicScorer) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64]]:
    """The keys and worths of all pages that wait, for a scorer that was just restored and has revised them then."""
    keys, worths = scorer.learner.waiting() if isinstance(scorer, Learned) else scorer.revise()
    return np.asarray(keys, np.uint64), np.asarray(worths, np.float64)
