from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from haenyeo.collect.service.group_tables import group_tables
from haenyeo.collect.service.memory import Memory
from haenyeo.collect.service.planners import make_planner
from haenyeo.collect.service.planning import planner_of
from haenyeo.collect.visit.bucket import Bucket
from haenyeo.model.config import RefreshSettings, Settings, StrategySettings
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome
from haenyeo.refresh.groups.planner import Groups
from haenyeo.store import PageRecord, Store

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
NEWS, STILL = Url("https://a.example/news"), Url("https://a.example/still")


def visited(store: Store, url: Url, at: datetime, text: str) -> None:
    """A visit that found this text."""
    body = f"<p>{text}".encode()
    hop = Hop(url=url, status=200, body=body, at=at)
    answer = Answer(url=url, final_url=url, outcome=Outcome.PAGE, status=200, body=body, hops=(hop,))
    document = Document(url=url, text=text)
    store.save(PageRecord(answer=answer, site="a.example", at=at, document=document, kept=True))


def test_changes_lie_between_two_visits_and_make_the_table(tmp_path: Path) -> None:
    planner = make_planner("groups", per_day=100)
    with Store.create(tmp_path / "pages") as store:
        for quarter in range(4 * 35):  # every six hours for five weeks; one page changes at ten every morning
            at = MONDAY + timedelta(hours=6 * quarter)
            visited(store, NEWS, at, "news" * (1 + (quarter + 2) // 4))
            visited(store, STILL, at, "still")
        memory = Memory(store, "groups", planner, Bucket(100))
        memory.catch_up()
        now = (MONDAY + timedelta(days=35)).timestamp()
        tables = group_tables(store, planner, UTC, now)
        in_seoul = group_tables(store, planner, ZoneInfo("Asia/Seoul"), now)
    assert tables is not None
    [news] = tables.pages
    assert (news.url, news.changes, news.group, news.cycle, news.changes_by) == (NEWS, 35, "G7", "G7", "day")
    assert news.bytes_changed == 4 * 35
    assert {(row.weekday, row.hour, row.changes) for row in tables.hours} >= {("Tue", 9, 5), ("Sun", 9, 5)}
    assert in_seoul is not None
    assert {row.hour for row in in_seoul.hours} == {18}
    assert {(row.weekday, row.hour): row.urls for row in tables.visits}["Mon", "0:00"] == [NEWS]
    assert (tables.groups["G7"], tables.groups["4G1"], tables.learning) == (1, 1, 0)
    assert tables.requests_a_day == pytest.approx(1 + 1 / 28)


def test_other_planners_have_no_groups(tmp_path: Path) -> None:
    with Store.create(tmp_path / "pages") as store:
        assert group_tables(store, make_planner("uniform", per_day=1), UTC, 0.0) is None


def test_the_planner_has_the_time_zone_of_the_settings_and_its_own_options() -> None:
    settings = Settings(
        refresh=RefreshSettings(time_zone="Asia/Seoul"),
        strategy=StrategySettings(planner="groups"),
        parts={"groups": {"learning_days": 7}},
    )
    planner = planner_of(settings, 10)
    assert isinstance(planner, Groups)
    assert (str(planner.zone), planner.learning_days) == ("Asia/Seoul", 7)
    planner_of(Settings(refresh=RefreshSettings(time_zone="Asia/Seoul")), 10)
