"""Tables that grow."""

from itertools import accumulate

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.find.learned.columns import Column, Lists

_LIST = st.lists(st.integers(0, 9), max_size=4)
_ROWS = st.lists(st.lists(_LIST, min_size=2, max_size=2), max_size=20)


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


def _lists(rows: list[list[list[int]]], kinds: int) -> Lists:
    lists = Lists(kinds)
    for row in rows:
        flat = [place for places in row for place in places]
        lists.extend(np.array(flat, np.int32), np.array([*accumulate(map(len, row))]))
    return lists


def _all(lists: Lists) -> list[list[list[int]]]:
    return [[lists.row(number, kind) for kind in range(lists.kinds)] for number in range(len(lists))]


@given(_ROWS)
def test_lists_are_found_again(rows: list[list[list[int]]]) -> None:
    lists = _lists(rows, 2)
    assert _all(lists) == rows
    for kind in range(2):
        starts, ends = lists.bounds(kind)
        assert [lists.flat[start:end].tolist() for start, end in zip(starts, ends, strict=True)] == [
            row[kind] for row in rows
        ]


@given(_ROWS, st.data())
def test_kept_rows_are_those_asked_for(rows: list[list[list[int]]], data: st.DataObject) -> None:
    lists = _lists(rows, 2)
    chosen = sorted(data.draw(st.sets(st.integers(0, len(rows) - 1)))) if rows else []
    lists.keep(np.array(chosen, np.int64))
    assert _all(lists) == [rows[number] for number in chosen]


def test_a_restored_table_goes_on_growing() -> None:
    lists, again = _lists([[[1, 2]], [[]], [[3]]], 1), Lists()
    again.restore(lists.state())
    again.extend(np.array([4], np.int32), np.array([1]))
    assert _all(again) == [[[1, 2]], [[]], [[3]], [[4]]]
