"""How likely is each page on the topic? Judged by what all pages fetched so far are like, again and again.

The life of a page: it is noted with its traits (`see`) and judged by the standard of the last time; whenever there are
a few more pages, or the user has said something, the standard is made anew and every remembered page is judged by it
(`update`). What was fetched is a sample of everything else, so that nobody need give counter-examples; the examples say
where the topic's pages lie; verdicts move what resembles them. Only the newest pages are remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from enum import IntEnum
from typing import NamedTuple

import msgspec
import numpy as np

from haenyeo.find.learned.columns import Numbers
from haenyeo.find.learned.features import PageWords
from haenyeo.find.learned.judging.asking import Doubts
from haenyeo.find.learned.judging.cut import best_cut
from haenyeo.find.learned.judging.keywords import Keywords
from haenyeo.find.learned.judging.linkage import MARK, Linkage
from haenyeo.find.learned.judging.measures import (
    Gathered,
    Standard,
    standard_for,
    with_links,
    with_moments,
    within_bound,
    within_reach,
)
from haenyeo.find.learned.judging.offers import NOTHING_OFFERED, Offers, offered, offers_some
from haenyeo.find.learned.judging.resemblance import Places, Verdicts, held_back, weigh_verdicts
from haenyeo.find.learned.judging.stored_traits import traits_of_state, traits_state
from haenyeo.find.learned.judging.traits import PARTS, PageTraits
from haenyeo.find.learned.judging.vectors import DIMENSIONS, PageVectors, Sketches, WordWeights
from haenyeo.find.learned.judging.weights import shipped_weights
from haenyeo.find.learned.memory import Floats, Indexes
from haenyeo.find.learned.regression import chance, log_odds

MOST_PAGES = 5_000
"""Pages remembered, and judged again."""
_ROOM = 500  # pages beyond that before the oldest are forgotten
_SOON, _GROWTH, _LATE_GROWTH = 8, 1.25, 2.0  # a new standard is due when there are that many times more pages
_MANY = 500  # pages from which on it is made more rarely: it costs more and changes less
_RECOUNT = 1.9  # times more pages, and how rare words are is counted anew
_WORDLESS = -6.0  # log-odds of a page without a word
_MOST_OFFERING = 50  # pages with lists that name examples which are never forgotten
_NO_PLACES = Places(np.zeros((0, DIMENSIONS), np.float32), Linkage.unknown(0), np.zeros(0, np.bool_))


class VerdictOrigin(IntEnum):
    """How the user came to speak of a page: gave it beforehand, judged it unasked, or was asked."""

    GIVEN = 0
    VOLUNTEERED = 1
    ASKED = 2


class Said(msgspec.Struct, frozen=True):
    """What the user says of a page."""

    relevant: bool
    standing: VerdictOrigin = VerdictOrigin.GIVEN


class Account(NamedTuple):
    """What a judgement is made of, in log-odds: each kind of evidence and the offset, and each verdict.

    `words` says how much each word of the page adds to what was learnt from words, in units of its own.
    """

    evidence: Floats
    verdicts: Floats
    words: Floats


class _Known(NamedTuple):
    """Pages as vectors, and the weights of words they were made with, counted over so many pages."""

    weights: WordWeights
    counted: int
    vectors: PageVectors


class _Judged(NamedTuple):
    """The evidence for pages, their log-odds by it, how much of these is not by text, and where they lie."""

    evidence: Floats
    base: Floats
    by_links: Floats
    places: Places


class PageJudge:
    """Judges the pages of one topic; `revision` counts how often its standard has changed."""

    def __init__(self, *, words: str = "") -> None:
        self.words = words
        self.keywords = Keywords(words)
        self.revision = 0
        self.cut = 0.5
        self._pages: list[PageTraits] = []
        self._keys: list[int] = []
        self._row: dict[int, int] = {}
        self._said: dict[int, Said] = {}
        self._standard: Standard | None = None
        self._verdicts: Verdicts | None = None
        self._known: _Known | None = None
        self._offered = NOTHING_OFFERED
        self._judged: _Judged | None = None
        self._places = _NO_PLACES
        self._settled = self._heard = False
        self._odds: list[float] = []
        self._seen = self._next = 0

    def copy(self) -> PageJudge:
        """A judge that knows the same pages and from now on goes its own way."""
        other = copy(self)
        for name, known in vars(self).items():
            if isinstance(known, list | dict):
                setattr(other, name, known.copy())
        return other

    def see(self, key: int, page: PageTraits) -> float:
        """Note a page that was fetched; returns the log-odds that it is relevant."""
        self._note(key, page)
        if self._seen >= self._next:
            self.update()
        return self.odds_of(key)

    def example(self, key: int, page: PageTraits, said: Said) -> None:
        """Note what the user says of a page."""
        before, row = self._said.get(key), self._row.get(key)
        if row is None or not len(self._pages[row].words.ids):
            self._note(key, page)
        self._say(key, before, said)

    def take_back(self, key: int) -> None:
        """Judge a page by itself again, of which the user had said something."""
        self._say(key, self._said.get(key), None)

    def said_of(self, key: int) -> Said | None:
        """What the user says of a page."""
        return self._said.get(key)

    def odds_of(self, key: int) -> float:
        """The log-odds that a page is relevant, whatever the user says of it; one without a word is not remembered."""
        row = self._row.get(key)
        return _WORDLESS if row is None else self._odds[row]

    def odds_by_text(self, key: int) -> float:
        """The same without what links say: what links are worth is not to be learnt from themselves."""
        row = self._row.get(key, MOST_PAGES + _ROOM)
        by_links = () if self._judged is None else self._judged.by_links
        return self.odds_of(key) - (float(by_links[row]) if row < len(by_links) else 0.0)

    def probability(self, key: int) -> float | None:
        """How likely a page is relevant, 0 or 1 if the user said so; None if it is not remembered."""
        if key in self._said:
            return float(self._said[key].relevant)
        return chance(self.odds_of(key)) if key in self._row else None

    def keys(self) -> list[int]:
        """The keys of all pages remembered."""
        return list(self._keys)

    def update(self) -> None:
        """Make the standard anew and judge all pages by it, if enough has happened since the last time."""
        if not self._pages or (self._seen < self._next and self._heard):
            return
        if self._seen >= self._next or self._judged is None:
            growth = _GROWTH if self._seen < _MANY else _LATE_GROWTH
            self._next = max(self._seen + _SOON, int(self._seen * growth))
            self._judged, self._places = None, _NO_PLACES  # ten megabytes of no use while others are made
            self._judged = self._fit()
        self.revision += 1
        self._hear(self._judged)

    def settle(self) -> None:
        """Judge all pages by a standard that takes every one of them into account."""
        if not self._settled:
            if self._known is not None and len(self._pages) > self._known.counted:
                self._known = None
            self._next, self._settled = 0, True
        self.update()

    def doubts(self) -> Doubts:
        """All pages with a say in what to ask next; only those judged by the last standard."""
        self.update()
        places = _NO_PLACES if self._judged is None else self._compared(self._judged)
        rows = len(places.common)
        said = [self._said.get(key) for key in self._keys[:rows]]
        return Doubts(
            keys=np.array(self._keys[:rows], np.int64),
            odds=np.array(self._odds[:rows], np.float64),
            cut=self.cut,
            places=places,
            said=np.array([one is not None for one in said], np.bool_),
            told=np.array([one is not None and not _is_like(one) for one in said], np.bool_),
            asked=np.array([one is not None and one.standing is VerdictOrigin.ASKED for one in said], np.bool_),
        )

    def account_of(self, words: PageWords, key: int | None = None) -> Account | None:
        """What the judgement of a page is made of, known by its key or these words; None as long as nothing is known.

        A page that is not remembered is judged by its words alone.
        """
        standard = self._standard
        if standard is None:
            return None
        evidence, place = self._judged_before(words, key) or self._judged_by_words(words, standard)
        return Account(
            evidence=evidence,
            verdicts=np.zeros(0) if self._verdicts is None else self._verdicts.parts(place)[0],
            words=standard.weights.along(standard.direction, words),
        )

    def _judged_before(self, words: PageWords, key: int | None) -> tuple[Floats, Places] | None:
        """What made the log-odds of a page that was judged with all others, and its place."""
        if self._judged is None:
            return None
        known = range(len(self._judged.base))
        row = None if key is None else self._row.get(key)
        if row is None:
            row = next((row for row in known if np.array_equal(self._pages[row].words.ids, words.ids)), None)
        if row is None or row not in known:
            return None
        return self._judged.evidence[row] * shipped_weights().together, self._compared(self._judged).at(np.array([row]))

    @staticmethod
    def _judged_by_words(words: PageWords, standard: Standard) -> tuple[Floats, Places]:
        page = PageTraits(words=words, coverage=(0.0,) * len(PARTS))
        evidence, sketch = standard.evidence(page)
        return evidence * shipped_weights().alone, _place_of(sketch)

    def idf(self, ids: Numbers) -> Numbers:
        """How rare words are."""
        return np.ones(len(ids), np.float32) if self._standard is None else self._standard.weights.idf[ids]

    def state(self) -> dict[str, Numbers]:
        """What `restore` needs."""
        said = [(key, said.relevant, said.standing) for key, said in self._said.items()]
        told = {"said": np.array(said, np.int64).ravel(), "seen": np.array(self._seen)}
        return {"keys": np.array(self._keys, np.int64), **traits_state(self._pages), **told}

    def restore(self, state: dict[str, Numbers]) -> None:
        """Become what another one was when it gave its state; raises `ValueError` if that does not fit together."""
        keys, self._pages = state["keys"].tolist(), traits_of_state(state)
        if len(keys) != len(self._pages):
            raise ValueError("there are not as many pages as keys")
        self._keys, self._row = keys, {key: row for row, key in enumerate(keys)}
        told = state["said"].reshape(-1, 3).tolist()
        self._said = {key: Said(bool(relevant), VerdictOrigin(standing)) for key, relevant, standing in told}
        self._seen = int(state["seen"])
        self._odds = [_WORDLESS] * len(keys)
        self.settle()

    def _say(self, key: int, before: Said | None, now: Said | None) -> None:
        """Change what the user says of a page; the standard hangs only on what he gave beforehand."""
        self._heard = False
        if now is None:
            self._said.pop(key, None)
        else:
            self._said[key] = now
        if any(said is not None and said.standing is VerdictOrigin.GIVEN for said in (before, now)):
            self._next, self._settled = 0, False

    def _note(self, key: int, page: PageTraits) -> None:
        row = self._row.get(key)
        self._settled = False
        if row is not None:
            self._known = None if self._pages[row] is not page else self._known
            self._pages[row] = page
            self._odds[row] = self._judged_alone(key, page)
            return
        if not len(page.words.ids):
            return  # a dead link, most likely: it is no sample of what there is to read
        self._seen += 1
        self._row[key] = len(self._keys)
        self._keys.append(key)
        self._pages.append(page)
        self._odds.append(self._judged_alone(key, page))
        if len(self._keys) > MOST_PAGES + _ROOM:
            self._forget()

    def _judged_alone(self, key: int, page: PageTraits) -> float:
        """The log-odds of a page by the standard of the last time."""
        if self._standard is None or not len(page.words.ids):
            return _WORDLESS
        evidence, sketch = self._standard.evidence(page, *self._offers_of([key]))
        base = float(evidence @ shipped_weights().alone)
        return base if self._verdicts is None else base + float(self._verdicts.shift(_place_of(sketch))[0])

    def _forget(self) -> None:
        """Forget the oldest pages, except those the user spoke of and the first that offer something beside these."""
        likes = {key & MARK for key in self._likes()}
        offering = [row for row in range(_ROOM) if offers_some(self._pages[row].linking, likes)][:_MOST_OFFERING]
        kept = [row for row, key in enumerate(self._keys) if row >= _ROOM or key in self._said or row in offering]
        self._keys = [self._keys[row] for row in kept]
        self._pages = [self._pages[row] for row in kept]
        self._odds = [self._odds[row] for row in kept]
        self._row = {key: row for row, key in enumerate(self._keys)}
        self._known = self._judged = None
        self._places = _NO_PLACES

    def _fit(self) -> _Judged:
        """Make a new standard; returns what it says of all pages, without verdicts."""
        weights, vectors = self._vectors()
        linkage = Linkage.of(self._keys, [page.linking for page in self._pages])
        likes = self._likes()
        self._offered = self._offered_beside(likes)
        gathered = Gathered.of(self._pages, vectors, self._offers_of(self._keys))
        rows = self._rows_of(likes)
        alone, together = shipped_weights()
        self._standard, evidence = standard_for(gathered, weights, rows, alone)
        text = evidence @ alone
        evidence = within_reach(with_links(evidence, linkage, rows, text), together, linkage, rows, text)
        evidence = with_moments(evidence, max(0, self._seen - len(self._pages)), text)
        evidence = within_bound(evidence, together, rows)
        base = evidence @ together
        base[[not len(page.words.ids) for page in self._pages]] = _WORDLESS
        return _Judged(evidence, base, base - text, Places(vectors.sketches, linkage, np.ones(len(base), np.bool_)))

    def _likes(self) -> list[int]:
        """The examples that the user gave beforehand."""
        return [key for key, said in self._said.items() if _is_like(said)]

    def _offered_beside(self, likes: Sequence[int]) -> Offers:
        """What the lists name beside the examples that the crawl began with; those of examples do not count."""
        given = {self._row.get(key) for key, said in self._said.items() if said.standing is VerdictOrigin.GIVEN}
        pages = [page.linking for row, page in enumerate(self._pages) if row not in given]
        return offered(pages, {key & MARK for key in likes}, {key & MARK for key in self._keys})

    def _offers_of(self, keys: Iterable[int]) -> list[float]:
        return [self._offered.of(key & MARK) for key in keys]

    def _vectors(self) -> tuple[WordWeights, PageVectors]:
        """All pages as vectors; how rare words are is counted anew only when there are far more pages than then."""
        words = [page.words for page in self._pages]
        known = self._known
        if known is None or len(words) > _RECOUNT * known.counted or len(words) < len(known.vectors.named):
            self._known = None
            weights = WordWeights.of(words, self.keywords.asked)
            self._known = _Known(weights, len(words), weights.vectors(words))
        elif len(words) > len(known.vectors.named):
            more = known.weights.vectors(words[len(known.vectors.named) :])
            joined = known.vectors.joined(more)
            self._known = known._replace(vectors=joined)
        assert self._known is not None
        return self._known.weights, self._known.vectors

    def _compared(self, judged: _Judged) -> Places:
        """Where pages lie, as far as verdicts on one tell of another; found out when there are some."""
        if len(self._places.common) != len(judged.base):
            self._places = judged.places._replace(linkage=judged.places.linkage.without_copies())
        return self._places

    def _hear(self, judged: _Judged) -> None:
        """Add what the user's verdicts say, and find the cut."""
        base, self._heard = judged.base, True
        given = {key for key, said in self._said.items() if said.standing is VerdictOrigin.GIVEN}
        found = np.array([key not in given for key in self._keys[: len(base)]], np.bool_)
        self.cut = best_cut(base[found])
        odds, self._verdicts = base, None
        if spoken := self._telling(base):
            places, rows = self._compared(judged), self._rows_of(spoken)
            asked = np.array([self._said[key].standing is VerdictOrigin.ASKED for key in spoken])
            relevant = np.array([self._said[key].relevant for key in spoken])
            told = weigh_verdicts(places.at(rows)._replace(common=asked), base[rows], relevant)
            self._verdicts = held_back(told, rows, places, base, self.cut)
            odds = base + self._verdicts.shift(places)
            # Verdicts nobody asked for leave the cut where it is: no page is to be kept because another was refused.
            self.cut = best_cut(odds[found]) if asked.any() else self.cut
        self._odds[: len(odds)] = odds.tolist()

    def _telling(self, base: Floats) -> list[int]:
        """The pages whose verdicts tell of others: not examples, nor those refused that were not kept anyway."""
        kept = log_odds(np.array(self.cut))
        told = [(key, said) for key, said in self._said.items() if self._row.get(key, len(base)) < len(base)]
        return [
            key
            for key, said in told
            if not _is_like(said)
            and (said.relevant or said.standing is not VerdictOrigin.VOLUNTEERED or base[self._row[key]] >= kept)
        ]

    def _rows_of(self, keys: Iterable[int]) -> Indexes:
        return np.array([self._row[key] for key in keys if key in self._row], np.int64)


def _is_like(said: Said) -> bool:
    return said.relevant and said.standing is VerdictOrigin.GIVEN


def _place_of(sketch: Sketches) -> Places:
    """The place of a page of whose links nothing is known yet."""
    return Places(sketch[None], Linkage.unknown(1), np.ones(1, np.bool_))
