"""Which words stand on the topic's pages and not on others? Log-odds of each word over all pages fetched so far."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import msgspec
import numpy as np

from haenyeo.find.learned.columns import Numbers
from haenyeo.find.learned.features import TABLE, WORD_IDS, PageWords
from haenyeo.find.learned.memory import NOBODY, LinkMemory
from haenyeo.find.learned.state import State, of, pages_of, pages_state, under
from haenyeo.find.learned.tables import add

_PRIOR = 2.0  # pages: how much a word's share among all pages counts before it was seen on the topic's
_ASKED = 3.0  # relevant pages the topic's own words are taken to have stood on


class WordCounts(NamedTuple):
    """On how many pages each word stands, relevant ones and all, and how many pages there are: all, relevant."""

    relevant: Numbers
    all: Numbers
    totals: tuple[float, float]

    @classmethod
    def none(cls) -> WordCounts:
        """Nothing was counted yet."""
        return cls(np.zeros(TABLE, np.float32), np.zeros(TABLE, np.float32), (0.0, 0.0))

    def plus(self, other: WordCounts) -> WordCounts:
        """Both together."""
        totals = self.totals[0] + other.totals[0], self.totals[1] + other.totals[1]
        return WordCounts(self.relevant + other.relevant, self.all + other.all, totals)

    def minus(self, other: WordCounts) -> WordCounts:
        """This one without a part of it."""
        totals = self.totals[0] - other.totals[0], self.totals[1] - other.totals[1]
        return WordCounts(self.relevant - other.relevant, self.all - other.all, totals)


class TopicWords:
    """Counts every page as partly relevant, as far as it was judged so; `others` is what other crawls have counted."""

    def __init__(self, *, words: str = "") -> None:
        self.words = words
        self.asked = np.array(sorted(set(WORD_IDS.of(words))), np.int64)
        self._relevant = np.zeros(TABLE, np.float32)
        self._all = np.zeros(TABLE, np.float32)
        self._pages = self._relevant_pages = 0.0
        self.others: WordCounts | None = None

    @property
    def own(self) -> WordCounts:
        """What was counted here."""
        return WordCounts(self._relevant, self._all, (self._pages, self._relevant_pages))

    def mean_of(self, relevance: Numbers, before: float) -> float:
        """The mean of these and of what others have counted, or what it was before if there is nothing."""
        pages, relevant = (0.0, 0.0) if self.others is None else self.others.totals
        return before if pages + len(relevance) < 1 else (float(relevance.sum()) + relevant) / (pages + len(relevance))

    def count(self, page: PageWords, relevance: float) -> None:
        """Count the words of a page with this relevance."""
        add(self._all, page, 1)
        self._pages += 1
        self.correct(page, relevance)

    def correct(self, page: PageWords, change: float) -> None:
        """Correct the relevance of a page that was counted before by this difference."""
        add(self._relevant, page, change)
        self._relevant_pages += change

    def take_back(self, page: PageWords, relevance: float) -> None:
        """Remove a page that was counted with this relevance."""
        add(self._all, page, -1)
        self._pages -= 1
        self.correct(page, -relevance)

    def log_odds(self) -> tuple[Numbers, Numbers]:
        """The words seen so far, and how much more often each stands on relevant pages than on others."""
        counted = self.own if self.others is None else self.own.plus(self.others)
        pages, relevant_pages = counted.totals
        met = counted.all > 0
        met[self.asked] = True
        seen = np.flatnonzero(met)
        everywhere = counted.all[seen]
        relevant = counted.relevant[seen].clip(0, everywhere)  # sums of rounded numbers
        usual = _PRIOR * (everywhere + 0.5) / (pages + 1)
        elsewhere = (everywhere - relevant + usual) / (pages - relevant_pages + _PRIOR)
        extra = _ASKED * (len(self.asked) > 0)
        at = np.searchsorted(seen, self.asked)
        relevant[at] += _ASKED
        on_topic = (relevant + usual) / (relevant_pages + extra + _PRIOR)
        odds = np.log(on_topic / elsewhere)
        odds[at] = odds[at].clip(0)
        return seen, odds

    def state(self) -> dict[str, Numbers]:
        """What `restore` needs."""
        totals = np.array([self._pages, self._relevant_pages])
        return {"relevant": self._relevant, "all": self._all, "totals": totals}

    def restore(self, state: dict[str, Numbers]) -> None:
        """Become what another one was when it gave its state."""
        self._relevant, self._all = state["relevant"].copy(), state["all"].copy()
        self._pages, self._relevant_pages = map(float, state["totals"])


class HeardPages:
    """The words of pages that others have fetched and this crawl has learnt from, by the references of the pages.

    What a crawl tells others in sums must be its own alone, so these are kept until the sums of others replace them.
    """

    def __init__(self) -> None:
        self.words: dict[int, PageWords] = {}

    def __len__(self) -> int:
        return len(self.words)

    def relevance(self, memory: LinkMemory) -> list[float]:
        """The relevance that each page is counted with, in order."""
        numbers = memory.numbers_of(self.words)
        counted: list[float] = np.where(numbers == NOBODY, 0.0, memory.relevance[numbers]).tolist()
        return counted

    def counted(self, memory: LinkMemory) -> WordCounts:
        """The words of all these pages as they are counted now."""
        counts = TopicWords()
        for words, relevance in zip(self.words.values(), self.relevance(memory), strict=True):
            counts.count(words, relevance)
        return counts.own

    def state(self) -> dict[str, Numbers]:
        """What `restore` needs; nothing if no page was heard of."""
        if not self.words:
            return {}
        return {"refs": np.fromiter(self.words, np.int64), **under("pages", pages_state(self.words.values()))}

    def restore(self, state: dict[str, Numbers]) -> None:
        """Become what another one was when it gave its state."""
        if state:
            self.words = dict(zip(state["refs"].tolist(), pages_of(of("pages", state)), strict=True))


class RecentPage(msgspec.Struct):
    """A page fetched of late, whose words are counted again when the judge has changed its mind.

    `odds` are those by its text, and with the relevance `counted` its words were counted.
    """

    ref: int
    page: PageWords
    odds: float
    counted: float = 0.0


def recent_state(recent: Collection[RecentPage]) -> State:
    """What `recent_of` needs."""
    return {
        **pages_state(page.page for page in recent),
        "refs": np.array([page.ref for page in recent], np.int64),
        "odds": np.array([page.odds for page in recent], np.float64),
        "counted": np.array([page.counted for page in recent], np.float64),
    }


def recent_of(state: State) -> list[RecentPage]:
    """The pages that were stored; raises `ValueError` if their columns are not alike."""
    columns = (state[name].tolist() for name in ("odds", "counted"))
    facts = zip(state["refs"].tolist(), pages_of(state), *columns, strict=True)
    return [RecentPage(*fact) for fact in facts]
