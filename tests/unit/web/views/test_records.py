from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pytest
from pyarrow import parquet

from haenyeo.model.pages import Url
from haenyeo.store import NewRow, Store
from haenyeo.web.views.records import _parquet


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]


@pytest.fixture
def folder(shop: Path) -> Path:
    page = Url("https://shop.example/list")
    rows = [
        NewRow(rule="goods", key=name, page=page, fields={"name": name, "price": price})
        for name, price in (("=SUM(A1)", "3.50"), ("Mask", "20.10"))
    ]
    with Store.open(shop, writing=True) as store:
        store.put_rows(rows, datetime(2025, 3, 1, tzinfo=UTC))
    return shop


def test_records_are_shown_with_their_rule(ask: Ask) -> None:
    shown = ask("/records").text
    assert "2 records, version 1" in shown
    assert "20.10" in shown


def test_values_in_csv_are_no_formulas(ask: Ask) -> None:
    reply = ask("/records/goods.csv")
    assert reply.headers["content-disposition"] == 'attachment; filename="goods.csv"'
    head, first, second = csv.reader(io.StringIO(reply.text.removeprefix("\ufeff")))
    assert head == ["name", "price", "page", "first_seen", "last_seen"]
    assert first[0] == "'=SUM(A1)"
    assert second[:3] == ["Mask", "20.10", "https://shop.example/list"]


def test_records_come_as_lines_of_json(ask: Ask) -> None:
    lines = [json.loads(line) for line in ask("/records/goods.jsonl").text.splitlines()]
    assert [line["name"] for line in lines] == ["=SUM(A1)", "Mask"]
    assert lines[0]["last_seen"].startswith("2025-03-01")


def test_records_come_as_typed_columns(folder: Path) -> None:
    with Store.open(folder, writing=False) as store:
        table = parquet.read_table(io.BytesIO(_parquet(store.rows("goods"))))
    assert table.column("price").to_pylist() == ["3.50", "20.10"]
    assert pa.types.is_timestamp(table.schema.field("last_seen").type)


def test_a_repair_that_is_not_there_cannot_be_accepted(ask: Ask) -> None:
    assert ask("/records/goods/repair", {"action": "revert"}).status == 409
    assert ask("/records/goods/repair", {"action": "fly"}).status == 409
    assert ask("/records/none/repair", {"action": "accept"}).status == 404
