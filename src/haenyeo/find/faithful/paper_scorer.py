"""What the papers' methods share: pages are judged by example, a waiting page is worth what the best link to it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import msgspec
import numpy as np

from haenyeo.find.faithful.links_of_others import LinksOfOthers
from haenyeo.find.faithful.rocchio import ExampleJudge
from haenyeo.find.learned.features import PageWords
from haenyeo.find.learned.regression import logistic
from haenyeo.find.learned.state import from_bytes, to_bytes
from haenyeo.model.errors import StoreError
from haenyeo.model.pages import Link
from haenyeo.model.parts import Judgement, LinkedPage, Reason

REFUSED = -1.0
"""The score of a link that shall not be followed."""

RELEVANT = 0.5  # from which on a page belongs to the topic
_MOST_REMEMBERED = 200_000  # pages whose best score is known
_WORDS_SHOWN = 12


class Rater(Protocol):
    """A paper's way to rate links."""

    def teach(self, page: LinkedPage, *, relevant: bool) -> None:
        """The user gave this page as an example."""
        ...

    def see(self, page: LinkedPage) -> None:
        """The topic asked for this page: learn what pages are like, before its links are rated."""
        ...

    def rate(self, page: LinkedPage, relevance: float) -> Sequence[float]:
        """The worth of each link of a page of this relevance, at least 0; `REFUSED` for those not to be followed.

        Nothing is learnt: the page may be another topic's.
        """
        ...

    def weigh(self, link: Link) -> Mapping[str, float]:
        """How much each word of a link speaks for it, or against it."""
        ...


class _Kept(msgspec.Struct, frozen=True):
    judge: bytes
    taught: list[tuple[LinkedPage, bool]]
    best: dict[int, float] = {}
    more: bytes = b""
    of_others: dict[int, float] = {}


