"""`segment`: is a link on the topic, judged from the words around it alone, on whatever page it stands?

Cho et al. (2005, sections 3 to 5). Naive Bayes (see `naive_bayes`) judges pages by their words and links by their
hyperlink descriptors. A link enters the frontier if its probability is at least .76 (section 6).

The paper's classifier knows its topic from examples and other classes to tell it from. Those are the user's
counter-examples; where he gave none, the examples of other topics of the same crawl. Where there are none of these
either, the crawl itself shows what is not the topic: pages that were fetched and found to be off it, the first of them
by their likeness to the examples, and some of the links that were not followed.

`segment-backlinks` learns also from the descriptors of links that lead to a page known to be relevant, or not: those a
file, a function or the collection's link graph know of the example pages (the paper asked a search engine) and, which
is new, those the crawl has seen when a page turns out to be relevant.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

import msgspec

from haenyeo.find.faithful.cosine import said
from haenyeo.find.faithful.descriptors import WORDS_AROUND, hyperlink_descriptor
from haenyeo.find.faithful.naive_bayes import Counted, NaiveBayes
from haenyeo.find.faithful.paper_scorer import REFUSED, RELEVANT, PaperScorer
from haenyeo.model.pages import Link
from haenyeo.model.parts import Backlinks, Judgement, LinkedPage, Reason

_MOST_DESCRIPTORS = 50_000  # links whose descriptor is remembered until their page is fetched
_MOST_BACKLINKS = 1_000  # given for one example
_FEWEST_OTHERS = 3  # pages off the topic before the classifier can judge one, if no counter-examples are given
_SAMPLED = 2  # links of a page, not followed, that show what is not the topic


class Window(msgspec.Struct, frozen=True):
    """How descriptors are cut: words on each side, and whether they must stand in the link's paragraph."""

    words_around: int = WORDS_AROUND
    within_paragraph: bool = False

    def of(self, link: Link) -> frozenset[str]:
        """The descriptor of a link."""
        return hyperlink_descriptor(link, self.words_around, within_paragraph=self.within_paragraph)


