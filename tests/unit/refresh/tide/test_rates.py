from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.refresh.tide.rates import expected, faded, log_unchanged, updated

SHAPES = st.floats(0.05, 50)
DAYS = st.floats(0.5, 1000)
WAITED = st.floats(0.05, 400)


def one(value: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([value])


@given(shape=SHAPES, days=DAYS, waited=WAITED, more=WAITED)
def test_the_chance_that_nothing_changed_falls_with_the_time(
    shape: float, days: float, waited: float, more: float
) -> None:
    soon, later = (
        log_unchanged(one(shape), one(days), one(waited)),
        log_unchanged(one(shape), one(days), one(waited + more)),
    )
    assert later[0] <= soon[0] <= 0


@given(shape=SHAPES, days=DAYS, waited=WAITED, shared=st.floats(0, 3))
def test_a_change_raises_the_rate_and_no_change_lowers_it(
    shape: float, days: float, waited: float, shared: float
) -> None:
    before = shape / days
    for changed in (True, False):
        new_shape, new_days = updated(one(shape), one(days), one(waited), one(shared), np.array([changed]))
        after = new_shape[0] / new_days[0]
        assert np.isfinite(after)
        assert new_shape[0] > 0
        assert new_days[0] > 0
        assert after >= before * (1 - 1e-6) if changed else after <= before


@given(shape=SHAPES, days=DAYS, waited=WAITED)
def test_a_change_that_others_explain_teaches_less(shape: float, days: float, waited: float) -> None:
    found = np.array([True])
    alone = updated(one(shape), one(days), one(waited), one(0.0), found)
    shared = updated(one(shape), one(days), one(waited), one(5.0), found)
    assert shared[0][0] / shared[1][0] <= alone[0][0] / alone[1][0] * (1 + 1e-6)


@given(shape=SHAPES, days=DAYS, usual=st.floats(0.001, 5))
def test_in_the_long_run_only_the_usual_rate_of_the_place_is_left(shape: float, days: float, usual: float) -> None:
    new_shape, new_days = faded(one(shape), one(days), one(1e5), one(usual))
    assert np.isclose(new_shape[0] / new_days[0], usual, rtol=1e-3)
    same = faded(one(shape), one(days), one(0.0), one(usual))
    assert np.allclose((same[0][0], same[1][0]), (shape, days))


@given(shape=SHAPES, days=DAYS, waited=WAITED)
def test_the_rate_expected_after_a_visit_is_finite_and_positive(shape: float, days: float, waited: float) -> None:
    rate = expected(one(shape), one(days), one(waited))[0]
    assert np.isfinite(rate)
    assert rate > 0
