"""What speaks for a page, measured by itself and together with others."""

from __future__ import annotations

import numpy as np
import pytest

from haenyeo.find.learned.features import PageWords
from haenyeo.find.learned.judging.linkage import NOWHERE, Linkage, PageLinking
from haenyeo.find.learned.judging.measures import (
    BOUND,
    EVIDENCE,
    LINKED,
    Gathered,
    Standard,
    standard_for,
    with_links,
    within_bound,
    within_reach,
)
from haenyeo.find.learned.judging.traits import PageTraits
from haenyeo.find.learned.judging.vectors import WordWeights, measure
from haenyeo.find.learned.judging.weights import shipped_weights
from haenyeo.find.learned.memory import Floats
from haenyeo.find.learned.regression import logistic

_WORDS = ["bee", "hive", "honey", "queen", "drone", "wax", "comb", "smoke", "field", "flower"]


def _page(number: int) -> PageTraits:
    text = " ".join(_WORDS[(number * step) % len(_WORDS)] for step in range(1, 30))
    share = number % 5 / 4
    return PageTraits(
        words=PageWords.of(f"page {number}", text),
        coverage=(share, 1 - share, share / 3, 0.1, share),
        listing=number % 3 == 0,
    )


@pytest.fixture(scope="module")
def standard() -> Standard:
    """What thirty pages are measured by."""
    pages = [_page(number) for number in range(30)]
    words = [page.words for page in pages]
    weights = WordWeights.of(words, pages[0].words.ids[:2])
    return _standard_of(pages, weights, [1, 2])


def _standard_of(pages: list[PageTraits], weights: WordWeights, likes: list[int]) -> Standard:
    gathered = Gathered.of(pages, weights.vectors([page.words for page in pages]))
    return standard_for(gathered, weights, np.array(likes), shipped_weights().alone)[0]


@pytest.mark.parametrize("number", range(6))
def test_a_page_by_itself_is_put_together_like_many(standard: Standard, number: int) -> None:
    page = _page(number)
    evidence, _ = standard.evidence(page, 0.7)
    _, learnt, nearby = measure(page.words, standard.weights.signed, standard.direction, standard.pool)
    alone = Gathered.of([page], standard.weights.vectors([page.words]), [0.7])
    raw = np.array([[float(alone.coverage[0] @ (np.array([1.0, 2.0, 1.0, 1.0, 1.0]) / 6)), learnt, *nearby]])
    together = standard.put_together(alone.coverage, alone.listing, alone.offered, raw)
    assert evidence.tolist() == together[0].tolist()
    assert len(evidence) == len(EVIDENCE) + 1


def test_how_rare_words_are_follows_from_the_pages_that_have_them() -> None:
    pages = [PageWords.of("", "bee hive"), PageWords.of("", "bee"), PageWords.of("", "bee wax")]
    weights = WordWeights.of(pages, pages[1].ids)
    [bee] = pages[1].ids.tolist()
    assert weights.idf[bee] == np.float32(np.log(4 / 3.5))
    assert weights.idf.max() == np.float32(np.log(4 / 0.5))
    assert weights.asked[bee] == pytest.approx(1.0)


def test_few_pages_that_stand_out_tell_a_rare_topic() -> None:
    few, many = (_rarity_of([5 if number < size else 0 for number in range(40)]) for size in (3, 20))
    assert few > many + 1


def _rarity_of(shares: list[int]) -> float:
    """How far pages stand out that have so many fifths of the topic's words."""
    pages = [PageTraits(words=_page(number).words, coverage=(share / 5,) * 5) for number, share in enumerate(shares)]
    words = [page.words for page in pages]
    weights = WordWeights.of(words, words[0].ids[:2])
    return _standard_of(pages, weights, [0]).rarity[1]


