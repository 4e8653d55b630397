"""The default scorer: a `Learner` behind the socket for scorers of topics."""

from __future__ import annotations

from collections.abc import Sequence

from haenyeo.find.learned.judging.judge import PageJudge, Said, VerdictOrigin
from haenyeo.find.learned.judging.traits import traits_of
from haenyeo.find.learned.learner import Learner
from haenyeo.find.learned.reasons import why_link, why_page
from haenyeo.find.learned.sharing.joining import hear, joined, told, witness
from haenyeo.model.pages import Link
from haenyeo.model.parts import Judgement, LinkedPage, Reason

_NOT_NOW = -1.0
_EARLY = 200  # pages until which all that waits is weighed anew whenever others have learnt more
_MOST_RECEIVED = 2_000  # pages whose links wait until it is known what others have learnt


class Learned:
    """Learns from the crawl which pages are on the topic, and what leads to them."""

    heeds_dead_links = True  # they lower what links like them are worth

    def __init__(self, *, words: str = "") -> None:
        self.words = words
        self.learner = Learner(words=words)
        self._taken_up = False
        self.visits = 0
        self._received: list[tuple[LinkedPage, float]] | None = []

    @property
    def judge(self) -> PageJudge:
        """What says which pages are kept."""
        return self.learner.keeper

    @property
    def _judges(self) -> Sequence[PageJudge]:
        """That one and, if it is another, what says which pages links should lead to."""
        return [self.judge] if self.judge is self.learner.judge else [self.learner.judge, self.judge]

    @property
    def cut(self) -> float:
        """The relevance from which on pages are kept."""
        return self.judge.cut

    def example(self, page: LinkedPage, *, relevant: bool) -> Sequence[float]:
        """Learn from a page that the user judged; the links of a page he does not like are worth nothing."""
        traits = traits_of(page, self.judge.keywords)
        for judge in self._judges:
            judge.example(page.key, traits, Said(relevant, VerdictOrigin[page.said.upper()]))
        self.learner.example(page.key, page.url, traits.words, relevant=relevant)
        return self._scores(page)

    def visit(self, page: LinkedPage) -> Judgement:
        """Judge a page, learn from it, and score its links."""
        traits = traits_of(page, self.judge.keywords)
        self.visits += 1
        for judge in self._judges:
            judge.see(page.key, traits)
        self.learner.learn(page.key, page.url, traits.words)
        return Judgement(self.judge.probability(page.key) or 0.0, self._scores(page))

    def take_back(self, key: int) -> None:
        """Judge a page by itself again, of which the user had said something."""
        for judge in self._judges:
            judge.take_back(key)
        self.learner.take_back(key, self.learner.judge.probability(key) or 0.0)

    def settle(self) -> None:
        """Judge all remembered pages in the light of all."""
        for judge in self._judges:
            judge.settle()

    def glance(self, page: LinkedPage) -> Judgement:
        """Judge a page that was fetched for another topic; its links are followed only if this one comes to it, too.

        It counts for what is kept, not for where to go: what others ask for is no sample of what this topic meets.
        """
        if self.learner.keeper is self.learner.judge:
            self.learner.keeper = self.learner.judge.copy()
        self.judge.see(page.key, traits_of(page, self.judge.keywords))
        return Judgement(self.judge.probability(page.key) or 0.0, [_NOT_NOW] * len(page.links))

    def revise(self) -> tuple[Sequence[int], Sequence[float]]:
        """Every few pages, the waiting pages whose worth has changed; after a restart, all of them."""
        if not self.learner.due and not self._taken_up:
            return (), ()
        self._taken_up = False
        self.learner.revise()
        keys, scores = self.learner.news()
        return keys.tolist(), scores.tolist()

    def relevance(self, key: int) -> float | None:
        """How relevant a fetched page is by what is known now; None if it is not remembered."""
        return self.judge.probability(key)

    def why_link(self, key: int, links: Sequence[Link]) -> Sequence[Reason]:
        """The evidence for a page that waits."""
        return why_link(self.learner, key, links)

    def why_page(self, title: str, text: str) -> Sequence[Reason]:
        """The words that spoke for a page, or against it."""
        return why_page(self.judge, title, text)

    def why_known(self, key: int, title: str, text: str) -> Sequence[Reason]:
        """The same of a page that it may remember: its text may be read otherwise now than when it was judged."""
        return why_page(self.judge, title, text, key)

    def dump(self) -> bytes:
        """All it has learnt."""
        return self.learner.dump()

    def restore(self, data: bytes) -> None:
        """Take over what another one dumped."""
        self.learner.restore(data)
        self._taken_up = True

    def receive(self, page: LinkedPage, relevance: float) -> None:
        """Learn of links that stand on a page which another crawl has fetched, and found so relevant.

        As long as this one knows nothing of what the others have learnt, links are worth what the other said.
        """
        memory = self.learner.memory
        known = memory.number_of(page.key)
        if known is not None and (memory.source == known).any():
            return
        if self._received is not None and len(self._received) < _MOST_RECEIVED:
            self._received.append((page, relevance))
            return
        number = memory.numbers([page.key], [page.url])[0]
        if not memory.is_fetched(number):
            memory.rate(number, relevance)
            memory.share[number] = 1.0
        self._scores(page)
        self._taken_up |= self.visits < _EARLY

    def witness(self, page: LinkedPage) -> None:
        """Learn from a page that another crawl for the topic has fetched, as if it had been fetched here."""
        if page.key in self.learner.heard.words:
            return
        traits = traits_of(page, self.judge.keywords)
        for judge in self._judges:
            judge.see(page.key, traits)
        witness(self.learner, page, traits.words)
        self._scores(page)

    @property
    def is_informed(self) -> bool:
        """Whether it can tell what links are worth, by what it or others have learnt from some."""
        return self.learner.regression.examples > 0 or bool(self.learner.regression.offsets.any())

    def told(self) -> bytes:
        """What this one has learnt by itself, for other crawls for the topic."""
        return told(self.learner)

    def hear(self, everything: bytes, own: bytes, number: int) -> None:
        """Take in what all have told, `joined`, of which `own` is this one's, known by this number."""
        hear(self.learner, everything, own, number)
        self._taken_up |= self.visits < _EARLY
        received, self._received = self._received or [], None
        for page, relevance in received:
            self.receive(page, relevance)

    joined = staticmethod(joined)

    def _scores(self, page: LinkedPage) -> Sequence[float]:
        scores: list[float] = self.learner.score(
            page.key, page.url, page.targets, page.links, start=page.depth == 0
        ).tolist()
        return scores
