from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.refresh.tide.week import HOURS, Week

ALL = np.arange(HOURS)
ROW = np.zeros(1, np.int64)


def busy_at(hour: int, changes: float = 200.0) -> Week:
    """A place whose pages change at one hour of the week."""
    week = Week()
    week.add_rows(1)
    found = np.where(hour == ALL, changes, 0.0)[None]
    week.learn(ROW, ROW, ALL, found, np.full((1, HOURS), changes / HOURS))
    week.refresh(ROW)
    return week


def test_a_new_place_has_an_even_week() -> None:
    week = Week()
    week.add_rows(2)
    assert week.everywhere(ALL) == pytest.approx(np.ones((2, HOURS)), abs=1e-4)
    week.refresh(np.array([0, 0]))
    assert week.everywhere(ALL) == pytest.approx(np.ones((2, HOURS)), abs=1e-4)


@pytest.mark.parametrize("hour", [0, 10, 35, 167])
def test_the_hour_at_which_pages_change_stands_out(hour: int) -> None:
    factors = busy_at(hour).during(ROW, ALL)[0]
    assert factors.argmax() == hour
    assert factors.sum() == pytest.approx(HOURS, rel=1e-3)


@given(start=st.integers(0, 2000), first=st.integers(0, 300), second=st.integers(0, 300))
def test_days_add_up_and_a_week_has_seven(start: int, first: int, second: int) -> None:
    week = busy_at(10)
    middle, end = start + first, start + first + second
    whole = week.days(ROW, np.array([start]), end)
    parts = week.days(ROW, np.array([start]), middle) + week.days(ROW, np.array([middle]), end)
    assert whole == pytest.approx(parts, abs=1e-3)
    assert week.days(ROW, np.array([start]), start + HOURS) == pytest.approx([7.0], abs=1e-3)
    assert whole[0] >= -1e-3


def test_a_section_leans_on_its_site() -> None:
    week = Week()
    week.add_rows(2)
    parents, section = np.array([0, 0]), np.array([1])
    week.learn(section, parents[section], ALL, np.where(ALL == 5, 80.0, 0.0)[None], np.full((1, HOURS), 80 / HOURS))
    week.add_rows(1)
    week.refresh(np.array([0, 0, 0]))
    assert week.everywhere(ALL)[2].argmax() == 5


def test_it_goes_on_where_its_state_was_kept() -> None:
    week, again = busy_at(30), Week()
    again.restore(week.state())
    assert np.array_equal(again.everywhere(ALL), week.everywhere(ALL))


def test_an_hour_is_found_though_visits_are_two_days_apart() -> None:
    """Pages change at midnight and are visited at all hours; an interval says little about the hour by itself."""
    week, chance = Week(), np.random.default_rng(1)
    week.add_rows(1)
    for day in range(60):
        now = (day + 3) * 24
        hours = np.arange(now - 72, now)
        ends = chance.integers(48, 72, 80)[:, None] + now - 72
        inside = (hours < ends) & (hours >= ends - chance.integers(12, 48, 80)[:, None])
        changed = chance.random(80) < 0.4 * (inside & (hours % 24 == 0)).sum(axis=1)
        rows = np.zeros(80, np.int64)
        likely = inside * week.during(rows, hours)
        found = changed[:, None] * likely / likely.sum(axis=1, keepdims=True)
        week.learn(rows, rows, hours, found, inside * 0.4 / 24)
        week.refresh(ROW)
    factors = week.during(ROW, ALL)[0].reshape(7, 24).mean(axis=0)
    assert factors.argmax() == 0
    assert factors[0] > 5


def test_what_was_kept_as_counts_is_taken_over() -> None:
    week = Week()
    found = np.where(np.arange(31) == 5, 40.0, 1.0)[None]
    week.restore({"found": found, "expected": np.full((1, 31), 3.0), "sums": np.zeros((1, HOURS + 1), np.float32)})
    week.refresh(ROW)
    assert week.during(ROW, ALL)[0, :24].argmax() == 5
