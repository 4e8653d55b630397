"""Is a page about the topic? The direction of the examples and the topic's words, away from counter-examples.

J. Rocchio, 1971. A page is a vector of logarithmic word frequencies times idf, of length 1; idf comes from the pages
seen so far. The topic is examples + words - counter-examples / 2, each of length 1. With five to eight examples its
ranking is good, but its raw value means nothing, so it is calibrated: .5 is the middle between what the examples reach,
each when it is left out, and what the counter-examples hardly reach.

Without examples the pages that match the topic's words best stand in for them, without counter-examples all others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import sqrt
from statistics import fmean

import numpy as np

from haenyeo.find.learned.columns import Numbers
from haenyeo.find.learned.features import TABLE, WORD_IDS, PageWords
from haenyeo.find.learned.state import State, of, pages_of, pages_state, under
from haenyeo.find.learned.tables import add, add_vector, match, quantile

_AGAINST = 0.5  # weight of the counter-examples
_NARROWEST = 0.02  # of the calibration; where examples and counter-examples hardly differ nothing is certain
_STEPS = 6  # from counter-examples to examples, in units of the logistic function
_HARDLY = 0.95  # share of counter-examples below the level they hardly reach
_GROWTH = 1.3  # the direction is taken anew when that many times more pages are known
_REMEMBERED = 200  # pages met last, out of which stand-ins are chosen
_MOST_TEXTS = 50_000  # hashes of pages' words
_STAND_INS = 8
_ALONE = 0.2  # how far a page of the topic is taken to go in the direction of another, where there is only one
_NOTHING = 1e-3  # a shorter sum of vectors of length 1 is rounding
_TINY = 1e-9


class ExampleJudge:
    """Judges pages by example; `revision` counts how often its standard has changed."""

    def __init__(self, *, words: str = "") -> None:
        self.words = words
        self.revision = 0
        self._asked = np.array(sorted(set(WORD_IDS.of(words))), np.int64)
        self._like: list[PageWords] = []
        self._unlike: list[PageWords] = []
        self._met: deque[PageWords] = deque(maxlen=_REMEMBERED)
        self._texts: set[int] = set()
        self._with_word = np.zeros(TABLE, np.float32)
        self._pages = self._next_update = 0
        self._direction: Numbers = np.zeros(TABLE, np.float32)
        self._idf: Numbers = np.zeros(TABLE, np.float32)
        self._middle, self._width = 0.0, 1.0

    def example(self, page: PageWords, *, relevant: bool) -> None:
        """Learn from a page that the user judged; an earlier judgement of the same text no longer counts."""
        for known in (self._like, self._unlike):
            known[:] = [other for other in known if not np.array_equal(other.ids, page.ids)]
        (self._like if relevant else self._unlike).append(page)
        self._count(page)
        self._next_update = 0

    def see(self, page: PageWords) -> None:
        """Count the words of a fetched page, unless another page had exactly the same words."""
        words = hash(page.ids.tobytes())
        if words in self._texts:
            return
        if len(self._texts) > _MOST_TEXTS:
            self._texts.clear()
        self._texts.add(words)
        self._met.append(page)
        self._count(page)

    def judge(self, page: PageWords) -> float:
        """The log-odds that the page is relevant."""
        self.update()
        if not len(page.ids):
            return -float(_STEPS)
        return (match(page, self._idf, self._direction) - self._middle) / self._width

    def update(self) -> None:
        """Compute the topic's direction again if enough pages have been seen since the last time."""
        if self._pages < self._next_update:
            return
        self._next_update = int(self._pages * _GROWTH) + 1
        self.revision += 1
        self._idf = self._rarity()
        asked: Numbers = np.zeros(TABLE, np.float32)
        asked[self._asked] = self._idf[self._asked]
        asked = _unit(asked)
        like = self._like or self._best_matches(asked)
        chosen = set(map(id, like))
        unlike = self._unlike or [page for page in self._met if id(page) not in chosen]
        self._take_direction(asked, like, unlike)

    def words_of(self, page: PageWords) -> Numbers:
        """How much each word of the page spoke for the topic, or against it, in log-odds."""
        self.update()
        return self._vector(page) * self._direction[page.ids] / self._width

    @property
    def bar(self) -> float:
        """The sum of its words that a page must reach to count as relevant, in log-odds."""
        self.update()
        return self._middle / self._width

    def idf(self, ids: Numbers) -> Numbers:
        """How rare words are."""
        return self._idf[ids]

    def state(self) -> State:
        """What `restore` needs."""
        kept = {"like": self._like, "unlike": self._unlike, "met": self._met}
        state = {"with_word": self._with_word, "pages": np.array(self._pages)}
        for name, pages in kept.items():
            state |= under(name, pages_state(pages))
        return state

    def restore(self, state: State) -> None:
        """Become what another one was when it gave its state, but for taking its direction anew."""
        self._like, self._unlike = list(pages_of(of("like", state))), list(pages_of(of("unlike", state)))
        self._met = deque(pages_of(of("met", state)), maxlen=_REMEMBERED)
        self._texts = {hash(page.ids.tobytes()) for page in self._met}
        self._with_word, self._pages = state["with_word"].copy(), int(state["pages"])
        self._next_update = 0

    def _count(self, page: PageWords) -> None:
        add(self._with_word, page, 1)
        self._pages += 1

    def _rarity(self) -> Numbers:
        seen = np.flatnonzero(self._with_word > 0)
        idf: Numbers = np.full(TABLE, np.log(2.0 * (self._pages + 1)), np.float32)
        idf[seen] = np.log((self._pages + 1) / (self._with_word[seen] + np.float32(0.5))).clip(0)
        return idf

    def _best_matches(self, asked: Numbers) -> list[PageWords]:
        count = min(_STAND_INS, 1 + len(self._met) // 10)
        matches = np.array([match(page, self._idf, asked) for page in self._met])
        return [self._met[place] for place in np.argsort(-matches, kind="stable")[:count].tolist()]

    def _take_direction(self, asked: Numbers, like: Sequence[PageWords], unlike: Sequence[PageWords]) -> None:
        """Compute the topic's direction, and calibrate it by how well it finds each example when that is left out."""
        rest, disliked, liked = asked, self._total(unlike), self._total(like)
        disliked *= np.float32(-_AGAINST / _length(disliked))
        rest += disliked
        length = _length(liked)
        self._direction = rest + liked * np.float32(1 / length)
        self._calibrate([self._reached(page, liked, length, rest) for page in like], unlike)

    def _calibrate(self, reached: Sequence[float], unlike: Sequence[PageWords]) -> None:
        against = np.array([match(page, self._idf, self._direction) for page in unlike])
        high = fmean(reached) if reached else 0.0
        hardly, usually = (quantile(against, _HARDLY), float(against.mean())) if len(against) else (0.0, 0.0)
        self._middle = (hardly + high) / 2
        self._width = max(_NARROWEST, (high - usually) / _STEPS)

    def _reached(self, page: PageWords, total: Numbers, length: float, rest: Numbers) -> float:
        """How far an example goes in the direction the others have: that of `total` less itself, and `rest`."""
        own, towards = float(len(page.ids) > 0), match(page, self._idf, total)
        others = sqrt(max(length**2 - 2 * towards + own, 0.0))
        expected = (towards - own) / others if others > _NOTHING else _ALONE
        return expected + match(page, self._idf, rest)

    def _total(self, pages: Sequence[PageWords]) -> Numbers:
        """The sum of pages, each a vector of length 1."""
        total = np.zeros(TABLE, np.float32)
        for page in pages:
            add_vector(total, page, self._idf, 1.0)
        return total

    def _vector(self, page: PageWords) -> Numbers:
        return _unit(page.weights * self._idf[page.ids])


def _length(vector: Numbers) -> float:
    return sqrt(vector @ vector) + _TINY


def _unit(vector: Numbers) -> Numbers:
    unit: Numbers = vector / np.float32(_length(vector))
    return unit
