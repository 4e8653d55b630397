from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.web.plots.curve import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Series, curve, short, ticks


@pytest.mark.parametrize(
    ("largest", "labels"),
    [(0, ["0", "1"]), (7, ["0", "2", "4", "6", "8"]), (41_000, ["0", "10 k", "20 k", "30 k", "40 k", "50 k"])],
)
def test_ticks_are_round_numbers(largest: float, labels: list[str]) -> None:
    assert [short(tick) for tick in ticks(largest)] == labels


def test_nothing_to_draw_is_no_drawing() -> None:
    assert curve([Series(name="empty", points=[])]) is None


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)), min_size=1))
def test_everything_lies_inside(points: list[tuple[int, int]]) -> None:
    drawn = curve([Series(name="line", points=sorted(points))])
    assert drawn is not None
    for place in drawn.lines[0].path[1:].split("L"):
        x, y = map(float, place.split())
        assert LEFT <= x <= WIDTH - RIGHT
        assert TOP <= y <= HEIGHT - BOTTOM
