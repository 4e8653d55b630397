"""Naive Bayes over binary words, as Cho et al. (2005, section 4) use it for pages and for links.

P(c|d) is proportional to P(c) · Π P(w|c) over the words of d that are features; P(w|c) = (n_c + t·p) / (n + t) is the
m-estimate of section 4.3, n the occurrences of all features in the examples of c, n_c those of w, t the equivalent
sample size and p the weight of a feature in it. Features are the words of highest χ² (section 4.1).

The paper trains before it crawls, and P(c) is that of the training: the share of the class among the examples that were
given. What is learnt while crawling is in P(w|c) alone, or a crawl that does well would soon find everything likely.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated

import msgspec

_GROWTH = 1.05  # the features are chosen anew when that many times more documents are known
_SURELY = 500.0  # log-odds beyond which nothing more is to be said


Count = Annotated[int, msgspec.Meta(ge=0)]


class Counted(msgspec.Struct, frozen=True):
    """In how many documents of each class words stand, how many documents there are, and how many were given."""

    other: dict[str, Count]
    topic: dict[str, Count]
    others: Count
    topics: Count
    given: tuple[Count, Count] = (0, 0)


class NaiveBayes:
    """Two classes of documents, the topic and all else, of which `features` words count.

    `strength` is t, in words, as many as there are features if it is None; `weight` is p, one feature's part of it,
    1 / features if it is None.
    """

    def __init__(self, *, features: int, strength: float | None = None, weight: float | None = None) -> None:
        self.features, self.strength, self.weight = features, strength, weight
        self._with: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        self._documents = [0, 0]
        self._given = [0, 0]
        self._odds: dict[str, float] = {}
        self._due = 0

    @property
    def counted(self) -> Counted:
        """All it has learnt, which can be set."""
        other, topic = self._with
        others, topics = self._documents
        return Counted(other, topic, others, topics, (self._given[0], self._given[1]))

    @counted.setter
    def counted(self, known: Counted) -> None:
        self._with = Counter(known.other), Counter(known.topic)
        self._documents, self._given = [known.others, known.topics], list(known.given)
        self._due = 0

    @property
    def others(self) -> int:
        """How many documents of the other class it knows."""
        return self._documents[0]

    def learn(self, words: Iterable[str], *, relevant: bool, given: bool = False) -> None:
        """Take a document of a class; one that was `given` as an example counts for the class's share, too."""
        self._with[relevant].update(set(words))
        self._documents[relevant] += 1
        self._given[relevant] += given
        if given:
            self._due = 0

    def probability(self, words: Iterable[str]) -> float:
        """That a document belongs to the topic."""
        return 1 / (1 + math.exp(-self.log_odds(words) - self.prior))

    @property
    def prior(self) -> float:
        """The log-odds of the topic before anything was read: the classes' shares; even as long as one has none."""
        others, topics = self._given
        return math.log(topics / others) if others and topics else 0.0

    def log_odds(self, words: Iterable[str]) -> float:
        """What the words of a document add to that; enough to tell which of two is more likely on the topic."""
        odds = self.odds
        total = math.fsum(odds.get(word, 0.0) for word in set(words))  # the same in whatever order words come
        return min(max(total, -_SURELY), _SURELY)

    @property
    def odds(self) -> Mapping[str, float]:
        """The log-odds of each feature by what has been learnt so far."""
        if sum(self._documents) >= self._due:
            self._odds = self._learnt()
            self._due = int(sum(self._documents) * _GROWTH) + 1
        return self._odds

    def chosen(self) -> list[str]:
        """The features, of highest χ² first; among equals the words that more documents of the topic have."""
        other, topic = self._with
        ranked = sorted(other.keys() | topic.keys(), key=lambda word: (-self.chi_squared(word), -topic[word], word))
        return ranked[: self.features]

    def chi_squared(self, word: str) -> float:
        """N (AD - CB)² / ((A+C)(B+D)(A+B)(C+D)); with two classes it is the same for both, and so their maximum."""
        with_topic, with_other = self._with[1][word], self._with[0][word]
        without_topic, without_other = self._documents[1] - with_topic, self._documents[0] - with_other
        below = self._documents[1] * self._documents[0] * (with_topic + with_other) * (without_topic + without_other)
        across = with_topic * without_other - without_topic * with_other
        return sum(self._documents) * across * across / below if below else 0.0

    def estimates(self, word: str, chosen: Iterable[str]) -> tuple[float, float]:
        """P(word | topic) and P(word | all else), among the features that were chosen."""
        return self._estimates([word], list(chosen))[word]

    def _estimates(self, words: Iterable[str], chosen: list[str]) -> dict[str, tuple[float, float]]:
        other, topic = self._with
        in_topic, in_other = (sum(counted[word] for word in chosen) for counted in (topic, other))
        strength = len(chosen) if self.strength is None else self.strength
        part = strength / max(1, len(chosen)) if self.weight is None else strength * self.weight
        return {
            word: ((topic[word] + part) / (in_topic + strength), (other[word] + part) / (in_other + strength))
            for word in words
        }

    def _learnt(self) -> dict[str, float]:
        """The log-odds of each feature."""
        chosen = self.chosen()
        found = self._estimates(chosen, chosen)
        return {word: math.log(on_topic) - math.log(elsewhere) for word, (on_topic, elsewhere) in found.items()}
