from __future__ import annotations

from datetime import UTC, datetime

import pytest

from haenyeo.web.desk import Desk
from haenyeo.web.queries.refresh import changes_seen, due_pages, week_ahead


def test_changes_are_told_by_hour_of_the_week_and_copies_by_age(desk: Desk) -> None:
    seen = changes_seen(desk, datetime.now(UTC))
    assert (seen.revisits, seen.changes) == (1, 1)
    assert int(seen.week.sum()) == 1
    assert sum(count for _, count in seen.ages) == 3


@pytest.mark.slow
def test_the_week_ahead_is_known_once_the_planner_was_asked(desk: Desk) -> None:
    first = week_ahead(desk)
    assert (first.forecast, first.by_budget, first.trouble) == (None, None, "")
    desk.outlook.close()
    ahead = week_ahead(desk)
    assert ahead.forecast is not None
    assert ahead.forecast.pages == 3


def test_due_pages_are_told_with_their_visits(desk: Desk) -> None:
    known, unknown = due_pages(desk, ["https://a.example/0", "https://a.example/none"])
    assert (known.title, known.visits, known.changes) == ("Women divers", 2, 1)
    assert known.last_at is not None
    assert (unknown.title, unknown.visits, unknown.changes, unknown.last_at) == ("", 0, 0, None)
