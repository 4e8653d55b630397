from __future__ import annotations

import numpy as np
import pytest

from haenyeo.refresh.tide.planner import Tide

MONDAY = 1_700_438_400
HOUR, DAY = 3600, 86_400


def urls(count: int, folder: str = "a") -> list[str]:
    return [f"https://s.example/{folder}/{number}" for number in range(count)]


def filled(*folders: str, count: int = 40) -> Tide:
    planner = Tide(per_day=100)
    pages = [url for folder in folders or ("a",) for url in urls(count, folder)]
    planner.add(pages, ["s.example"] * len(pages), MONDAY)
    return planner


def rank(planner: Tide, url: str, now: int) -> int:
    return planner.due(now, 10_000).index(url)


def test_a_page_that_keeps_changing_comes_before_one_that_never_does() -> None:
    planner = filled()
    for day in range(1, 15):
        planner.observe(urls(2), MONDAY + day * DAY, [True, False])
    assert rank(planner, urls(1)[0], MONDAY + 15 * DAY) < rank(planner, urls(2)[1], MONDAY + 15 * DAY)


def test_changed_siblings_make_the_others_suspect() -> None:
    planner = filled("a", "b")
    for page in range(12):
        planner.observe([urls(40, "a")[page]], MONDAY + 5 * DAY + page * HOUR, [True])
        planner.observe([urls(40, "b")[page]], MONDAY + 5 * DAY + page * HOUR, [False])
    due = planner.due(MONDAY + 6 * DAY, 20)
    assert sum("/a/" in url for url in due) > 15


def test_a_page_that_somebody_says_has_changed_comes_first() -> None:
    planner = filled()
    now = MONDAY + 2 * DAY
    last = planner.due(now, 100)[-1]
    planner.hint([last], 0.9)
    assert planner.due(now, 1) == [last]
    planner.observe([last], now, [True])
    assert rank(planner, last, now + HOUR) > 0


@pytest.mark.slow
def test_hours_at_which_pages_change_are_learned() -> None:
    planner = filled(count=60)
    for hour in range(1, 24 * 28):
        now = MONDAY + hour * HOUR
        due = planner.due(now, 6)
        planner.observe(due, now, [hour % 24 == 10] * len(due))
    assert planner._model is not None
    factors = planner._model.week.everywhere(np.arange(168))[1]
    assert factors.reshape(7, 24).mean(axis=0).argmax() == pytest.approx(9, abs=1)


def test_chances_fall_with_time_and_are_one_after_a_visit() -> None:
    planner = filled()
    early, late = np.asarray(planner.chances(MONDAY + DAY)), np.asarray(planner.chances(MONDAY + 30 * DAY))
    assert (late < early).all()
    planner.observe(urls(40), MONDAY + 30 * DAY, [False] * 40)
    assert planner.chances(MONDAY + 30 * DAY) == pytest.approx(1, abs=0.01)


def test_it_lives_for_many_years() -> None:
    planner = filled(count=3)
    for year in range(1, 30):
        now = MONDAY + year * 365 * DAY
        due = planner.due(now, 2)
        assert len(due) == 2
        planner.observe(due, now, [True, False])


def test_a_page_costs_few_bytes() -> None:
    planner = Tide(per_day=10)
    planner.add(urls(50_000), ["s.example"] * 50_000, MONDAY)
    assert len(planner.dump()) / 50_000 < 22 + 4 + 12 + len(urls(1)[0])
