"""Pages that change like clockwork are recognised, and no others."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from haenyeo import make_planner
from haenyeo.refresh.tide.rhythms import FEWEST, PERIODS, Rhythms, fitting

MONDAY = 1_700_438_400
HOUR, DAY = 3600, 86_400
URLS = [f"https://a.example/{number}" for number in range(40)]


def visits(changes: list[int], hours: list[int]) -> tuple[Rhythms, int]:
    """The rhythms of one page with these changes, visited at these hours."""
    rhythms, before = Rhythms(), 0
    for hour in hours:
        changed = any(before < change <= hour for change in changes)
        rhythms.learn(np.array([0]), np.array([before]), hour, np.array([changed]), 1)
        before = hour
    return rhythms, before


@settings(max_examples=settings().max_examples // 3)
@given(st.sampled_from([period for period in PERIODS if period >= 24]), st.integers(0, 23), st.integers(1, 6))
def test_a_regular_page_visited_often_enough_is_recognised_with_its_period(period: int, phase: int, step: int) -> None:
    end = period * (FEWEST + 3)
    rhythms, now = visits([*range(phase, end, period)], [*range(step, end, step)])
    assert rhythms.period.max() == period
    left = rhythms.hours_left(rhythms.regular(), np.array([now - period]), now)
    assert 0 < left[0] <= period


@settings(max_examples=settings().max_examples // 2)
@given(st.lists(st.integers(1, 24 * 60), min_size=5, max_size=40), st.integers(3, 30))
def test_what_is_recognised_fits_all_that_was_seen(changes: list[int], step: int) -> None:
    rhythms, _ = visits(changes, [*range(step, 24 * 60, step)])
    for slot in rhythms.regular().tolist():
        count = rhythms._counts[slot]
        assert count >= FEWEST
        for begin, end in zip(rhythms._begins[slot, :count], rhythms._ends[slot, :count], strict=True):
            assert rhythms.hours_left(np.array([slot]), np.array([int(begin)]), int(end))[0] > 0


def test_pages_that_change_by_chance_are_hardly_ever_taken_for_regular() -> None:
    chance = np.random.default_rng(7)
    wrong = 0
    for _ in range(200):
        changes = np.flatnonzero(chance.random(24 * 120) < 1 / 60).tolist()
        wrong += bool(visits(changes, [*range(12, 24 * 120, 12)])[0].period.max())
    assert wrong <= 4


def test_a_change_that_is_missing_ends_it() -> None:
    changes = [*range(24, 24 * 9, 24)]
    assert visits(changes, [*range(6, 24 * 9, 6)])[0].period.max() == 24
    assert visits(changes, [*range(6, 24 * 11, 6)])[0].period.max() == 0


def test_a_busy_page_is_not_regular() -> None:
    assert visits([*range(400)], [*range(6, 400, 6)])[0].period.max() == 0


def test_no_stretch_of_no_length_and_no_nonsense() -> None:
    assert fitting(np.array([5, 9, 20]), np.array([5, 10, 21]), 30) is None


def test_slots_are_given_to_others_when_there_are_too_many_pages() -> None:
    rhythms = Rhythms()
    for page in range(2000):
        rhythms.learn(np.array([page]), np.array([0]), 5, np.array([True]), 2000)
    assert len(rhythms.state()["pages"]) <= 512


def test_the_planner_expects_a_regular_page_to_change_at_its_hour_and_not_before() -> None:
    planner = make_planner("default", per_day=100)
    planner.add(URLS, ["a.example"] * len(URLS), MONDAY)
    for hour in range(3, 24 * 12, 3):
        now = MONDAY + hour * HOUR
        planner.observe(URLS, now, [url == URLS[7] and hour % 24 == 12 for url in URLS])
    restored = make_planner("default", per_day=100)
    restored.load(planner.dump())
    for each in (planner, restored):
        morning, evening = MONDAY + 12 * DAY + 6 * HOUR, MONDAY + 12 * DAY + 13 * HOUR
        fresh = [each.chances(moment) for moment in (morning, evening)]
        before, after = [0.0 if chances is None else float(chances[7]) for chances in fresh]
        assert before > 0.9
        assert after < 0.15
        assert each.due(evening, 1) == [URLS[7]]
