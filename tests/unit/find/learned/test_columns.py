"""Tables that grow."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.find.learned.columns import Column, Lists

_ROWS = st.lists(st.lists(st.integers(0, 9), max_size=4), max_size=20)
_WEIGHTS = np.arange(16) ** 2


def test_a_column_keeps_what_it_had_when_it_grows() -> None:
    column = Column(np.int64)
    for number in range(1000):
        column.extend([number])
    assert column.values.tolist() == list(range(1000))


def test_a_wide_column_grows_too() -> None:
    column = Column(np.float64, (2,))
    column.extend(np.ones((300, 2)))
    column.extend(np.zeros((300, 2)))
    assert column.values.shape == (600, 2)
    assert column.values.sum() == 600


@given(_ROWS, _ROWS, st.sampled_from([0, 1, 5]))
def test_sums_are_those_of_each_row(rows: list[list[int]], more: list[list[int]], mask: int) -> None:
    lists = Lists()
    lists.extend(rows)
    lists.extend(more)
    expected = [sum(_WEIGHTS[place ^ mask] for place in row) for row in [*rows, *more]]
    assert lists.sums(_WEIGHTS, mask=mask).tolist() == expected
    assert lists.sums(_WEIGHTS, first=len(rows), mask=mask).tolist() == expected[len(rows) :]


@given(_ROWS, st.data())
def test_kept_rows_are_those_asked_for_in_that_order(rows: list[list[int]], data: st.DataObject) -> None:
    lists = Lists()
    lists.extend(rows)
    chosen = data.draw(st.lists(st.integers(0, len(rows) - 1), unique=True)) if rows else []
    lists.keep(np.array(chosen, np.int64))
    assert [lists.row(number) for number in range(len(lists))] == [rows[number] for number in chosen]


def test_a_restored_table_goes_on_growing() -> None:
    lists, again = Lists(), Lists()
    lists.extend([[1, 2], [], [3]])
    again.restore(lists.state())
    again.extend([[4]])
    assert [again.row(number) for number in range(4)] == [[1, 2], [], [3], [4]]
