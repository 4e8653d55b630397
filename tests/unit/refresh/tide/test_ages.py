from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.refresh.tide.ages import Ages

ROW = np.zeros(1, np.int64)
WEIGHTS = (900.0, 2.7, 3.0)


def fresh(rows: int = 1) -> Ages:
    ages = Ages(0.2, WEIGHTS)
    ages.add_rows(rows)
    ages.refresh(np.zeros(rows, np.int64))
    return ages


@given(one=st.integers(0, 50_000), more=st.integers(0, 50_000))
def test_expected_changes_grow_with_age_and_their_rate_falls(one: int, more: int) -> None:
    ages = fresh()
    young, old = np.array([one]), np.array([one + more])
    assert ages.expected(ROW, old)[0] >= ages.expected(ROW, young)[0] >= 0
    assert ages.rate(ROW, old)[0] <= ages.rate(ROW, young)[0] * (1 + 1e-6)


def test_a_habit_of_early_changes_is_learned() -> None:
    ages = fresh()
    before = ages.rate(ROW, np.array([2]))[0]
    rows, begun = np.zeros(200, np.int64), np.zeros(200, np.int64)
    for _ in range(5):
        ages.learn(rows, rows, (begun, begun + 6), np.full(200, 3.0))
        ages.refresh(ROW)
    assert ages.rate(ROW, np.array([2]))[0] > before
    assert ages.rate(ROW, np.array([4000]))[0] == pytest.approx(fresh().rate(ROW, np.array([4000]))[0], rel=0.2)


def test_without_changes_the_rate_falls() -> None:
    ages = fresh()
    before = ages.expected(ROW, np.array([48]))[0]
    rows = np.zeros(500, np.int64)
    ages.learn(rows, rows, (rows, rows + 48), np.zeros(500))
    ages.refresh(ROW)
    assert ages.expected(ROW, np.array([48]))[0] < before


def test_it_goes_on_where_its_state_was_kept() -> None:
    ages, again = fresh(3), Ages(0.2, WEIGHTS)
    again.restore(ages.state())
    again.refresh(np.zeros(3, np.int64))
    some = np.array([0, 7, 90_000])
    assert again.expected(np.arange(3), some).tolist() == ages.expected(np.arange(3), some).tolist()
