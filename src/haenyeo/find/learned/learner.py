"""The default strategy: judges pages by example and learns, while it crawls, which links lead to good ones.

The life of a page. It becomes known when a link to it is seen (`score`), and gathers evidence from every further link.
When it is fetched (`learn`) it is judged by its text and by what its links promised, and becomes an example, of a
relevant page or of another: for its words, for the links that lead to it, for the pages these stand on. Every few pages
(`due`) all that has been learnt is applied to all that waits (`revise`), because it may turn the order around. Of what
waits, the best some thousand pages are remembered with their links; the others keep the score they had.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from haenyeo.find.learned.balance import Balance
from haenyeo.find.learned.columns import Column
from haenyeo.find.learned.evidence import KINDS, KNOWN, LEADS, SUMS, PageColumns, Standards, add_evidence, page_evidence
from haenyeo.find.learned.features import TABLE, PageWords
from haenyeo.find.learned.features.parts import apart, share_left
from haenyeo.find.learned.gains import as_target, from_target, gains, squashed
from haenyeo.find.learned.judging.judge import PageJudge
from haenyeo.find.learned.memory import NOBODY, Flags, Floats, Indexes, LinkMemory, urls_of
from haenyeo.find.learned.naming import Naming, beside_examples
from haenyeo.find.learned.prospects import Prospects
from haenyeo.find.learned.regression import Regression, chance, logistic
from haenyeo.find.learned.state import State, Stateful, from_bytes, of, to_bytes, under
from haenyeo.find.learned.topic_words import HeardPages, RecentPage, TopicWords, recent_of, recent_state
from haenyeo.model.errors import StoreError
from haenyeo.model.pages import Link

_GAIN = 0.2  # worth of opening up one more page that is better than what waits, beside fetching one
_AGREEMENT = 0.5  # how much what its links promised counts beside a page's own text
_CORRECTION = 0.01  # a smaller change of a page's relevance is not worth the work
_SOONEST, _LATEST = 5, 400  # pages between two revisions
_SHARE_NEW = 8  # so many times more pages were learnt from before: the next few change little
_LINKS_PER_PAGE = 1000  # known links that make a revision wait one page longer
_MANY_LINKS = 6000  # known links from which on it waits still longer: it costs more, and one page changes less
_MOST_EXAMPLES = 2500  # links to fetched pages that are learnt from, the newest
_FEWEST_EXAMPLES = 6
_RECENT = 400  # pages that are judged again when the judge has changed its mind
_MOST_LINKS, _LINKS_KEPT = 60_000, 40_000  # links remembered, and those left when some must be forgotten
_WAITING_KEPT, _FETCHED_KEPT = 8_000, 2_000  # pages
_NOTICEABLE = 0.02  # a smaller change of a score hardly changes the order of what waits
_KEEPER = "keeper"
_FORM = 14  # of what is dumped; to be raised when that changes


class Learner:
    """Link scorer of one topic; `words` are the topic's, and its judge says how relevant the pages are.

    Pages are known by references: whole numbers of the caller's, the same for all links to one page. The judge has seen
    a page before it is learnt from; the `keeper`, a judge of what is kept, has seen those too that are not learnt from.
    """

    def __init__(self, *, words: str = "") -> None:
        self.words = words
        self.judge = self.keeper = PageJudge(words=words)
        self.topic = TopicWords(words=words)
        self.memory = LinkMemory()
        self.naming = Naming(words=words)
        self.balance = Balance()
        self.prospects = Prospects()
        self.regression = Regression()
        self.heard = HeardPages()
        self._sums = Column(np.float64, (SUMS,))
        self._links = Column(np.int64)
        self._chance, self._worth, self._told, self._beside = (Column(np.float64) for _ in range(4))
        self._recent: deque[RecentPage] = deque(maxlen=_RECENT)
        self._promised = 0.0
        self._judged_by = 0
        self._mean = 0.1
        self._apart = 0.0
        self._learnt = self._next_revision = 0
        self._words = np.zeros((TABLE, 2), np.float32)
        self._standards = self._new_standards()

    def example(self, ref: int, url: str, page: PageWords, *, relevant: bool) -> None:
        """Learn from a page that the user judged; the links of a page that is not relevant are not followed."""
        number = self._number(ref, url)
        memory = self.memory
        self.uncount(ref)
        self.topic.count(page, float(relevant))
        memory.rate(number, float(relevant))
        memory.share[number], memory.given[number], memory.followed[number] = 1.0, True, relevant
        self._next_revision = 0

    def take_back(self, ref: int, relevance: float) -> None:
        """Count a page that was an example as one of this relevance; its links are followed."""
        number = self.memory.number_of(ref)
        if number is not None:
            memory = self.memory
            memory.given[number], memory.followed[number] = False, True
            memory.rate(number, relevance)
            self._next_revision = 0

    def learn(self, ref: int, url: str, page: PageWords) -> float:
        """Learn from a page that was fetched; returns how relevant it seems together with what its links promised."""
        number = self._number(ref, url)
        if self.memory.given[number]:
            return float(self.memory.relevance[number])
        self.uncount(ref)
        recent = RecentPage(ref, page, self.judge.odds_by_text(ref))
        promise = 0.0
        links = self._links.values[number]
        if links:
            evidence = self._evidence(np.array([number]))[0]
            if len(page.ids):  # a dead link does not tell which evidence relevant pages have
                self.balance.note(ref, evidence)
            self.prospects.note(ref, number, evidence[:KINDS], self.memory)
            promise = float(evidence[KNOWN]) - self._promised
        relevance = chance(recent.odds + _AGREEMENT * promise)
        share = self.memory.share[number] = self._share(number)
        recent.counted = self.memory.relevance[number] = relevance * share
        self.memory.in_context[number] = chance(self.judge.odds_of(ref)) * share
        self.topic.count(page, recent.counted)
        self._recent.append(recent)
        self._learnt += 1
        return relevance

    def score(self, ref: int, url: str, refs: Sequence[int], links: Sequence[Link], *, start: bool = False) -> Floats:
        """The worth of each link of a fetched page, 0 to 1; that of a known page is what the last revision found.

        `start` says that the crawl began with this page.
        """
        page = self.memory.number_of(ref)
        if page is None or not links:
            return np.zeros(len(links))
        self.memory.start[page] |= start
        known = self.memory.pages
        first = self.memory.add_links(page, url, refs, links)
        self._make_room()
        if not self.memory.followed[page]:
            return np.zeros(len(links))
        self.naming.note(self.memory, first, urls_of(links), known, start=start)
        add_evidence(self.memory, self._standards, self._sums.values, self._links.values, first)
        if self.memory.pages > known:
            met = np.arange(known, self.memory.pages)
            self._weigh(met, self._evidence(met))
        return squashed(self._worth.values[self.memory.target[first:]])

    def worth(self, refs: Sequence[int] | Indexes) -> Floats:
        """What pages that wait are worth now, NaN for those not remembered."""
        numbers = self.memory.numbers_of(refs)
        return squashed(np.where(numbers == NOBODY, np.nan, self._worth.values[numbers]))

    def waiting(self) -> tuple[Indexes, Floats]:
        """The references of all remembered pages that wait and can be reached, and what they are worth now."""
        rows = np.flatnonzero((self._links.values > 0) & ~self.memory.fetched)
        return self.memory.ref[rows], squashed(self._worth.values[rows])

    def news(self) -> tuple[Indexes, Floats]:
        """The pages of `waiting` that were not returned before, or whose worth has changed noticeably since."""
        rows = np.flatnonzero((self._links.values > 0) & ~self.memory.fetched)
        scores, told = squashed(self._worth.values[rows]), self._told.values[rows]
        new = np.abs(scores - told) > _NOTICEABLE * np.minimum(scores, told)
        self._told.values[rows[new]] = scores[new]
        return self.memory.ref[rows[new]], scores[new]

    def relevance(self, ref: int) -> float | None:
        """How relevant a fetched page is thought to be by now; None if it is not remembered."""
        number = self.memory.number_of(ref)
        relevance = np.nan if number is None else float(self.memory.relevance[number] / self.memory.share[number])
        return None if np.isnan(relevance) else relevance

    def evidence_of(self, ref: int) -> Floats | None:
        """What speaks for a page that waits, by kind; None if no link to it is remembered."""
        number = self.memory.number_of(ref)
        if number is None or not self._links.values[number] or self.memory.is_fetched(number):
            return None
        evidence: Floats = self._evidence(np.array([number]))[0]
        return evidence

    def topic_weights(self, places: Sequence[int]) -> list[float]:
        """How much more often words stand on relevant pages than on others, as log-odds; 0 for those never seen."""
        weights: list[float] = self._words[np.array(places, np.int64), 0].tolist()
        return weights

    def expected_gain(self, ref: int, evidence: Floats) -> float:
        """How many new pages, better than those that wait, a page with this evidence should open up."""
        return float(self._gains(self.memory.numbers_of([ref]), evidence[None])[0])

    @property
    def due(self) -> bool:
        """Whether enough has been learnt since the last revision."""
        return self._learnt >= self._next_revision

    def revise(self) -> None:
        """Apply what has been learnt to all pages that wait."""
        memory = self.memory
        if memory.links > _MOST_LINKS:
            self._forget()
        self._judge_again()
        fetched = memory.fetched
        self._mean = self.topic.mean_of(memory.relevance[fetched], self._mean)
        self._apart = apart(memory.site[memory.given & (memory.relevance == 1)])
        self.prospects.count(memory)
        self._study(fetched)
        self._standards = self._new_standards()
        self._weigh_all(fetched)
        pause = _SOONEST + memory.links // _LINKS_PER_PAGE + (memory.links // _MANY_LINKS) ** 2
        self._next_revision = self._learnt + max(pause, min(self._learnt // _SHARE_NEW, _LATEST))

    def dump(self) -> bytes:
        """All it knows, for `restore`."""
        state = {"form": np.array(_FORM), "worth": self._worth.values, "named": self.naming.best.values}
        state |= {"chance": self._chance.values, "counts": np.array([self._learnt, self._mean, self._promised])}
        state |= under("recent", recent_state(self._recent))
        for name, part in self._parts.items():
            state |= under(name, part.state())
        return to_bytes(state)

    def restore(self, data: bytes) -> None:
        """Become what another one was when it was dumped, but for this one's words; its next step is a revision.

        Raises `StoreError` if a version with another form of state dumped it, or if it is damaged; this one is of no
        use then.
        """
        try:
            self._become(from_bytes(data))
        except (LookupError, OverflowError, TypeError, ValueError) as error:
            raise StoreError(f"what was learnt is damaged: {error}", advice="learn anew from the pages") from error

    def _become(self, state: State) -> None:
        if state.get("form", 0) != _FORM:
            raise StoreError("what was learnt is in the form of another version", advice="learn anew from the pages")
        if of(_KEEPER, state):
            self.keeper = PageJudge(words=self.words)
        for name, part in self._parts.items():
            part.restore(of(name, state))
        self._recent.extend(recent_of(of("recent", state)))
        self._make_room()
        self._worth.replace(state["worth"])
        self._chance.replace(state["chance"])
        self.naming.best.replace(state["named"])
        learnt, self._mean, self._promised = state["counts"].tolist()
        self._learnt = int(learnt)
        self.revise()

    @property
    def _columns(self) -> tuple[Column, ...]:
        return self._sums, self._links, self._chance, self._worth, self._told, self._beside, self.naming.best

    @property
    def _parts(self) -> dict[str, Stateful]:
        return ({} if self.keeper is self.judge else {_KEEPER: self.keeper}) | {
            "judge": self.judge,
            "topic": self.topic,
            "memory": self.memory,
            "balance": self.balance,
            "prospects": self.prospects,
            "regression": self.regression,
            "heard": self.heard,
        }

    def _study(self, fetched: Flags) -> None:
        """Learn from the links that lead to fetched pages."""
        memory = self.memory
        chosen = fetched & ~memory.start  # the user chose the others for what they lead to, not the links to them
        rows = np.flatnonzero(memory.described & chosen[memory.target])[-_MOST_EXAMPLES:]
        if len(rows) < _FEWEST_EXAMPLES:
            return
        target = memory.target[rows]
        shares = 1 / np.sqrt(np.bincount(target, minlength=memory.pages)[target])
        opened_up = gains(memory, self._chance.values)
        self.prospects.learn(memory, opened_up)
        wanted = np.stack([memory.relevance[target], as_target(opened_up)[target]], axis=1)
        expected = self.regression.fit(memory.features, rows, wanted, shares)
        self._agree(target, expected[:, 0])

    def _agree(self, target: Indexes, promised: Floats) -> None:
        """Judge the pages fetched last again, by their text and by what the links to them promised."""
        pages = self.memory.pages
        links = np.bincount(target, minlength=pages)
        promise = np.bincount(target, promised, pages) / np.maximum(links, 1)
        recent, numbers = self._remembered()
        pointed_at = links[numbers] > 0
        if not pointed_at.any():
            return
        promises = promise[numbers]
        self._promised = float(promises[pointed_at].mean())
        self._believe(recent, numbers, np.where(pointed_at, promises - self._promised, np.nan))

    def _remembered(self) -> tuple[list[RecentPage], Indexes]:
        """The pages fetched last that are not forgotten, and their numbers."""
        numbers = self.memory.numbers_of([recent.ref for recent in self._recent])
        kept = [recent for recent, number in zip(self._recent, numbers, strict=True) if number != NOBODY]
        return kept, numbers[numbers != NOBODY]

    def _believe(self, recent: list[RecentPage], numbers: Indexes, promise: Floats) -> None:
        """Count these pages with the relevance they have by what is known now."""
        odds = np.array([page.odds for page in recent], np.float64)
        relevance = logistic(odds + _AGREEMENT * promise) * self.memory.share[numbers]
        change = relevance - [page.counted for page in recent]
        changed = (np.abs(change) > _CORRECTION) & ~self.memory.given[numbers]
        for place in np.flatnonzero(changed).tolist():
            self.topic.correct(recent[place].page, float(change[place]))
            recent[place].counted = self.memory.relevance[numbers[place]] = float(relevance[place])

    def _share(self, number: int) -> float:
        """How much of a page's relevance is learnt from: less if it is a part of the relevant page it was found on."""
        memory = self.memory
        whole = int(memory.found_by[number])
        if not memory.beneath[number] or whole == NOBODY or not memory.is_fetched(whole):
            return 1.0
        return share_left(float(memory.relevance[whole] / memory.share[whole]), self._apart, memory.doors(whole))

    def uncount(self, ref: int) -> bool:
        """Subtract the words a page was counted with if it was fetched of late; returns whether it was."""
        number = self.memory.number_of(ref)
        if number is None or not self.memory.is_fetched(number):
            return False
        for place, recent in enumerate(self._recent):
            if recent.ref == ref:
                self.topic.take_back(recent.page, recent.counted)
                del self._recent[place]
                return True
        return False

    def _judge_again(self) -> None:
        self.judge.update()
        if self.judge.revision == self._judged_by:
            return
        self._judged_by = self.judge.revision
        for page in self._recent:
            page.odds = self.judge.odds_by_text(page.ref)
        recent, numbers = self._remembered()
        self._believe(recent, numbers, np.where(self._links.values[numbers] > 0, np.nan, 0.0))
        memory = self.memory
        in_context = logistic(np.array([self.judge.odds_of(page.ref) for page in recent])) * memory.share[numbers]
        memory.in_context[numbers] = np.where(memory.given[numbers], memory.relevance[numbers], in_context)

    def _weigh_all(self, fetched: Flags) -> None:
        self._sums.values[:] = 0
        self._links.values[:] = 0
        self._beside.values[:] = beside_examples(self.memory)
        add_evidence(self.memory, self._standards, self._sums.values, self._links.values)
        waiting = np.flatnonzero((self._links.values > 0) & ~fetched)
        self._worth.values[:] = self._chance.values[:] = 0
        if len(waiting):
            evidence = self._evidence(waiting)
            self.balance.learn(evidence, self._outcomes(), self._mean)
            self._weigh(waiting, evidence)

    def _outcomes(self) -> Floats:
        """How relevant the pages were that were chosen so far, NaN for those forgotten."""
        numbers = self.memory.numbers_of(self.balance.chosen)
        return np.where(numbers == NOBODY, np.nan, self.memory.relevance[numbers])

    def _weigh(self, numbers: Indexes, evidence: Floats) -> None:
        """Find the chance that pages with this evidence are relevant, and what it is worth to visit them."""
        chance_ = self._chance.values[numbers] = self.balance.probability(evidence)
        self._worth.values[numbers] = chance_ + _GAIN * self._gains(numbers, evidence)

    def _gains(self, numbers: Indexes, evidence: Floats) -> Floats:
        if self.prospects.known:
            return self.prospects.gains(evidence[:, :KINDS], numbers, self.memory)
        return from_target(logistic(evidence[:, LEADS]))

    def _evidence(self, numbers: Indexes) -> Floats:
        gathered = PageColumns(self._sums.values, self._links.values, self.naming.best.values, self._beside.values)
        return page_evidence(gathered, numbers, self._mean)

    def _new_standards(self) -> Standards:
        words = self._words  # used again: so much memory takes long to get
        words[:] = 0
        seen, odds = self.topic.log_odds()
        words[seen, 0] = odds
        words[self.topic.asked, 1] = self.judge.idf(self.topic.asked)
        return Standards.of(words, self.regression, self._mean)

    def _number(self, ref: int, url: str) -> int:
        number = self.memory.numbers([ref], [url])[0]
        self._make_room()
        return number

    def _make_room(self) -> None:
        more = self.memory.pages - len(self._links)
        if more:
            for column in self._columns:
                column.grow(more)

    def _forget(self) -> None:
        """Keep the most promising of the waiting pages, the newest of the fetched ones, and links to these."""
        memory = self.memory
        fetched = memory.fetched
        kept = memory.given.copy()
        kept[np.flatnonzero(fetched)[-_FETCHED_KEPT:]] = True
        kept[np.where(fetched, -1, self._worth.values).argsort()[-_WAITING_KEPT:]] = True
        number = memory.keep(kept, _LINKS_KEPT)
        for column in self._columns:
            column.replace(column.values[number >= 0])
