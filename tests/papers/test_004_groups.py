"""Cho, Lee & Choi 2013: the groups, the table of weekday and hour, the sum of section 4."""

from __future__ import annotations

import numpy as np
import pytest

from haenyeo.refresh.groups.cycles import Cycle, cycles, fine_group, requests_a_day
from haenyeo.refresh.groups.planner import Groups
from haenyeo.refresh.groups.table import by_day, latest_slot

HOUR, DAY = 3600, 86400
MONDAY = 1_700_438_400 - 1_700_438_400 % (28 * DAY) + 4 * DAY


@pytest.mark.parametrize(
    ("changes", "group"),
    [(30, "G14"), (14.4, "G14"), (10.5, "G11"), (2.4, "G2"), (0.5, "G1"), (0.49, "2G1"), (0.25, "2G1"), (0.1, "4G1")],
)
def test_sixteen_groups_by_the_nearest_number_of_weekly_changes(changes: float, group: str) -> None:
    assert fine_group(changes) == group


def test_sixteen_groups_join_to_six() -> None:
    joined = cycles(np.array([0.1, 0.3, 1.0, 2.0, 4.4, 5.0, 10.4, 11.0, 40.0]))
    assert [Cycle(group).label for group in joined] == ["4G1", "2G1", "G1", "G3", "G3", "G7", "G7", "G14", "G14"]


def test_the_papers_groups_save_a_third_and_not_almost_a_half() -> None:
    pages = {
        Cycle.TWICE_DAILY: 240,
        Cycle.DAILY: 144,
        Cycle.THRICE_WEEKLY: 216,
        Cycle.WEEKLY: 480,
        Cycle.TWO_WEEKLY: 60,
        Cycle.FOUR_WEEKLY: 60,
    }
    assert sum(pages.values()) == 1200
    assert requests_a_day(pages) == pytest.approx(792, abs=1)


def test_pages_that_change_by_day_are_visited_at_midnight_others_at_noon() -> None:
    saturday, monday = MONDAY + 5 * DAY, MONDAY
    midnight, noon = saturday + 24 * HOUR, saturday + 12 * HOUR
    assert latest_slot(Cycle.WEEKLY, True, midnight) == midnight
    assert latest_slot(Cycle.WEEKLY, False, midnight) == noon
    assert latest_slot(Cycle.TWICE_DAILY, True, noon) == noon
    assert latest_slot(Cycle.TWICE_DAILY, True, midnight) == midnight
    assert latest_slot(Cycle.TWICE_DAILY, True, monday + 12 * HOUR) == monday + 12 * HOUR
    assert latest_slot(Cycle.WEEKLY, True, monday + 12 * HOUR) == midnight - 7 * DAY
    assert [by_day(hour) for hour in (8, 9, 17, 18)] == [False, True, True, False]


@pytest.mark.parametrize("cycle", Cycle)
def test_each_group_comes_as_often_as_its_name_says(cycle: Cycle) -> None:
    start = 100 * 28 * DAY
    slots = {latest_slot(cycle, True, start + hour * HOUR) for hour in range(28 * 24)} - {
        latest_slot(cycle, True, start - 1)
    }
    assert len(slots) == 4 * cycle.visits_a_week


def test_pages_are_grouped_after_four_weeks_and_again_later() -> None:
    planner = Groups(per_day=48)
    planner.add(["busy", "still"], ["s", "s"], MONDAY)
    visits = {"busy": 0, "still": 0}
    for hour in range(1, 12 * 7 * 24):
        due = planner.due(MONDAY + hour * HOUR, 2)
        planner.observe(due, MONDAY + hour * HOUR, [url == "busy" for url in due])
        if hour > 5 * 7 * 24:
            for url in due:
                visits[url] += 1
    assert visits["busy"] == pytest.approx(7 * 14, abs=3)
    assert visits["still"] <= 2
