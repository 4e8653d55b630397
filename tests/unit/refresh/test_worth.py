from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.refresh.worth import days_gained, versions_gained


@given(rate=st.floats(1e-4, 100), days=st.floats(0, 1e6))
def test_a_visit_to_a_poisson_page_is_worth_what_the_theory_says(rate: float, days: float) -> None:
    expected = (1 - (1 + rate * days) * np.exp(-rate * days)) / rate
    assert np.isclose(days_gained(np.array([-rate * days]), np.array([rate]))[0], expected, atol=1e-6 / rate)


def test_a_visit_is_worth_more_the_surer_the_copy_is_stale() -> None:
    worth = versions_gained(-np.linspace(0, 100, 50))
    assert (np.diff(worth) >= 0).all()
    assert worth[0] == 0
    assert np.isclose(worth[-1], 1)


def test_of_two_copies_equally_stale_the_one_that_then_stays_fresh_longer_is_worth_more() -> None:
    slow, fast = days_gained(np.array([-1.0, -1.0]), np.array([0.1, 10.0]))
    assert slow > fast
