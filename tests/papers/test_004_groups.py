"""Cho, Lee & Choi 2013: the groups, the table of weekday and hour, the sum of section 4."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from haenyeo.model.errors import UsageError
from haenyeo.refresh.groups.cycles import Cycle, cycles, fine_group, requests_a_day
from haenyeo.refresh.groups.planner import Groups
from haenyeo.refresh.groups.table import HOURS, latest_slot, weekly_table

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
    assert latest_slot(Cycle.WEEKLY, midnight, by_day=True) == midnight
    assert latest_slot(Cycle.WEEKLY, midnight, by_day=False) == noon
    assert latest_slot(Cycle.TWICE_DAILY, noon, by_day=True) == noon
    assert latest_slot(Cycle.TWICE_DAILY, midnight, by_day=True) == midnight
    assert latest_slot(Cycle.TWICE_DAILY, monday + 12 * HOUR, by_day=True) == monday + 12 * HOUR
    assert latest_slot(Cycle.WEEKLY, monday + 12 * HOUR, by_day=True) == midnight - 7 * DAY


def test_hours_are_those_of_the_time_zone_through_summer_and_winter() -> None:
    seoul = ZoneInfo("Asia/Seoul")
    noon_there = datetime(2026, 7, 1, 12, tzinfo=seoul)
    moment = int(noon_there.timestamp())
    assert latest_slot(Cycle.DAILY, moment, by_day=False, zone=seoul) == moment
    assert latest_slot(Cycle.DAILY, moment - 1, by_day=False, zone=seoul) == moment - DAY
    paris = ZoneInfo("Europe/Paris")
    slots = {
        latest_slot(
            Cycle.DAILY, int(datetime(2026, 10, 23, tzinfo=UTC).timestamp()) + hour * HOUR, by_day=False, zone=paris
        )
        for hour in range(24, 6 * 24)
    }
    assert {datetime.fromtimestamp(slot, paris).hour for slot in slots} == {12}
    assert len(slots) == 6


def test_a_change_speaks_for_day_or_night_as_far_as_its_visits_tell_them_apart() -> None:
    def evidence(begin: float, end: float) -> float:
        return float(HOURS.evidence(np.array([begin * HOUR]), np.array([end * HOUR]))[0])

    assert evidence(10, 10.33) == pytest.approx(-evidence(20, 20.33))
    assert evidence(10, 10.33) > 2
    assert evidence(0, 24) == pytest.approx(0)
    assert evidence(12, 60) == pytest.approx(0)
    assert evidence(0, 12) < 0 < evidence(12, 24)


def lived(planner: Groups, hour_of_change: dict[str, int], days: int) -> dict[str, list[int]]:
    """The hours at which each page is visited that changes once a day at its own hour."""
    urls = list(hour_of_change)
    planner.add(urls, ["s"] * len(urls), MONDAY)
    visits: dict[str, list[int]] = {url: [0] for url in urls}

    def changed(url: str, now: int) -> bool:
        last = (now - hour_of_change[url]) // 24 * 24 + hour_of_change[url]
        return visits[url][-1] < last <= now

    for hour in range(1, 24 * days):
        due = planner.due(MONDAY + hour * HOUR, len(urls))
        planner.observe(due, MONDAY + hour * HOUR, [changed(url, hour) for url in due])
        for url in due:
            visits[url].append(hour)
    return visits


def test_a_day_page_and_a_night_page_stay_what_they_are_for_months() -> None:
    planner = Groups(per_day=48)
    visits = lived(planner, {"by day": 14, "by night": 2}, 120)
    late = {url: [hour for hour in hours if hour >= 92 * 24] for url, hours in visits.items()}
    assert {hour % 24 for hour in late["by day"]} == {0}
    assert {hour % 24 for hour in late["by night"]} == {12}
    assert [len(hours) for hours in late.values()] == [28, 28], "one visit a day each"
    assert {page.url: (page.group, page.by_day) for page in planner.pages(MONDAY + 120 * DAY)} == {
        "by day": ("G7", True),
        "by night": ("G7", False),
    }


def test_time_without_visits_does_not_make_a_page_slower() -> None:
    """A history that was taken in, or a service that stood still: nobody knows what changed meanwhile."""
    planner = Groups(per_day=48)
    lived(planner, {"by day": 14}, 35)
    [page] = planner.pages(MONDAY + 140 * DAY)
    assert (page.group, page.cycle) == ("G7", Cycle.DAILY)


def test_day_and_night_are_those_of_the_time_zone() -> None:
    planner = Groups(per_day=48, time_zone="Asia/Seoul")
    lived(planner, {"afternoon in Seoul": 5, "afternoon in London": 14}, 40)
    assert {page.url: page.by_day for page in planner.pages(MONDAY + 40 * DAY)} == {
        "afternoon in Seoul": True,
        "afternoon in London": False,
    }
    with pytest.raises(UsageError, match="Asia/Soul"):
        Groups(per_day=1, time_zone="Asia/Soul")


TABLE_3_3 = {
    "u1": 14, "u5": 10, "u3": 10, "u2": 8, "u4": 7, "u11": 7, "u10": 6, "u9": 3, "u8": 3, "u7": 3, "u6": 3, "u12": 3,
    "u15": 2, "u13": 1, "u14": 0,
}  # fmt: skip
"""Changes in three weeks; u14 stands in table 3.5 alone, where only a page that never changed can."""


def test_table_3_5_follows_from_table_3_3() -> None:
    groups = dict(zip(TABLE_3_3, cycles(np.array(list(TABLE_3_3.values())) / 3), strict=True))
    assert fine_group(TABLE_3_3["u1"] / 3) == "G5"
    assert Cycle(groups["u1"]).label == "G7"
    noon = {"u6", "u7", "u8", "u9", "u12", "u15"}  # what table 3.5 visits at 12:00: these change by night
    table = weekly_table((url, Cycle(group), url not in noon) for url, group in groups.items())
    daily, thrice = ["u1"], {"u1", "u2", "u3", "u4", "u5", "u10", "u11"}
    assert {day: set(table[day, "0:00"]) for day in ("Mon", "Wed", "Fri")} == dict.fromkeys(
        ("Mon", "Wed", "Fri"), thrice
    )
    assert [table[day, "0:00"] for day in ("Tue", "Thu", "Sat", "Sun")] == [daily] * 4
    assert set(table["Sat", "12:00"]) == noon
    assert table["2nd and 4th Sat", "0:00"] == ["u13"]
    assert table["3rd Sat", "0:00"] == ["u14"]
    assert next(iter(table)) == ("Mon", "0:00")


@pytest.mark.parametrize("cycle", Cycle)
def test_each_group_comes_as_often_as_its_name_says(cycle: Cycle) -> None:
    start = 100 * 28 * DAY
    slots = {latest_slot(cycle, start + hour * HOUR, by_day=True) for hour in range(28 * 24)} - {
        latest_slot(cycle, start - 1, by_day=True)
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
