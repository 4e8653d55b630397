from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from haenyeo import make_planner
from haenyeo.collect.service.memory import GONE_CHECKS, PART, Memory
from haenyeo.collect.visit.bucket import Bucket
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome
from haenyeo.store import PageRecord, SavedPage, Store

MONDAY = datetime(2024, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "c") as opened:
        yield opened


def save(store: Store, url: str, at: datetime, text: str, outcome: Outcome = Outcome.PAGE) -> SavedPage:
    status = {Outcome.PAGE: 200, Outcome.GONE: 404, Outcome.ERROR: 503}[outcome]
    address = Url(url)
    answer = Answer(
        url=address,
        final_url=address,
        outcome=outcome,
        status=status,
        body=text.encode(),
        hops=(Hop(url=address, status=status, body=text.encode(), at=at),),
    )
    document = Document(url=address, text=text) if outcome is Outcome.PAGE else None
    return store.save(
        PageRecord(answer=answer, site="a.example", at=at, document=document, kept=outcome is Outcome.PAGE)
    )


def memory(store: Store, planner: str = "adaptive") -> Memory:
    made = Memory(store, planner, make_planner(planner, per_day=10), Bucket(10.0))
    made.catch_up()
    return made


def due(each: Memory, at: datetime) -> list[str]:
    return each.planner.due(at.timestamp(), 100)


def test_pages_of_a_crawl_are_known_without_being_told(store: Store) -> None:
    for number in range(5):
        save(store, f"https://a.example/{number}", MONDAY, f"text {number}")
    assert len(due(memory(store), MONDAY + 7 * DAY)) == 5


def test_what_visits_found_orders_the_pages(store: Store) -> None:
    for number in range(2):
        save(store, f"https://a.example/{number}", MONDAY, "text")
    for day in range(1, 9):
        save(store, "https://a.example/0", MONDAY + day * DAY, "text")
        save(store, "https://a.example/1", MONDAY + day * DAY, f"text {day}")
    assert due(memory(store), MONDAY + 9 * DAY) == ["https://a.example/1", "https://a.example/0"]


def test_a_snapshot_and_the_visits_since_make_the_same_memory(store: Store) -> None:
    for number in range(20):
        save(store, f"https://a.example/{number}", MONDAY, "text")
    first = memory(store, "default")
    first.bucket.available(MONDAY.timestamp())
    first.save()
    for day in range(1, 15):
        save(store, f"https://a.example/{day}", MONDAY + day * DAY, f"text {day % 3}")
    first.catch_up()
    again = memory(store, "default")
    assert due(again, MONDAY + 30 * DAY) == due(first, MONDAY + 30 * DAY)
    assert again.bucket.filled_at == MONDAY.timestamp()
    assert again.catch_up() == 0


def test_a_gone_page_is_checked_again_ever_later_and_then_retired(store: Store) -> None:
    url, at = "https://a.example/", MONDAY
    save(store, url, at, "text")
    kept = memory(store)
    for check in range(GONE_CHECKS):
        at += (1 if check == 0 else 3 ** (check - 1)) * DAY
        assert due(kept, at) == [url]
        save(store, url, at, "", Outcome.GONE)
        kept.catch_up()
        assert due(kept, at + 0.9 * DAY) == []
    assert due(kept, at + 500 * DAY) == []
    assert due(memory(store), at + 500 * DAY) == []


def test_a_page_that_comes_back_is_visited_as_before(store: Store) -> None:
    url = "https://a.example/"
    save(store, url, MONDAY, "text")
    save(store, url, MONDAY + DAY, "", Outcome.GONE)
    save(store, url, MONDAY + 2 * DAY, "text")
    save(store, url, MONDAY + 3 * DAY, "", Outcome.GONE)
    assert due(memory(store), MONDAY + 4.1 * DAY) == [url]


def test_rests_outlive_a_restart(store: Store) -> None:
    url = "https://a.example/"
    save(store, url, MONDAY, "text")
    save(store, url, MONDAY + 10 * DAY, "", Outcome.GONE)
    memory(store).save()
    assert due(memory(store), MONDAY + 10.5 * DAY) == []
    assert due(memory(store), MONDAY + 11.5 * DAY) == [url]


def test_a_page_without_a_telling_answer_rests_for_an_hour_first(store: Store) -> None:
    url = "https://a.example/"
    save(store, url, MONDAY, "text")
    save(store, url, MONDAY + 10 * DAY, "", Outcome.ERROR)
    assert due(memory(store), MONDAY + 10 * DAY + timedelta(minutes=50)) == []
    assert due(memory(store), MONDAY + 10 * DAY + timedelta(minutes=61)) == [url]


def test_damaged_memory_is_made_anew_from_the_visits(store: Store) -> None:
    save(store, "https://a.example/", MONDAY, "text")
    store.put_state(PART, "adaptive", b"damaged")
    assert due(memory(store), MONDAY + 9 * DAY) == ["https://a.example/"]
