from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.web.plots.curve import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Mark, Scale, Series, curve, short, ticks


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


def test_marks_and_a_scale_that_begins_above_nothing() -> None:
    points = [(100.0, 0.92), (200.0, 0.97)]
    scale = Scale(least=0.9, written=lambda share: f"{share:.0%}")
    drawn = curve([Series(name="fresh", points=points)], [Mark(x=200, y=0.97, label="now")], scale)
    assert drawn is not None
    assert drawn.y_ticks[0].label == "90%"
    assert drawn.y_ticks[0].place == HEIGHT - BOTTOM
    assert (drawn.marks[0].x, drawn.marks[0].y) == drawn.lines[0].end
