"""`pfc`: how like the topic are the words of a link and of its paragraph?

The joint feature evaluation Kang & Kim (2020, section 4) compare against: λ · cos(topic, anchor) + (1 - λ) · cos(topic,
paragraph) with λ = 0.5. Words are lower-cased, stop words and numbers left out; they weigh (1 + log tf) · idf. The
topic is the sum of the example pages, or its own words where there are none; idf comes from all examples, good and bad.
The crawl starts from its seeds: what the examples link to is followed only if it starts there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from haenyeo.find.faithful.paper_scorer import REFUSED, PaperScorer
from haenyeo.model.pages import Link
from haenyeo.model.parts import LinkedPage
from haenyeo.words.stopwords import says_something
from haenyeo.words.tokens import words


def said(text: str) -> list[str]:
    """The words of a text that say something, as they stand there; numbers do not."""
    return [word for word in words(text) if says_something(word) and not word.isdigit()]


class JointFeatures:
    """Rates links by the cosine of weighed words."""

    def __init__(self, topic: str, share: float) -> None:
        self.share = share
        self._words = Counter(said(topic))
        self._good: list[Counter[str]] = []
        self._with: Counter[str] = Counter()
        self._documents = 0
        self._topic: dict[str, float] | None = None
        self._length = 1.0

    def teach(self, page: LinkedPage, *, relevant: bool) -> None:
        """Count the words of an example."""
        counted = Counter(said(f"{page.title} {page.text}"))
        self._with.update(counted.keys())
        self._documents += 1
        if relevant:
            self._good.append(counted)
        self._topic = None

    def see(self, page: LinkedPage) -> None:
        """Learn nothing: words are weighed by the examples."""

    def rate(self, page: LinkedPage, relevance: float) -> Sequence[float]:
        """How like the topic each link and its paragraph are; links without words are left."""
        del relevance
        if self._topic is None:
            self._take_topic()
        paragraphs: dict[str, float] = {}
        scores = []
        for link in page.links:
            if link.paragraph not in paragraphs:
                paragraphs[link.paragraph] = self._cosine(link.paragraph)
            anchor = self.share * self._cosine(link.anchor)
            scores.append(anchor + (1 - self.share) * paragraphs[link.paragraph] if link.anchor else REFUSED)
        return scores

    def weigh(self, link: Link) -> Mapping[str, float]:
        """What each word of the anchor adds to its cosine."""
        if self._topic is None:
            self._take_topic()
        topic, weighed = self._topic or {}, self._weighed(Counter(said(link.anchor)))
        length = _length(weighed) * self._length or 1.0
        return {word: self.share * weight * topic.get(word, 0.0) / length for word, weight in weighed.items()}

    def _take_topic(self) -> None:
        self._topic = {}
        for counted in self._good or [self._words]:
            weighed = self._weighed(counted)
            length = _length(weighed) or 1.0
            for word, weight in weighed.items():
                self._topic[word] = self._topic.get(word, 0.0) + weight / length
        self._length = _length(self._topic) or 1.0

    def _cosine(self, text: str) -> float:
        weighed = self._weighed(Counter(said(text)))
        topic = self._topic or {}
        common = sum(weight * topic[word] for word, weight in weighed.items() if word in topic)
        return common / (_length(weighed) * self._length) if common else 0.0

    def _weighed(self, counted: Mapping[str, int]) -> dict[str, float]:
        pages = self._documents + 1
        return {
            word: (1 + math.log(count)) * math.log(1 + pages / (self._with[word] + 0.5))
            for word, count in counted.items()
        }


class CosinePriority(PaperScorer):
    """Takes the link first whose anchor (weight `share`) and paragraph are most like the topic."""

    follows_examples = False

    def __init__(self, *, words: str = "", share: float = 0.5) -> None:
        self.share = share
        super().__init__(words, lambda: JointFeatures(words, share))


def _length(weighed: Mapping[str, float]) -> float:
    return math.sqrt(sum(weight * weight for weight in weighed.values()))
