"""`segment`: is a link on the topic, judged from the words around it alone, on whatever page it stands?

Cho et al. (2005, sections 3 and 4). A link's *hyperlink descriptor* is its anchor and the 10 words on each side. Naive
Bayes with binary words, P(w|c) = (n_c + t·p) / (n + t), decides between the topic and the rest, over the best words by
χ². A link enters the frontier if its probability is at least .76.

`segment-backlinks` learns also from the descriptors of links that led to a page known to be relevant, or not: those of
the example pages and, which is new, those the crawl has seen when a page turns out to be so.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Sequence

from haenyeo.find.faithful.cosine import said
from haenyeo.find.faithful.paper_scorer import REFUSED, PaperScorer
from haenyeo.model.pages import Link
from haenyeo.model.parts import Judgement, LinkedPage

_MOST_DESCRIPTORS = 50_000  # links whose descriptor is remembered until their page is fetched
_GROWTH = 1.05  # the features are chosen anew when that many times more documents are known
_SURE, _SURELY_NOT = 0.5, 0.2  # relevance beyond which a fetched page teaches its backlinks


def hyperlink_descriptor(link: Link) -> frozenset[str]:
    """The words of a link and of the windows before and after it."""
    return frozenset(said(f"{link.before} {link.anchor} {link.after}"))


class NaiveBayes:
    """Two classes of small documents, of which `features` words count.

    `strength` is t, the equivalent sample size, in words, as many as there are features if it is None; p is
    1 / features.
    """

    def __init__(self, *, features: int, strength: float | None) -> None:
        self.features, self.strength = features, strength
        self._with: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        self._documents = [0, 0]
        self._odds: dict[str, float] = {}
        self._due = 0

    def learn(self, words: Iterable[str], *, relevant: bool) -> None:
        """Take a document of a class."""
        self._with[relevant].update(set(words))
        self._documents[relevant] += 1

    def probability(self, words: Iterable[str]) -> float:
        """That a document belongs to the topic; both classes are equally likely beforehand."""
        if sum(self._documents) >= self._due:
            self._odds = self._learnt()
            self._due = int(sum(self._documents) * _GROWTH) + 1
        total = sum(self._odds.get(word, 0.0) for word in set(words))
        return 1 / (1 + math.exp(-min(max(total, -500.0), 500.0)))

    def _learnt(self) -> dict[str, float]:
        """The log-odds of each feature."""
        chosen = self._best_words()
        other, topic = self._with
        in_topic, in_other = (sum(counted[word] for word in chosen) for counted in (topic, other))
        strength = len(chosen) if self.strength is None else self.strength
        part = strength / max(1, len(chosen))
        return {
            word: math.log((topic[word] + part) / (in_topic + strength))
            - math.log((other[word] + part) / (in_other + strength))
            for word in chosen
        }

    def _best_words(self) -> list[str]:
        ranked = sorted(self._with[0].keys() | self._with[1].keys(), key=lambda word: (-self._chi_squared(word), word))
        return ranked[: self.features]

    def _chi_squared(self, word: str) -> float:
        """N (AD - CB)² / ((A+C)(B+D)(A+B)(C+D)); with two classes it is the same for both."""
        with_topic, with_other = self._with[1][word], self._with[0][word]
        without_topic, without_other = self._documents[1] - with_topic, self._documents[0] - with_other
        below = self._documents[1] * self._documents[0] * (with_topic + with_other) * (without_topic + without_other)
        across = with_topic * without_other - without_topic * with_other
        return sum(self._documents) * across * across / below if below else 0.0


class Segments:
    """Rates links by their descriptors."""

    def __init__(self, topic: str, bayes: NaiveBayes, threshold: float) -> None:
        self.bayes, self.threshold = bayes, threshold
        if topic:
            bayes.learn(said(topic), relevant=True)

    def teach(self, page: LinkedPage, *, relevant: bool) -> None:
        """Take the page as a document of its class."""
        self.bayes.learn(said(f"{page.title} {page.text}"), relevant=relevant)

    def rate(self, page: LinkedPage, relevance: float) -> Sequence[float]:
        """The probability that each link is on the topic; below the threshold it is not followed."""
        del relevance
        found = [self.bayes.probability(hyperlink_descriptor(link)) for link in page.links]
        return [probability if probability >= self.threshold else REFUSED for probability in found]


class SegmentedContext(PaperScorer):
    """Follows the links whose descriptors are on the topic with at least the probability `threshold`."""

    def __init__(
        self, *, words: str = "", threshold: float = 0.76, features: int = 500, strength: float | None = None
    ) -> None:
        self.threshold, self.features, self.strength = threshold, features, strength
        self.bayes = NaiveBayes(features=features, strength=strength)
        super().__init__(words, Segments(words, self.bayes, threshold))


class SegmentedBacklinks(SegmentedContext):
    """Learns from the links that led to pages, too; follows the best link there is, below the threshold as well."""

    def __init__(
        self, *, words: str = "", threshold: float = 0.0, features: int = 500, strength: float | None = None
    ) -> None:
        super().__init__(words=words, threshold=threshold, features=features, strength=strength)
        self._descriptors: dict[int, list[frozenset[str]]] = {}
        self._order: deque[int] = deque()

    def example(self, page: LinkedPage, *, relevant: bool) -> Sequence[float]:
        """Learn from the page and from the links known to lead to it."""
        scores = super().example(page, relevant=relevant)
        self._learn_backlinks(page, relevant=relevant)
        return scores

    def visit(self, page: LinkedPage) -> Judgement:
        """Judge the page; if the verdict is clear, the links that led to it become examples."""
        judged = super().visit(page)
        if judged.relevance >= _SURE or judged.relevance <= _SURELY_NOT:
            self._learn_backlinks(page, relevant=judged.relevance >= _SURE)
        self._remember(page)
        return judged

    def _learn_backlinks(self, page: LinkedPage, *, relevant: bool) -> None:
        for descriptor in self._descriptors.pop(page.key, ()):
            self.bayes.learn(descriptor, relevant=relevant)

    def _remember(self, page: LinkedPage) -> None:
        for link, target in zip(page.links, page.targets, strict=True):
            self._descriptors.setdefault(target, []).append(hyperlink_descriptor(link))
            self._order.append(target)
        while len(self._order) > _MOST_DESCRIPTORS:
            self._descriptors.pop(self._order.popleft(), None)
