from __future__ import annotations

import pytest

from haenyeo import make_planner
from haenyeo.refresh.replay import DAY, HOUR, ChangeLog, PageHistory, replay

WEEK = 7 * DAY


def log(*changes: tuple[int, ...], born: int = 0) -> ChangeLog:
    pages = [PageHistory(f"https://a.example/{number}", "a.example", born, each) for number, each in enumerate(changes)]
    return ChangeLog(pages, 6 * WEEK)


def test_a_copy_is_stale_from_the_first_change_to_the_next_visit() -> None:
    once = log((5 * WEEK + HOUR // 2,))
    score = replay(once, make_planner("uniform", per_day=24), 24)
    assert score.stale == pytest.approx(HOUR / 2 / (2 * WEEK))
    assert score.captured == 1
    assert score.requests_a_day == pytest.approx(24, rel=0.01)


def test_without_requests_a_changed_page_stays_stale() -> None:
    score = replay(log((1 * WEEK,), ()), make_planner("uniform", per_day=0), 0)
    assert score.stale == pytest.approx(0.5)
    assert (score.captured, score.requests_a_day) == (0, 0)


def test_a_page_is_planned_from_its_birth_on() -> None:
    score = replay(log((), born=5 * WEEK), make_planner("uniform", per_day=1), 1)
    assert score.stale == 0
    assert score.requests_a_day == pytest.approx(0.5, abs=0.1)


@pytest.mark.slow
def test_the_default_planner_keeps_pages_fresher_than_even_visits() -> None:
    busy = tuple(range(DAY // 2, 6 * WEEK, DAY))
    mixed = log(*([busy] * 3 + [(3 * WEEK,)] * 30))
    ours, even = (replay(mixed, make_planner(name, per_day=6), 6) for name in ("default", "uniform"))
    assert ours.stale < 0.9 * even.stale
