from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.refresh.groups.cycles import Cycle
from haenyeo.refresh.groups.table import DAY, FOUR_WEEKS, HOUR, by_day, latest_slot, visiting_hours

NOWS = st.integers(FOUR_WEEKS, 200 * FOUR_WEEKS)


@given(cycle=st.sampled_from(Cycle), changes_by_day=st.booleans(), now=NOWS)
def test_the_last_visit_lies_within_the_cycle_and_repeats_every_four_weeks(
    cycle: Cycle, changes_by_day: bool, now: int
) -> None:
    slot = latest_slot(cycle, changes_by_day, now)
    assert now - FOUR_WEEKS < slot <= now
    assert latest_slot(cycle, changes_by_day, slot) == slot
    assert latest_slot(cycle, changes_by_day, now + FOUR_WEEKS) == slot + FOUR_WEEKS


@given(cycle=st.sampled_from([cycle for cycle in Cycle if cycle is not Cycle.TWICE_DAILY]), now=NOWS)
def test_pages_that_change_by_day_come_at_midnight_others_at_noon(cycle: Cycle, now: int) -> None:
    assert latest_slot(cycle, True, now) % DAY == 0
    assert latest_slot(cycle, False, now) % DAY == 12 * HOUR


def test_the_busiest_pages_come_at_both_hours_whenever_they_change() -> None:
    assert visiting_hours(Cycle.TWICE_DAILY, True) == visiting_hours(Cycle.TWICE_DAILY, False) == (12, 24)


@pytest.mark.parametrize(("hour", "day"), [(0, False), (8, False), (9, True), (17, True), (18, False), (23, False)])
def test_the_day_is_from_nine_to_six(hour: int, day: bool) -> None:
    assert by_day(hour) == day
    assert by_day(np.array([hour]))[0] == day  # type: ignore[index]
