from __future__ import annotations

import numpy as np

from haenyeo.web.plots.heatmap import SHADES, heatmap


def test_the_busiest_hour_is_darkest_and_named() -> None:
    counts = np.zeros((7, 24), np.int64)
    counts[2, 9], counts[2, 10] = 16, 1
    drawn = heatmap(counts, "changes")
    assert drawn is not None
    assert drawn.busiest == "Wed 09:00"
    shades = {cell.label: cell.shade for cell in drawn.cells}
    assert shades["Wed 09:00, 16 changes"] == SHADES
    assert 0 < shades["Wed 10:00, 1 changes"] < SHADES
    assert shades["Thu 09:00, 0 changes"] == 0


def test_a_silent_week_is_no_drawing() -> None:
    assert heatmap(np.zeros((7, 24), np.int64), "changes") is None


def test_a_week_without_silent_hours_is_shaded_from_its_quietest_on() -> None:
    counts = np.full((7, 24), 40.0)
    counts[0, 0], counts[6, 23] = 41.5, 40.5
    drawn = heatmap(counts, "visits")
    assert drawn is not None
    shades = {cell.label: cell.shade for cell in drawn.cells}
    assert (shades["Mon 00:00, 42 visits"], shades["Tue 00:00, 40 visits"]) == (SHADES, 1)
    assert {cell.shade for cell in heatmap(np.full((7, 24), 3.0), "visits").cells} == {SHADES // 2}  # type: ignore[union-attr]
