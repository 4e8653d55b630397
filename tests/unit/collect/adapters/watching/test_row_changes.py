from __future__ import annotations

from datetime import UTC, datetime, timedelta

from haenyeo.collect.adapters.watching.changes import FieldEdit, RecordsChanged, restored, stored
from haenyeo.collect.adapters.watching.row_changes import records_changed
from haenyeo.collect.adapters.watching.wording import details, headline
from haenyeo.model.pages import Url
from haenyeo.store import NewRow, Store

LIST = Url("https://shop.example/list")
MONDAY = datetime(2025, 3, 3, tzinfo=UTC)


def _rows(**prices: str) -> list[NewRow]:
    return [
        NewRow(rule="goods", key=name, page=LIST, fields={"title": name, "price": price})
        for name, price in prices.items()
    ]


def test_records_that_came_went_and_changed_are_told(store: Store) -> None:
    store.put_rows(_rows(mug="3.50", net="9.00", mask="20.10"), MONDAY)
    told = records_changed(store, "goods", LIST, _rows(mug="4.50", mask="20.10", fins="30.00"))
    assert told == RecordsChanged(
        rule="goods",
        url=LIST,
        new=1,
        gone=1,
        changed=1,
        added=({"title": "fins", "price": "30.00"},),
        removed=({"title": "net", "price": "9.00"},),
        edited=(FieldEdit(record="mug", field="price", before="3.50", after="4.50"),),
    )
    assert headline(told) == "records  https://shop.example/list  1 new, 1 gone, 1 changed"
    assert details(told) == ["~ mug: price [-3.50-]{+4.50+}", "- net, 9.00", "+ fins, 30.00"]


def test_the_same_records_are_no_change(store: Store) -> None:
    assert records_changed(store, "goods", LIST, _rows(mug="3.50")) is None, "the first visit"
    store.put_rows(_rows(mug="3.50"), MONDAY)
    assert records_changed(store, "goods", LIST, _rows(mug="3.50")) is None


def test_what_was_gone_before_the_last_visit_is_not_told_again(store: Store) -> None:
    store.put_rows(_rows(mug="3.50", net="9.00"), MONDAY)
    store.put_rows(_rows(mug="3.50"), MONDAY + timedelta(days=1))
    assert records_changed(store, "goods", LIST, _rows(mug="3.50")) is None


def test_the_change_is_stored_and_read_again(store: Store) -> None:
    store.put_rows(_rows(mug="3.50"), MONDAY)
    told = records_changed(store, "goods", LIST, _rows(mug="4.50"))
    assert told is not None
    store.add_event(stored(told, MONDAY))
    [event] = store.events()
    assert (event.kind, restored(event)) == ("records", told)
