from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.refresh.groups.cycles import Cycle
from haenyeo.refresh.groups.table import DAY, FOUR_WEEKS, HOUR, HOURS, DayHours, latest_slot, weekly_table

NOWS = st.integers(FOUR_WEEKS, 200 * FOUR_WEEKS)


@given(cycle=st.sampled_from(Cycle), by_day=st.booleans(), now=NOWS)
def test_the_last_visit_lies_within_the_cycle_and_repeats_every_four_weeks(
    cycle: Cycle, by_day: bool, now: int
) -> None:
    slot = latest_slot(cycle, now, by_day=by_day)
    assert now - FOUR_WEEKS < slot <= now
    assert latest_slot(cycle, slot, by_day=by_day) == slot
    assert latest_slot(cycle, now + FOUR_WEEKS, by_day=by_day) == slot + FOUR_WEEKS


@given(cycle=st.sampled_from([cycle for cycle in Cycle if cycle is not Cycle.TWICE_DAILY]), now=NOWS)
def test_pages_that_change_by_day_come_at_midnight_others_at_noon(cycle: Cycle, now: int) -> None:
    assert latest_slot(cycle, now, by_day=True) % DAY == 0
    assert latest_slot(cycle, now, by_day=False) % DAY == 12 * HOUR


def test_the_busiest_pages_come_at_both_hours_whenever_they_change() -> None:
    hours = [HOURS.visiting_hours(Cycle.TWICE_DAILY, by_day=by_day) for by_day in (True, False)]
    assert hours == [(12, 24), (12, 24)]


def test_other_hours_can_be_set() -> None:
    hours = DayHours(for_night=8, for_day=20)
    assert latest_slot(Cycle.DAILY, 100 * DAY, by_day=True, hours=hours) % DAY == 20 * HOUR
    assert list(weekly_table([("a", Cycle.WEEKLY, False)], hours)) == [("Sat", "8:00")]
