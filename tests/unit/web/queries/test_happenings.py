from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from haenyeo.store import StoredEvent
from haenyeo.web.queries.happenings import alarms, happening

NOW = datetime(2025, 3, 1, tzinfo=UTC)


def event(
    kind: str, facts: dict[str, object] | None = None, *, days_ago: float = 0, data: bytes | None = None
) -> StoredEvent:
    given = msgspec.json.encode(facts or {}) if data is None else data
    at = NOW - timedelta(days=days_ago)
    return StoredEvent(id=1, at=at, kind=kind, url="https://www.shop.example/list", data=given)


@pytest.mark.parametrize(
    ("kind", "facts", "grade", "title"),
    [
        ("layout", {"grade": "alarm", "template": "shop/list"}, "alarm", "layout alarm: shop/list"),
        ("layout", {"grade": "notice", "template": "shop/list"}, "notice", "layout notice: shop/list"),
        ("repair", {"rule": "goods", "version": 2}, "repair", "rule goods repaired, version 2"),
        ("broken", {"rule": "goods"}, "alarm", "rule goods is broken"),
        ("trouble", {"reason": "timeout"}, "alarm", "no answer: timeout"),
        ("content", {"lines": 3}, "news", "content changed, 3 lines"),
        ("content", {"lines": 0, "moves": 2}, "news", "moved, nothing else is different; lines: 2"),
        ("back", {}, "news", "answers again"),
        ("unheard of", {}, "news", "unheard of"),
    ],
)
def test_events_are_told_in_words_and_graded(kind: str, facts: dict[str, object], grade: str, title: str) -> None:
    told = happening(event(kind, facts))
    assert (told.grade, told.title) == (grade, title)


@pytest.mark.parametrize("data", [b"no json", b"[1, 2]", b""])
def test_an_event_without_facts_is_told_all_the_same(data: bytes) -> None:
    told = happening(event("broken", data=data))
    assert (told.facts, told.title, told.site) == ({}, "rule  is broken", "shop.example")


def test_at_most_five_reasons_are_told() -> None:
    assert happening(event("layout", {"why": list("abcdefg")})).reasons == ["a", "b", "c", "d", "e"]
    assert happening(event("broken", {"broken": ["price"]})).reasons == ["price"]
    assert happening(event("back")).reasons == []


def test_alarms_are_recent_and_no_news_the_newest_first() -> None:
    events = [
        event("broken", days_ago=9),
        event("broken", days_ago=2),
        event("content", days_ago=1),
        event("layout", days_ago=0.5),
        event("odd", days_ago=0.1),
    ]
    assert [told.kind for told in alarms(events, NOW - timedelta(days=7))] == ["layout", "broken"]