class PaperScorer:
    """Joins a paper's way to rate links with a judge of pages; remembers its examples and is taught again from them.

    Where examples are what a classifier is trained with, the crawl `follows_examples` only if it starts there.
    """

    follows_examples = True
    strictness = 1.0  # the papers' crawlers always take the best link of all
    heeds_dead_links = True  # as links are rated: what others of the same page led to changes nothing

    def __init__(self, words: str, make_rater: Callable[[], Rater]) -> None:
        self.words = words
        self._make_rater = make_rater
        self._judge, self._rater = ExampleJudge(words=words), make_rater()
        self._taught: list[tuple[LinkedPage, bool]] = []
        self._best: dict[int, float] = {}
        self._better: dict[int, float] = {}
        self._relevance: dict[int, float] = {}
        self._of_others = LinksOfOthers()

    def example(self, page: LinkedPage, *, relevant: bool) -> Sequence[float]:
        """Learn from a page the user judged; the links of one that is not liked are not followed."""
        self._forget_verdict(page.key)
        self._teach(page, relevant=relevant)
        self._learn_more(page, relevant=relevant)
        self._judge.example(PageWords.of(page.title, page.text), relevant=relevant)
        self._relevance[page.key] = float(relevant)
        self._of_others.forget(page.key)
        followed = page.start or (relevant and self.follows_examples)
        if not followed:
            return [REFUSED] * len(page.links)
        self._rater.see(page)
        return self._rated(page, float(relevant))

    def visit(self, page: LinkedPage) -> Judgement:
        """Judge a page by its text and rate its links."""
        judged = self._visited(page)
        self._relevance[page.key] = judged.relevance
        return judged

    def glance(self, page: LinkedPage) -> Judgement:
        """Judge a page that was fetched for another topic and rate its links: each topic judges every link."""
        relevance = self._glanced(page)
        self._of_others.note_fetched(page.key)
        if page.key in self._best:
            self._better[page.key] = self._best[page.key]  # it is there now, also if it was not this topic's to ask for
        rated = zip(page.targets, self._rater.rate(page, relevance), strict=True)
        return Judgement(relevance, [self._beside_own(target, score) for target, score in rated])

    def revise(self) -> tuple[Sequence[int], Sequence[float]]:
        """The pages to which a better link was found since the last time."""
        better, self._better = self._better, {}
        return list(better), list(better.values())

    def relevance(self, key: int) -> float | None:
        """The relevance given to a page when it was visited or named as an example."""
        return self._relevance.get(key)

    def why_link(self, key: int, links: Sequence[Link]) -> Sequence[Reason]:
        """The rate of the best link, as far as it is remembered, and the words of all."""
        known = {
            "best of the links to it": self._best,
            "best link to it, on another topic's page": self._of_others.scores,
        }
        best = [Reason(what, scores[key]) for what, scores in known.items() if key in scores]
        weighed = {word: weight for link in links for word, weight in self._rater.weigh(link).items() if weight}
        strongest = sorted(weighed.items(), key=lambda said: (-abs(said[1]), said[0]))
        return [*best, *(Reason(f'"{word}"', weight) for word, weight in strongest)]

    def why_page(self, title: str, text: str) -> Sequence[Reason]:
        """How well the page matches the examples."""
        words = PageWords.of(title, text)
        return [Reason("likeness to the examples, in log-odds", self._judge.judge(words))]

    def dump(self) -> bytes:
        """The examples, what the judge has seen, and the best scores."""
        taught = [(_without_links(page), good) for page, good in self._taught]
        judge, of_others = to_bytes(self._judge.state()), self._of_others.scores
        return msgspec.msgpack.encode(_Kept(judge, taught, self._best, self._more(), of_others))

    def restore(self, data: bytes) -> None:
        """Learn again from the examples that another scorer of this kind dumped.

        Raises `StoreError` for bytes that are no such state; this scorer is of no use then.
        """
        try:
            self._become(msgspec.msgpack.decode(data, type=_Kept))
        except (msgspec.DecodeError, LookupError, OverflowError, TypeError, ValueError) as error:
            raise StoreError(f"this is no state of a scorer: {error}", advice="learn anew from the pages") from error

    def _become(self, kept: _Kept) -> None:
        self._judge.restore(from_bytes(kept.judge))
        for page, relevant in kept.taught:
            self._teach(page, relevant=relevant)
        self._best, self._of_others = kept.best, LinksOfOthers(kept.of_others)
        self._better = self._of_others.waiting() | kept.best
        if kept.more:
            self._take_up(kept.more)

    def _visited(self, page: LinkedPage) -> Judgement:
        """Judge a page that the topic has asked for, learn from it and rate its links."""
        relevance = self._judged(page)
        self._rater.see(page)
        self._of_others.forget(page.key)
        return Judgement(relevance, self._rated(page, relevance))

    def _judged(self, page: LinkedPage) -> float:
        """How relevant a page is that was fetched, of which is learnt what pages are like."""
        self._judge.see(PageWords.of(page.title, page.text))
        return self._glanced(page)

    def _glanced(self, page: LinkedPage) -> float:
        """How relevant a page is of which nothing is learnt."""
        return float(logistic(np.array(self._judge.judge(PageWords.of(page.title, page.text)))))

    def _learn_more(self, page: LinkedPage, *, relevant: bool) -> None:
        """Learn more from an example; for papers that use links to it as well."""

    def _more(self) -> bytes:
        """What was learnt beside the examples, as bytes for `_take_up`."""
        return b""

    def _take_up(self, more: bytes) -> None:
        """Take over what `_more` gave."""

    def _forget_verdict(self, key: int) -> None:
        """Teach a new rater without what the user said of this page before; nothing to do if he said nothing."""
        left = [(page, good) for page, good in self._taught if page.key != key]
        if len(left) < len(self._taught):
            self._rater, self._taught = self._make_rater(), []
            for page, good in left:
                self._teach(page, relevant=good)

    def _teach(self, page: LinkedPage, *, relevant: bool) -> None:
        self._taught.append((page, relevant))
        self._rater.teach(page, relevant=relevant)

    def _rated(self, page: LinkedPage, relevance: float) -> list[float]:
        if len(self._best) > _MOST_REMEMBERED:
            self._best.clear()
        scores = []
        for target, score in zip(page.targets, self._rater.rate(page, relevance), strict=True):
            before = self._best.get(target)
            if score != REFUSED and (before is None or score > before):
                self._best[target] = score
                if self._of_others.forget(target) or before is not None:
                    self._better[target] = score
            scores.append(score)
        return scores

    def _beside_own(self, target: int, score: float) -> float:
        """What a link on a page of another topic is worth: only what the best of this topic's own says, if any."""
        return score if score == REFUSED or target in self._best else self._of_others.note(target, score)


def _without_links(page: LinkedPage) -> LinkedPage:
    return msgspec.structs.replace(page, links=(), targets=())
