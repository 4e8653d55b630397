from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from haenyeo.model.pages import Url
from haenyeo.store import NewRow, PageRecord, Store

NOON = datetime(2025, 3, 1, 12, tzinfo=UTC)


def row(key: str, **fields: str) -> NewRow:
    return NewRow(rule="goods", key=key, page=Url("https://a.example/goods"), fields=fields)


def test_a_record_seen_again_is_not_doubled(store: Store) -> None:
    store.put_rows([row("1", price="30"), row("2", price="5")], NOON)
    store.put_rows([row("1", price="25"), row("2", price="5")], NOON + timedelta(hours=1))
    first, second = store.rows("goods")
    assert first.fields == {"price": "25"}
    assert (first.first_at, first.changed_at) == (NOON, NOON + timedelta(hours=1))
    assert (second.last_at, second.changed_at) == (NOON + timedelta(hours=1), NOON)
    assert store.row_counts() == {"goods": 2}


def test_an_older_sight_of_a_record_does_not_replace_a_newer_one(store: Store) -> None:
    store.put_rows([row("1", price="25")], NOON)
    store.put_rows([row("1", price="30")], NOON - timedelta(hours=1))
    assert store.rows("goods")[0].fields == {"price": "25"}


def test_records_are_saved_with_their_page(store: Store, make_record: Callable[..., PageRecord]) -> None:
    store.save(make_record(rows=[row("1", title="해녀")]))
    assert [found.fields for found in store.rows("goods")] == [{"title": "해녀"}]


def test_keys_are_found_by_letters_in_them(store: Store) -> None:
    for key in ("https://a.example", "https://b.example", "http://a.example"):
        store.put_state("robots", key, b"x")
    store.put_state("other", "https://a.example", b"x")
    assert sorted(store.state_keys("robots", "a.example", 5)) == ["http://a.example", "https://a.example"]
    assert len(store.state_keys("robots", "example", 2)) == 2
    assert store.state_keys("robots", "%", 5) == []


def test_a_stamp_differs_once_something_is_remembered_anew(store: Store) -> None:
    assert store.state_stamps("find") == []
    store.put_state("find", "divers", b"a" * 100)
    before = store.state_stamps("find")
    assert [(stamp.key, stamp.length) for stamp in before] == [("divers", 100)]
    store.put_state("other", "divers", b"b")
    assert store.state_stamps("find") == before
    store.put_state("find", "divers", b"b" + b"a" * 99)
    assert store.state_stamps("find") != before