class Segments:
    """Rates links by their descriptors; `pages` judges whole pages, and both learn from the examples."""

    def __init__(self, topic: str, links: NaiveBayes, pages: NaiveBayes, *, threshold: float, window: Window) -> None:
        self.links, self.pages, self.threshold, self.window = links, pages, threshold, window
        self._told_apart = False
        if topic:
            self._learn(said(topic), relevant=True)

    def teach(self, page: LinkedPage, *, relevant: bool) -> None:
        """Take the page as a document of its class."""
        self._told_apart |= not relevant
        self._learn(_words(page), relevant=relevant)

    @property
    def can_judge(self) -> bool:
        """Whether enough is known of what is not the topic to judge pages."""
        return self._told_apart or self.pages.others >= _FEWEST_OTHERS

    def judge(self, page: LinkedPage) -> float:
        """The probability that a page is on the topic."""
        return self.pages.probability(_words(page))

    def note(self, page: LinkedPage, relevance: float) -> None:
        """A page was fetched: where no counter-examples were given, one that is off the topic stands in for them."""
        if relevance < RELEVANT and page.text and not self._told_apart:
            words = _words(page)
            self.pages.learn(words, relevant=False)
            self.links.learn(words, relevant=False)

    def see(self, page: LinkedPage) -> None:
        """Where no counter-examples were given, some of the page's links that are not followed stand in for them."""
        if not self.can_judge or self._told_apart:
            return
        descriptors, below = map(self.window.of, page.links), min(0.0, self._least)
        left = [descriptor for descriptor in descriptors if self.links.log_odds(descriptor) < below]
        for descriptor in left[:: max(1, len(left) // _SAMPLED)][:_SAMPLED]:
            self.links.learn(descriptor, relevant=False)

    def rate(self, page: LinkedPage, relevance: float) -> Sequence[float]:
        """How likely each link is on the topic; one whose probability is below the threshold is not followed."""
        del relevance
        least = self._least
        found = [self.links.log_odds(self.window.of(link)) for link in page.links]
        return [spread(odds) if odds >= least else REFUSED for odds in found]

    @property
    def _least(self) -> float:
        """The log-odds a link must have; any will do as long as nothing is known of what is not the topic."""
        if not self.threshold or not self.can_judge:
            return -math.inf
        return math.log(self.threshold / (1 - self.threshold)) - self.links.prior

    def weigh(self, link: Link) -> Mapping[str, float]:
        """The log-odds of the features in the descriptor."""
        return {word: self.links.odds.get(word, 0.0) for word in self.window.of(link)}

    def _learn(self, words: Sequence[str], *, relevant: bool) -> None:
        self.links.learn(words, relevant=relevant, given=True)
        self.pages.learn(words, relevant=relevant, given=True)


def _words(page: LinkedPage) -> list[str]:
    return said(f"{page.title} {page.text}")


def spread(log_odds: float) -> float:
    """Log-odds as a score from 0 to 1, .5 for even ones, that tells apart what is all but certain."""
    return (1 + log_odds / (1 + abs(log_odds))) / 2


class SegmentedContext(PaperScorer):
    """Follows the links whose descriptors are on the topic with at least the probability `threshold`.

    `features` is the number of words that count, `strength` and `weight` are t and p of the m-estimate, `words_around`
    is n; with `within_paragraph` windows end with the paragraph. What sitemaps and feeds name has no descriptor and
    cannot be judged: it is not followed as long as there is a threshold.
    """

    follows_examples = False

    def __init__(  # noqa: PLR0913 - the constants of the paper, each an option
        self,
        *,
        words: str = "",
        threshold: float = 0.76,
        features: int = 2_000,
        strength: float | None = None,
        weight: float | None = None,
        words_around: int = WORDS_AROUND,
        within_paragraph: bool = False,
    ) -> None:
        self.threshold, self.features, self.strength, self.weight = threshold, features, strength, weight
        self.words_around, self.within_paragraph = words_around, within_paragraph
        super().__init__(words, self._new_segments)

    @property
    def follows_lists(self) -> bool:
        """Whether addresses of sitemaps and feeds may be followed: not if they must reach a threshold."""
        return not self.threshold

    @property
    def bayes(self) -> NaiveBayes:
        """What judges links."""
        return self._segments.links

    def other_example(self, page: LinkedPage) -> None:
        """Take an example of another topic as one of what this topic is not."""
        if all(known.key != page.key for known, _ in self._taught):
            self._teach(page, relevant=False)

    def why_page(self, title: str, text: str) -> Sequence[Reason]:
        """The strongest features of the page, in log-odds."""
        odds = self._segments.pages.odds
        found = {word: odds[word] for word in said(f"{title} {text}") if word in odds}
        strongest = sorted(found.items(), key=lambda known: (-abs(known[1]), known[0]))
        return [
            Reason("share of the examples, in log-odds", self._segments.pages.prior),
            *(Reason(f'"{word}"', weight) for word, weight in strongest),
        ]

    def _new_segments(self) -> Segments:
        links, pages = (
            NaiveBayes(features=self.features, strength=self.strength, weight=self.weight) for _ in range(2)
        )
        self._segments = self._segments_of(links, pages, Window(self.words_around, self.within_paragraph))
        return self._segments

    def _segments_of(self, links: NaiveBayes, pages: NaiveBayes, window: Window) -> Segments:
        return Segments(self.words, links, pages, threshold=self.threshold, window=window)

    def _judged(self, page: LinkedPage) -> float:
        relevance = super()._judged(page)
        self._segments.note(page, relevance)
        return relevance

    def _glanced(self, page: LinkedPage) -> float:
        return self._segments.judge(page) if self._segments.can_judge else super()._glanced(page)

    def _more(self) -> bytes:
        return msgspec.msgpack.encode(self._learnt())

    def _take_up(self, more: bytes) -> None:
        self._know(msgspec.msgpack.decode(more, type=_Learnt))

    def _learnt(self) -> _Learnt:
        return _Learnt(self._segments.links.counted, self._segments.pages.counted)

    def _know(self, learnt: _Learnt) -> None:
        self._segments.links.counted, self._segments.pages.counted = learnt.links, learnt.pages


class SegmentedBacklinks(SegmentedContext):
    """Learns from the links that led to pages, too; follows the best link there is, below the threshold as well.

    `backlinks` gives the links known to lead to an example page. Those the crawl has seen itself are learnt from as
    soon as the page they lead to is fetched; with them come words that no example has, so more words count. With a
    `threshold` of .76 only the links are followed that the paper's third crawler would follow.
    """

    def __init__(  # noqa: PLR0913 - the constants of the paper, each an option
        self,
        *,
        words: str = "",
        threshold: float = 0.0,
        features: int = 20_000,
        strength: float | None = None,
        weight: float | None = None,
        words_around: int = WORDS_AROUND,
        within_paragraph: bool = False,
        backlinks: Backlinks | None = None,
    ) -> None:
        super().__init__(
            words=words,
            threshold=threshold,
            features=features,
            strength=strength,
            weight=weight,
            words_around=words_around,
            within_paragraph=within_paragraph,
        )
        self.backlinks = backlinks
        self._seen = SeenDescriptors()
        self._told: dict[int, tuple[bool, set[frozenset[str]]]] = {}

    def example(self, page: LinkedPage, *, relevant: bool) -> Sequence[float]:
        """Learn from the page and from the links between it and other examples, in whatever order these come."""
        scores = super().example(page, relevant=relevant)
        for target, descriptor in self._remember_links(page):
            if target in self._told:
                self._learn_told(target, [descriptor])
        return scores

    def _visited(self, page: LinkedPage) -> Judgement:
        """Judge the page; if it turns out to be relevant, the links that led to it become examples."""
        judged = super()._visited(page)
        self._learn_from(self._seen.take(page.key), judged.relevance)
        self._remember_links(page)
        return judged

    def _learn_from(self, led_there: Sequence[frozenset[str]], relevance: float) -> None:
        """Learn from the links that led to a page of this relevance."""
        if relevance >= RELEVANT:
            self._learn(led_there, relevant=True)

    def _remember_links(self, page: LinkedPage) -> list[tuple[int, frozenset[str]]]:
        links = list(zip(page.targets, map(self._segments.window.of, page.links), strict=True))
        self._seen.add(links)
        return links

    def _learn_more(self, page: LinkedPage, *, relevant: bool) -> None:
        given = islice(self.backlinks(page.url), _MOST_BACKLINKS) if self.backlinks else ()
        self._told[page.key] = relevant, set()
        self._learn_told(page.key, [*self._seen.take(page.key), *map(self._segments.window.of, given)])

    def _learn_told(self, key: int, descriptors: Sequence[frozenset[str]]) -> None:
        """Learn from links to an example, unless the same was said of it before."""
        relevant, said_before = self._told[key]
        self._learn((new for new in descriptors if new not in said_before), relevant=relevant)
        said_before.update(descriptors)

    def _learn(self, descriptors: Iterable[frozenset[str]], *, relevant: bool) -> None:
        """Learn from different descriptors: a link may be known from the crawl and from elsewhere."""
        for descriptor in dict.fromkeys(descriptors):
            self._segments.links.learn(descriptor, relevant=relevant)

    def _learnt(self) -> _Learnt:
        return msgspec.structs.replace(super()._learnt(), seen=self._seen.state())

    def _know(self, learnt: _Learnt) -> None:
        super()._know(learnt)
        self._seen.restore(learnt.seen)


class SeenDescriptors:
    """The descriptors of links to pages that were not fetched yet, the newest ones."""

    def __init__(self) -> None:
        self._of: dict[int, list[frozenset[str]]] = {}
        self._order: deque[int] = deque()

    def add(self, links: Iterable[tuple[int, frozenset[str]]]) -> None:
        """Remember links, given by the page they lead to and their descriptor."""
        for target, descriptor in links:
            self._of.setdefault(target, []).append(descriptor)
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
    words: list[str] = []
    links: list[tuple[int, list[int]]] = []


class _Learnt(msgspec.Struct, frozen=True):
    links: Counted
    pages: Counted
    seen: _Seen = _Seen()