def test_pages_that_are_somewhat_likely_do_not_make_each_other_certain() -> None:
    contents = PageLinking(np.arange(1, 401, dtype=np.uint32), np.zeros(400, np.uint16))
    linkage = Linkage.of(range(801), [contents, *[NOWHERE] * 800])
    odds, weights = np.array([-1.0] * 401 + [-4.0] * 400), np.zeros(len(EVIDENCE) + 1)
    weights[EVIDENCE.index("listed beside")], weights[-1] = 30.0, -1.0
    evidence = np.ones((801, len(EVIDENCE) + 1))
    linked = with_links(evidence, linkage, np.array([1]), odds)
    held = within_reach(linked, weights, linkage, np.array([1]), odds)
    before, after = ((each @ weights)[5] for each in (linked, held))
    assert before > 1 > after + 0.9
    assert after > -1
    others = [place for place, name in enumerate(EVIDENCE) if name not in LINKED]
    assert (held[:, others] == evidence[:, others]).all()


def _bounded(share: float, likes: int) -> Floats:
    """The log-odds of a hundred pages that seem as likely as not, where so many are like the examples."""
    evidence, weights = np.zeros((100, len(EVIDENCE) + 1)), np.zeros(len(EVIDENCE) + 1)
    evidence[:, EVIDENCE.index("share")] = np.log(share)
    weights[EVIDENCE.index(BOUND)] = 1.0
    return within_bound(evidence, weights, np.arange(likes)) @ weights


def test_hardly_more_pages_are_relevant_than_twice_those_with_as_much_of_the_words() -> None:
    one, many = (logistic(_bounded(0.05, likes)).sum() for likes in (1, 100))
    assert 10 < many < 11 < one < 30
    assert (_bounded(0.3, likes=1) == 0).all()
    assert (_bounded(0.05, likes=0) == 0).all()


def test_what_links_lift_is_taken_back_before_all_pages_are_lowered() -> None:
    """Three of four pages of a book, of which few are alike the examples, seem likely only by links."""
    evidence, weights = np.zeros((100, len(EVIDENCE) + 1)), np.zeros(len(EVIDENCE) + 1)
    evidence[:, EVIDENCE.index("share")] = np.log(0.1)
    evidence[:75, EVIDENCE.index("listed beside")], weights[EVIDENCE.index("listed beside")] = 3.0, 1.0
    evidence[75:, EVIDENCE.index("leads alike")], weights[EVIDENCE.index("leads alike")] = -1.0, 1.0
    evidence[:, -1], weights[-1] = np.where(np.arange(100) % 10 == 0, 1.0, -2.5), 1.0
    weights[EVIDENCE.index(BOUND)] = 1.0
    before, after = evidence @ weights, within_bound(evidence, weights, np.arange(3)) @ weights
    assert (after[:75] < before[:75] - 1).all()
    assert (after[75:] == before[75:]).all(), "none of these was lifted"
    assert logistic(after).sum() == pytest.approx(20, abs=0.1)


def test_without_examples_links_lift_four_times_as_many_as_have_as_much_of_the_words_as_the_best() -> None:
    evidence, weights = np.zeros((100, len(EVIDENCE) + 1)), np.zeros(len(EVIDENCE) + 1)
    evidence[:6, EVIDENCE.index("cover of examples")] = 0.9
    evidence[:75, EVIDENCE.index("listed beside")], weights[EVIDENCE.index("listed beside")] = 3.0, 1.0
    evidence[:, -1], weights[-1] = -2.0, 1.0
    weights[EVIDENCE.index(BOUND)] = 1.0
    after = within_bound(evidence, weights, np.arange(0)) @ weights
    assert logistic(evidence @ weights).sum() > 50
    assert logistic(after).sum() == pytest.approx(4 * 100 * 8 / 104, abs=0.1)
    assert len(within_bound(evidence[:0], weights, np.arange(0))) == 0


def test_the_scale_is_that_of_the_best_pages() -> None:
    near, far = ([_shared(share, number) for number in range(300)] for share in (0.4, 0.0))
    short, long = ([_shared(0.9, number) for number in range(20)] + rest for rest in (near, near + far * 3))
    weights = WordWeights.of([page.words for page in long], long[0].words.ids[:2])
    before, after = (_standard_of(pages, weights, [0, 1]).scale for pages in (short, long))
    assert after[0, 0] > 0.8 * before[0, 0]  # the mean of all is a third of it


def _shared(share: float, number: int) -> PageTraits:
    """A page that has about this share of the topic's words."""
    return PageTraits(words=_page(number).words, coverage=(share + number % 5 / 100,) * 5)
