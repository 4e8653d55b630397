from __future__ import annotations

from haenyeo.refresh.groups.cycles import Cycle
from haenyeo.refresh.groups.planner import Groups
from haenyeo.refresh.groups.relearnt import RelearntGroups

MONDAY = 1_700_438_400
HOUR, WEEK = 3600, 7 * 24


def lived(planner: Groups) -> Cycle | None:
    """The group of a page that changed once a week for ten weeks and then every eight hours for thirty."""
    changes = [hour for hour in range(40 * WEEK) if hour % (WEEK if hour < 10 * WEEK else 8) == 0]
    planner.add(["a"], ["s"], MONDAY)
    seen = 0
    for hour in range(1, 40 * WEEK):
        if planner.due(MONDAY + hour * HOUR, 1):
            planner.observe(["a"], MONDAY + hour * HOUR, [any(seen < change <= hour for change in changes[-999:])])
            seen = hour
    [page] = planner.pages(MONDAY + 40 * WEEK * HOUR)
    return page.cycle


def test_a_page_that_changes_more_often_than_before_is_visited_more_often() -> None:
    assert lived(Groups(per_day=48)) in (Cycle.WEEKLY, Cycle.THRICE_WEEKLY), "the table hides what it does not look at"
    assert lived(RelearntGroups(per_day=48)) == Cycle.TWICE_DAILY
