from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.model.pages import Url
from haenyeo.store import NewRow, Store, StoredRow
from haenyeo.web.queries.record_search import RecordQuestion, countable, find_records

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
GOODS = (
    ("Red mask", "masks", "20.10", 0),
    ("Blue mask", "masks", "22.00", 0),
    ("Long fins", "fins", "30.50", 1),
    ("Knife", "tools", "12.00", 2),
)


@pytest.fixture
def store(shop: Path) -> Store:
    """Records of two sites, first seen on different days."""
    opened = Store.open(shop, writing=True)
    [rule] = Shelf(opened)
    other = msgspec.structs.replace(rule, name="elsewhere", url="https://b.example/list")
    state = Shelf(opened).put(other)
    opened.put_state(state.part, state.key, state.value)
    for name, kind, price, day in GOODS:
        link = f"https://shop.example/p/{name.replace(' ', '-')}"
        fields = {"name": name, "category": kind, "price": price, "link": link}
        row = NewRow(rule="goods", key=name, page=Url("https://shop.example/list"), fields=fields)
        opened.put_rows([row], MONDAY + timedelta(days=day))
    row = NewRow(
        rule="elsewhere", key="x", page=Url("https://b.example/list"), fields={"name": "Old mask", "category": "masks"}
    )
    opened.put_rows([row], MONDAY)
    return opened


def test_records_of_all_rules_are_counted_by_source_field_and_day(store: Store) -> None:
    found = find_records(store, RecordQuestion())
    assert found.total == 5
    assert found.by_source == [("shop.example", 4), ("b.example", 1)]
    assert (found.field, found.by_value) == ("category", [("masks", 3), ("fins", 1), ("tools", 1)])
    assert found.by_day == [("2026-03-04", 1), ("2026-03-03", 1), ("2026-03-02", 3)]
    assert found.fields == ["category", "price", "name"], "an address is nothing to count by"
    assert found.rows[0].fields["name"] == "Knife", "the newest first"


def test_words_source_value_and_day_each_leave_fewer(store: Store) -> None:
    def names(**asked: Any) -> set[str]:
        return {row.fields["name"] for row in find_records(store, RecordQuestion(**asked)).rows}

    assert names(q="MASK") == {"Red mask", "Blue mask", "Old mask"}
    assert names(q="mask 22") == {"Blue mask"}
    assert names(source="b.example") == {"Old mask"}
    assert names(value="fins") == {"Long fins"}
    assert names(field="name", value="Knife") == {"Knife"}
    assert names(since="2026-03-03") == {"Long fins", "Knife"}
    assert names(since="no day", field="none") == {name for name, *_ in GOODS} | {"Old mask"}


def test_another_source_and_another_value_can_still_be_chosen(store: Store) -> None:
    found = find_records(store, RecordQuestion(source="shop.example", value="masks"))
    assert found.total == 2
    assert found.by_source == [("shop.example", 4), ("b.example", 1)]
    assert found.by_value == [("masks", 2), ("fins", 1), ("tools", 1)]


def test_records_come_in_parts_and_in_another_order(store: Store) -> None:
    first = find_records(store, RecordQuestion(sort="oldest", limit=2))
    rest = find_records(store, RecordQuestion(sort="oldest", limit=2, offset=4))
    assert [len(part.rows) for part in (first, rest)] == [2, 1]
    assert rest.rows[0].fields["name"] == "Knife"


def test_a_collection_without_records_has_nothing_to_count(shop: Path) -> None:
    with Store.open(shop, writing=False) as empty:
        found = find_records(empty, RecordQuestion(q="mask"))
    assert (found.total, found.by_source, found.by_value, found.fields) == (0, [], [], [])


def test_records_are_counted_by_what_they_share_rather_than_by_what_each_has_alone() -> None:
    kinds = ("fins", "fins", "masks", "masks", "knives", "knives")
    rows = [
        StoredRow(
            rule="goods",
            key=str(number),
            page=Url("https://shop.example/list"),
            fields={"category": kind, "name": f"{kind} {number}"} | ({"price": f"{number} €"} if number < 2 else {}),
            first_at=MONDAY,
            last_at=MONDAY,
            changed_at=MONDAY,
        )
        for number, kind in enumerate(kinds)
    ]
    assert countable(rows) == ["category", "price", "name"]
