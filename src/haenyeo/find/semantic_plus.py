"""`spfc-plus`: nearness in meaning of which only what is near counts, and rare words more than common ones.

Beside `spfc` (Kang & Kim 2020, section 3.2), whose idea it is. In WordNet any two nouns are a little alike, so that a
long paragraph of any words adds up to much; and every word counts the same. Here path similarities below `least`, a
third, count as nothing (two steps apart is the farthest that counts), and words weigh by their inverse frequency among
the pages seen. The rest is the paper's: Sim is the harmonic join of anchor and paragraph.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from haenyeo.find.faithful.paper_scorer import PaperScorer
from haenyeo.find.faithful.semantic import Kinship, graph_of
from haenyeo.model.parts import LinkedPage
from haenyeo.words.kinship import TermGraph

LEAST = 1 / 3
"""Chosen on Wikipedia for Schools, checked on computer science departments and on manuals."""
_ROUNDING = 1e-9


class _PagesSeen(msgspec.Struct, frozen=True):
    pages: int
    having: dict[str, int]


class NearKinship(Kinship):
    """Rates links by the path similarities that are not weak, weighed by how rare words are."""

    def __init__(self, topic: str, graph: TermGraph, least: float) -> None:
        self.least = least
        self._pages = 0
        self._having: Counter[str] = Counter()
        super().__init__(topic, graph)

    @property
    def seen(self) -> _PagesSeen:
        """The pages seen and how many of them have each word, which can be set."""
        return _PagesSeen(self._pages, self._having)

    @seen.setter
    def seen(self, seen: _PagesSeen) -> None:
        self._pages, self._having = seen.pages, Counter(seen.having)

    def teach(self, page: LinkedPage, *, relevant: bool) -> None:
        """Count the words of an example, whatever it is one of."""
        del relevant
        self._count(page)

    def see(self, page: LinkedPage) -> None:
        """Count the words of the page."""
        self._count(page)

    def _count(self, page: LinkedPage) -> None:
        self._pages += 1
        self._having.update(set(self._terms(page.text)))

    def _nearness(self, text: str) -> float:
        said = self._terms(text)
        weights = [self._rarity(word) for word in said]
        near = sum(weight * self._similarity(word) for weight, word in zip(weights, said, strict=True))
        return near / (sum(map(self._rarity, self._topic)) + sum(weights)) if near else 0.0

    def _rarity(self, word: str) -> float:
        return math.log(1 + (self._pages + 1) / (self._having[word] + 0.5))

    def _likeness(self, similarity: float) -> float:
        return similarity if similarity >= self.least - _ROUNDING else 0.0


class SemanticPlus(PaperScorer):
    """Takes the link first that is nearest in meaning to the topic's words; `least` is the weakest nearness."""

    def __init__(
        self, *, words: str = "", ontology: Mapping[str, Sequence[str]] | None = None, least: float = LEAST
    ) -> None:
        self.ontology, self.least = ontology, least
        super().__init__(words, self._new_kinship)

    def _new_kinship(self) -> NearKinship:
        self._kinship = NearKinship(self.words, graph_of(self.ontology), self.least)
        return self._kinship

    def _more(self) -> bytes:
        return msgspec.msgpack.encode(self._kinship.seen)

    def _take_up(self, more: bytes) -> None:
        self._kinship.seen = msgspec.msgpack.decode(more, type=_PagesSeen)
