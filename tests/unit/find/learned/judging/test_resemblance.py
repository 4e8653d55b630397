"""How far the user's verdicts reach."""

from __future__ import annotations

import numpy as np
import pytest

from haenyeo.find.learned.judging.linkage import NOWHERE, Linkage, PageLinking
from haenyeo.find.learned.judging.resemblance import Places, held_back, weigh_verdicts
from haenyeo.find.learned.judging.vectors import DIMENSIONS
from haenyeo.find.learned.memory import Floats
from haenyeo.find.learned.regression import logistic

_PAGES, _OTHERS = 40, 60
_CUT = 0.4


def _book() -> Places:
    """Pages of one book, and then others: all of the book lead to the same pages; no two have a word in common."""
    sketches = np.eye(_PAGES + _OTHERS, DIMENSIONS, dtype=np.float32)
    contents = PageLinking(np.arange(1000, 1100, dtype=np.uint32), np.zeros(100, np.uint16))
    links = [contents] * _PAGES + [NOWHERE] * _OTHERS
    return Places(sketches, Linkage.of(range(len(links)), links), np.ones(len(links), np.bool_))


def _dropped(odds: Floats, told: int, *, asked: bool = False, relevant: bool = False) -> int:
    """How many pages of the book are no longer kept after so many verdicts on the first, besides these."""
    places, rows, all_odds = _book(), np.arange(told), np.append(odds, np.full(_OTHERS, -5.0))
    spoken = places.at(rows)._replace(common=np.full(told, asked))
    verdicts = weigh_verdicts(spoken, odds[rows], np.full(told, relevant))
    after = all_odds + held_back(verdicts, rows, places, all_odds, _CUT).shift(places)
    return int((logistic(after[told:_PAGES]) < _CUT).sum())


@pytest.mark.parametrize(("likely", "most"), [(0.0, 20), (1.0, 11), (3.0, 2)])
def test_one_no_drops_no_more_pages_than_were_expected_to_be_wrong(likely: float, most: int) -> None:
    odds = np.full(_PAGES, likely) + np.linspace(0.0, 0.1, _PAGES)
    assert _dropped(odds, 1) <= most


def test_the_pages_that_were_expected_to_be_wrong_are_dropped() -> None:
    odds = np.append(np.linspace(0.0, 0.1, 10), np.full(_PAGES - 10, 4.0))
    assert 2 <= _dropped(odds, 1) <= 6


def test_the_more_are_refused_the_more_are_dropped() -> None:
    odds = np.full(_PAGES, 1.0) + np.linspace(0.0, 0.1, _PAGES)
    assert _dropped(odds, 4) == _PAGES - 4


def test_an_answer_that_was_asked_for_is_not_held_back() -> None:
    odds = np.full(_PAGES, 0.1)
    assert _dropped(odds, 1, asked=True) == _PAGES - 1


def test_what_the_user_found_relevant_drops_nothing() -> None:
    assert _dropped(np.full(_PAGES, 0.1), 1, relevant=True) == 0
