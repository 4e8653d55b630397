"""`segment`: is a link on the topic, judged from the words around it alone, on whatever page it stands?

Cho et al. (2005, sections 3 and 4). A link's *hyperlink descriptor* is its anchor and the 10 words on each side. Naive
Bayes with binary words, P(w|c) = (n_c + t·p) / (n + t), decides between the topic and the rest, over the best words by
χ². A link enters the frontier if its probability is at least .76; P(c) is the class's share of the examples.

`segment-backlinks` learns also from the descriptors of links that lead to a page known to be relevant, or not: those a
file, a function or the collection's link graph know of the example pages (the paper asked a search engine) and, which
is new, those the crawl has seen when a page turns out to be relevant.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

import msgspec

from haenyeo.find.faithful.cosine import said
from haenyeo.find.faithful.descriptors import hyperlink_descriptor
from haenyeo.find.faithful.paper_scorer import REFUSED, PaperScorer
from haenyeo.model.pages import Link
from haenyeo.model.parts import Backlinks, Judgement, LinkedPage

_MOST_DESCRIPTORS = 50_000  # links whose descriptor is remembered until their page is fetched
_MOST_BACKLINKS = 1_000  # given for one example
_GROWTH = 1.05  # the features are chosen anew when that many times more documents are known
_SURELY = 500.0  # log-odds beyond which nothing more is to be said
_RELEVANT = 0.5  # from which on a fetched page teaches its backlinks


class Counted(msgspec.Struct, frozen=True):
    """In how many documents of each class words stand, and how many documents there are."""

    other: dict[str, int]
    topic: dict[str, int]
    others: int
    topics: int


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

    @property
    def counted(self) -> Counted:
        """All it has learnt, which can be set."""
        return Counted(*self._with, *self._documents)

    @counted.setter
    def counted(self, known: Counted) -> None:
        self._with = Counter(known.other), Counter(known.topic)
        self._documents = [known.others, known.topics]
        self._due = 0

    def learn(self, words: Iterable[str], *, relevant: bool) -> None:
        """Take a document of a class."""
        self._with[relevant].update(set(words))
        self._documents[relevant] += 1

    def probability(self, words: Iterable[str]) -> float:
        """That a document belongs to the topic."""
        return 1 / (1 + math.exp(-self.log_odds(words) - self.prior))

    @property
    def prior(self) -> float:
        """The log-odds of the topic before anything was read: the classes' shares; even as long as one has none."""
        others, topics = self._documents
        return math.log(topics / others) if others and topics else 0.0

    def log_odds(self, words: Iterable[str]) -> float:
        """What the words of a document add to that; enough to tell which of two is more likely on the topic."""
        odds = self.odds
        total = sum(odds.get(word, 0.0) for word in set(words))
        return min(max(total, -_SURELY), _SURELY)

    @property
    def odds(self) -> Mapping[str, float]:
        """The log-odds of each feature by what has been learnt so far."""
        if sum(self._documents) >= self._due:
            self._odds = self._learnt()
            self._due = int(sum(self._documents) * _GROWTH) + 1
        return self._odds

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
        """How likely each link is on the topic; one whose probability is below the threshold is not followed."""
        del relevance
        least = math.log(self.threshold / (1 - self.threshold)) - self.bayes.prior if self.threshold else -_SURELY
        found = [self.bayes.log_odds(hyperlink_descriptor(link)) for link in page.links]
        return [_spread(odds) if odds >= least else REFUSED for odds in found]

    def weigh(self, link: Link) -> Mapping[str, float]:
        """The log-odds of the features in the descriptor."""
        return {word: self.bayes.odds.get(word, 0.0) for word in hyperlink_descriptor(link)}


def _spread(log_odds: float) -> float:
    """Log-odds as a score from 0 to 1, .5 for even ones, that tells apart what is all but certain."""
    return (1 + log_odds / (1 + abs(log_odds))) / 2


