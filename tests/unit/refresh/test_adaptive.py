from __future__ import annotations

import pytest

from haenyeo.refresh.adaptive import Adaptive, Nutch

DAY = 86400


@pytest.mark.parametrize(("kind", "after_change", "after_none"), [(Adaptive, 0.5, 1.2), (Nutch, 0.8, 1.4)])
def test_intervals_shrink_after_a_change_and_grow_after_none(
    kind: type[Adaptive], after_change: float, after_none: float
) -> None:
    planner = kind(per_day=2)
    planner.add(["a", "b"], ["s", "s"], 0)
    planner.observe(["a", "b"], DAY, [True, False])
    busy, still = planner._roster["interval_days"].tolist()
    assert busy == pytest.approx(kind.first_days * after_change)
    assert still == pytest.approx(kind.first_days * after_none)
    assert planner.due(2 * DAY, 2) == ["a", "b"]


def test_intervals_stay_between_an_hour_and_a_year() -> None:
    planner = Adaptive(per_day=2)
    planner.add(["a", "b"], ["s", "s"], 0)
    for visit in range(1, 60):
        planner.observe(["a", "b"], visit * DAY, [True, False])
    assert planner._roster["interval_days"].tolist() == pytest.approx([1 / 24, 365.0])
