from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.refresh.tide.tables import add_by_row, drawn


@given(rows=st.lists(st.integers(0, 4), max_size=12), width=st.integers(1, 3))
def test_rows_are_added_one_by_one_whatever_their_order(rows: list[int], width: int) -> None:
    values = np.arange(len(rows) * width, dtype=np.float64).reshape(len(rows), width)
    table, plain = np.ones((5, width)), np.ones((5, width))
    add_by_row(table, np.array(rows, np.int64), values)
    for row, line in zip(rows, values, strict=True):
        plain[row] += line
    assert np.array_equal(table, plain)


def test_rates_go_from_the_prior_to_what_was_seen() -> None:
    assert drawn(np.array([0.0]), np.array([0.0]), 4.0, 0.5)[0] == 0.5
    seen = drawn(np.array([3000.0]), np.array([1000.0]), 4.0, 0.5)[0]
    assert 2.9 < seen < 3.0