class SegmentedContext(PaperScorer):
    """Follows the links whose descriptors are on the topic with at least the probability `threshold`."""

    follows_examples = False

    def __init__(
        self, *, words: str = "", threshold: float = 0.76, features: int = 2_000, strength: float | None = None
    ) -> None:
        self.threshold, self.features, self.strength = threshold, features, strength
        super().__init__(words, self._segments)

    def _segments(self) -> Segments:
        self.bayes = NaiveBayes(features=self.features, strength=self.strength)
        return Segments(self.words, self.bayes, self.threshold)


class SegmentedBacklinks(SegmentedContext):
    """Learns from the links that led to pages, too; follows the best link there is, below the threshold as well.

    `backlinks` gives the links known to lead to an example page. Those the crawl has seen itself are learnt from as
    soon as the page they lead to is fetched; with them come words that no example has, so more words count.
    """

    def __init__(
        self,
        *,
        words: str = "",
        threshold: float = 0.0,
        features: int = 20_000,
        strength: float | None = None,
        backlinks: Backlinks | None = None,
    ) -> None:
        super().__init__(words=words, threshold=threshold, features=features, strength=strength)
        self.backlinks = backlinks
        self._seen = SeenDescriptors()

    def example(self, page: LinkedPage, *, relevant: bool) -> Sequence[float]:
        """Learn from the page and from the links known to lead to it."""
        scores = super().example(page, relevant=relevant)
        self._seen.add(page)
        return scores

    def visit(self, page: LinkedPage) -> Judgement:
        """Judge the page; if it turns out to be relevant, the links that led to it become examples."""
        judged = super().visit(page)
        led_there = self._seen.take(page.key)
        if judged.relevance >= _RELEVANT:
            self._learn(led_there, relevant=True)
        self._seen.add(page)
        return judged

    def _learn_more(self, page: LinkedPage, *, relevant: bool) -> None:
        given = islice(self.backlinks(page.url), _MOST_BACKLINKS) if self.backlinks else ()
        self._learn([*self._seen.take(page.key), *map(hyperlink_descriptor, given)], relevant=relevant)

    def _learn(self, descriptors: Iterable[frozenset[str]], *, relevant: bool) -> None:
        """Learn from different descriptors: a link may be known from the crawl and from elsewhere."""
        for descriptor in dict.fromkeys(descriptors):
            self.bayes.learn(descriptor, relevant=relevant)

    def _more(self) -> bytes:
        return msgspec.msgpack.encode(_Learnt(self.bayes.counted, self._seen.state()))

    def _take_up(self, more: bytes) -> None:
        learnt = msgspec.msgpack.decode(more, type=_Learnt)
        self.bayes.counted = learnt.counted
        self._seen.restore(learnt.seen)


class SeenDescriptors:
    """The descriptors of links to pages that were not fetched yet, the newest ones."""

    def __init__(self) -> None:
        self._of: dict[int, list[frozenset[str]]] = {}
        self._order: deque[int] = deque()

    def add(self, page: LinkedPage) -> None:
        """Remember the links of a page."""
        for link, target in zip(page.links, page.targets, strict=True):
            self._of.setdefault(target, []).append(hyperlink_descriptor(link))
            self._order.append(target)
        while len(self._order) > _MOST_DESCRIPTORS:
            self._of.pop(self._order.popleft(), None)

    def take(self, target: int) -> Sequence[frozenset[str]]:
        """The descriptors of the links to a page, which are forgotten."""
        return self._of.pop(target, ())

    def state(self) -> _Seen:
        """What `restore` needs; each word is written once."""
        numbers: dict[str, int] = {}
        links = [
            (target, [numbers.setdefault(word, len(numbers)) for word in sorted(descriptor)])
            for target, descriptors in self._of.items()
            for descriptor in descriptors
        ]
        return _Seen(list(numbers), links)

    def restore(self, state: _Seen) -> None:
        """Become what another one was when it gave its state."""
        for target, numbers in state.links:
            self._of.setdefault(target, []).append(frozenset(state.words[number] for number in numbers))
            self._order.append(target)


class _Seen(msgspec.Struct, frozen=True):
    words: list[str]
    links: list[tuple[int, list[int]]]


class _Learnt(msgspec.Struct, frozen=True):
    counted: Counted
    seen: _Seen
