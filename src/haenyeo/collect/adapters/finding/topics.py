"""A topic at work, and what is stored of it."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence

import msgspec

from haenyeo.model.pages import Link
from haenyeo.model.parts import Judgement, LinkedPage, TopicScorer
from haenyeo.store import PartState
from haenyeo.words.korean import chosen

PART = "find"
"""The part under whose name the store has how far the topics' scorers have come, by topic."""
LEARNT = "learnt"
"""The part under whose name the store has what they have learnt up to there, by topic."""
JUDGED = "judged"
"""The part under whose name the store has what the user said of pages: topic → good or not, by address."""
VERDICTS = "verdicts"
"""The part under whose name the store has what the user said of pages, in order, by topic."""
UNSAID = 0.02  # worth of a link nothing is said about, such as one of a sitemap
_USUAL_THRESHOLD = 0.5


class TopicAtWork(msgspec.Struct, kw_only=True):
    """A topic at work: what its scorer thinks the waiting pages are worth, and the verdicts it was taught.

    Of a crawl with other topics it has the share that its `weight` gives it.
    """

    scorer: TopicScorer
    threshold: float | None = None
    weight: float = 1.0
    worth: dict[int, float] = msgspec.field(default_factory=dict)
    taught: dict[int, bool] = msgspec.field(default_factory=dict)

    @property
    def follows_lists(self) -> bool:
        """Whether it follows addresses of which nothing is said, such as those of sitemaps and feeds."""
        return bool(getattr(self.scorer, "follows_lists", True))

    @property
    def least(self) -> float:
        """The relevance from which on a page is kept."""
        return least(self.threshold, getattr(self.scorer, "cut", None))

    def best(self, most: int) -> list[int]:
        """Of the pages that wait, so many that are worth most."""
        return heapq.nlargest(most, self.worth, key=self.worth.__getitem__)

    def settle(self) -> None:
        """Let a scorer that judges in the light of all pages take in those it has met last."""
        if settle := getattr(self.scorer, "settle", None):
            settle()

    def glance(self, page: LinkedPage, *, counts_against: bool = False) -> Judgement:
        """What the topic says of a page that another asked for; a scorer that cannot but learn from it does so.

        One that `counts_against` it is an example of what the topic is not, for scorers that take such.
        """
        if counts_against and (take := getattr(self.scorer, "other_example", None)):
            take(page)
        looking: Callable[[LinkedPage], Judgement] = getattr(self.scorer, "glance", self.scorer.visit)
        return looking(page)

    def witness(self, page: LinkedPage) -> None:
        """Learn from a page that another crawl has fetched, if the scorer can."""
        if witness := getattr(self.scorer, "witness", None):
            witness(page)

    def states(self, name: str, strategy: str, page: int) -> list[PartState]:
        """What is to be stored of it under this name; `page` is the last that its scorer has learnt from."""
        checkpoint = Checkpoint(
            strategy=strategy,
            page=page,
            taught=sorted(self.taught),
            disliked=sorted(key for key, liked in self.taught.items() if not liked),
            korean=chosen(),
        )
        learnt = PartState(part=LEARNT, key=name, value=self.scorer.dump())
        return [learnt, PartState(part=PART, key=name, value=msgspec.msgpack.encode(checkpoint))]

    def take_back(self, key: int) -> None:
        """Forget the user's word on a page, as far as the scorer can: some papers' scorers go on as they were."""
        self.taught.pop(key, None)
        if forget := getattr(self.scorer, "take_back", None):
            forget(key)

    def wants(self, relevance: float) -> bool:
        """Is a page of this relevance to be kept?"""
        return relevance >= self.least


def least(threshold: float | None, cut: float | None = None) -> float:
    """The relevance from which on a page is kept: the settings' threshold, else the scorer's own cut if it has one."""
    if threshold is not None:
        return threshold
    return _USUAL_THRESHOLD if cut is None else cut


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """The last page a topic's scorer had learnt from, and how it read Korean words.

    What it had learnt, tens of megabytes, stands elsewhere; older collections have it here.
    """

    strategy: str
    page: int
    taught: list[int]
    learnt: bytes = b""
    disliked: list[int] = []
    korean: str = "particles"


class UnsaidWorth:
    """Scores links that stand on no page: seeds come first, others last."""

    def score(self, links: Sequence[Link], depth: int) -> Sequence[float]:
        """The same for all: 1 for seeds, hardly anything for the entries of a list."""
        return [1.0 if depth < 0 else UNSAID] * len(links)
