from __future__ import annotations

from datetime import UTC, datetime, timedelta

from haenyeo.web.desk import Desk
from haenyeo.web.queries.overview import best_pages, crawl_progress, newest_pages, share_seen_lately


def test_progress_tells_what_was_found_at_what_price(desk: Desk) -> None:
    progress = crawl_progress(desk, datetime.now(UTC) - timedelta(minutes=30))
    assert (progress.totals.fetched, progress.totals.kept, progress.waiting) == (4, 3, 4)
    assert progress.harvest[-1] == (4, 3)
    assert progress.breadth_first[-1][0] == 4
    assert sum(progress.by_minute) == 1  # the others were made more than an hour before


def test_links_are_not_told_before_they_are_counted(desk: Desk) -> None:
    desk.counted = False
    assert crawl_progress(desk, datetime.now(UTC)).waiting is None


def test_only_kept_pages_are_shown_first(desk: Desk) -> None:
    assert [row.id for row in best_pages(desk, 8)] == [1, 2, 3]
    assert [row.id for row in newest_pages(desk, 2)] == [3, 2]


def test_pages_not_looked_at_for_a_week_are_not_fresh(desk: Desk) -> None:
    now = datetime.now(UTC)
    assert share_seen_lately(desk, now) == 1.0
    assert share_seen_lately(desk, now + timedelta(days=8)) == 0.0
