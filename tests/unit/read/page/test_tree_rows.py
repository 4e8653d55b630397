"""Rows of numbers about blocks: compiled code says what the Python it stands for says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.read.page.tree import (
    COMPILED,
    FAR,
    distances,
    distances_in_python,
    sums_by_place,
    sums_by_place_in_python,
    windows,
    windows_in_python,
)

_NUMBERS = st.floats(0, 1e6, width=32)


@given(st.lists(st.tuples(_NUMBERS, _NUMBERS, st.integers(0, 6)), min_size=1, max_size=40))
def test_sums_are_alike(blocks: list[tuple[float, float, int]]) -> None:
    values = np.array([block[:2] for block in blocks], np.float32).T
    where = np.array([block[2] for block in blocks], np.intp)
    assert sums_by_place(where, values, 7).tolist() == sums_by_place_in_python(where, values, 7).tolist()
    assert windows(values, (1, 3, 50)).tolist() == windows_in_python(values, (1, 3, 50)).tolist()


@given(st.lists(st.booleans(), max_size=200))
def test_distances_are_alike(marks: list[bool]) -> None:
    marked = np.array(marks, np.bool_)
    assert distances(marked).tolist() == distances_in_python(marked).tolist()


def test_sums_and_distances_are_as_they_should_be() -> None:
    values = np.array([[1, 2, 3]], np.float32)
    assert windows(values, (1,)).tolist() == [[[3, 6, 5]]]
    assert sums_by_place(np.array([1, 0, 1]), values, 2).tolist() == [[2, 4]]
    assert distances(np.array([False, True, False])).tolist() == [[FAR, 0, 1], [1, 0, FAR]]


@pytest.mark.skipif(COMPILED is None, reason="nothing is compiled")
def test_a_place_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="a place that there is not"):
        sums_by_place(np.array([2]), np.array([[1]], np.float32), 2)
