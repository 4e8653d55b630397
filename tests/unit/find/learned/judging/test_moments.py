"""How relevant what was fetched at about the same time is."""

from __future__ import annotations

import numpy as np
import pytest

from haenyeo.find.learned.judging.moments import shares_around


def test_what_was_fetched_late_is_lowered_where_the_share_falls() -> None:
    chances = np.repeat([0.8, 0.1], [100, 900])
    around = shares_around(chances, 0)
    assert around[:20].min() > 1
    assert around[500:].max() < -0.3
    assert np.diff(around[200:]).max() < 0.01


def test_a_share_that_stays_the_same_says_nothing() -> None:
    assert shares_around(np.full(500, 0.3), 0) == pytest.approx(np.zeros(500))


def test_a_share_that_rises_again_is_seen() -> None:
    around = shares_around(np.repeat([0.3, 0.05, 0.6], [100, 500, 400]), 0)
    assert around[-1] > around[50] > around[400]


def test_a_page_does_not_speak_for_itself() -> None:
    chances = np.full(50, 0.2)
    chances[7] = 1.0
    around = shares_around(chances, 0)
    assert around[7] < around[6]


def test_time_goes_on_from_the_pages_that_were_forgotten() -> None:
    chances = np.repeat([0.8, 0.1], [100, 100])
    soon, late = shares_around(chances, 0), shares_around(chances, 5000)
    assert np.ptp(late) < np.ptp(soon) / 5


@pytest.mark.parametrize("pages", [0, 1, 2])
def test_few_pages_say_little(pages: int) -> None:
    assert shares_around(np.full(pages, 0.9), 0) == pytest.approx(np.zeros(pages))


@pytest.mark.parametrize("chance", [0.0, 1.0])
def test_certainty_is_no_trouble(chance: float) -> None:
    assert np.isfinite(shares_around(np.full(9, chance), 0)).all()
