"""From which probability on pages are kept."""

from __future__ import annotations

import numpy as np
import pytest

from haenyeo.find.learned.judging.cut import best_cut
from haenyeo.find.learned.regression import log_odds, logistic


def test_pages_in_doubt_are_kept_where_hardly_anything_is_sure() -> None:
    chances = np.array([0.4, 0.35, 0.3, 0.3, 0.05, 0.04, 0.03])
    assert 0.05 < best_cut(log_odds(chances)) < 0.3


def test_the_cut_lies_between_two_pages() -> None:
    odds = np.array([4.0, 3.5, -5.0, -6.0])
    assert best_cut(odds) == pytest.approx(float(logistic(np.array([-0.75]))[0]))


@pytest.mark.parametrize("chance", [0.0005, 0.001])
def test_nothing_is_kept_where_there_is_likely_nothing(chance: float) -> None:
    assert best_cut(log_odds(np.full(300, chance))) == 0.5


def test_while_a_crawl_looks_around_it_keeps_what_comes_near() -> None:
    assert best_cut(log_odds(np.array([0.1] + [0.001] * 100))) < 0.1


def test_one_page_that_is_likely_is_kept_among_many_that_are_not() -> None:
    assert 0.001 < best_cut(log_odds(np.array([0.8] + [0.001] * 300))) < 0.8


def test_without_pages_the_cut_is_at_one_half() -> None:
    assert best_cut(np.empty(0)) == 0.5
