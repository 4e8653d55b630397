from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.web.plots.treemap import WIDE, treemap

WIDTH, HEIGHT = WIDE


@given(st.lists(st.integers(1, 10**5), min_size=1, max_size=60))
def test_boxes_fill_the_whole_and_stay_inside(values: list[int]) -> None:
    values = sorted(values, reverse=True)
    boxes = treemap(values)
    assert len(boxes) == len(values)
    assert sum(box.width * box.height for box in boxes) == pytest.approx(WIDTH * HEIGHT, rel=0.02)
    assert all(box.x >= 0 and box.y >= 0 for box in boxes)
    assert all(box.x + box.width <= WIDTH + 0.2 and box.y + box.height <= HEIGHT + 0.2 for box in boxes)


def test_equal_values_make_equal_boxes() -> None:
    boxes = treemap([1, 1])
    assert boxes[0].width * boxes[0].height == pytest.approx(boxes[1].width * boxes[1].height)


def test_nothing_makes_no_box() -> None:
    assert treemap([0, 0]) == []
