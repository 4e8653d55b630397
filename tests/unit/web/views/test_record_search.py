from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from haenyeo.model.pages import Url
from haenyeo.store import NewRow, Store
from haenyeo.web.serving import Served
from haenyeo.web.views.record_search import address, question_in


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]


@pytest.fixture
def folder(shop: Path) -> Path:
    page = Url("https://shop.example/list")
    rows = [
        NewRow(
            rule="goods",
            key=f"{number}",
            page=page,
            fields={"name": f"Mask {number}", "kind": "mask" if number else "<b>"},
        )
        for number in range(30)
    ]
    with Store.open(shop, writing=True) as store:
        store.put_rows(rows, datetime(2025, 3, 1, tzinfo=UTC))
    return shop


def test_all_records_are_on_one_screen_with_what_they_are_counted_by(ask: Ask) -> None:
    shown = ask("/records/all").text
    assert "30 records" in shown
    assert "By source" in shown
    assert "By kind" in shown
    assert "2025-03-01" in shown
    assert "&lt;b&gt;" in shown, "what comes from a page is escaped"
    assert 'rel="next"' in shown
    assert "/records/all?" in shown


def test_a_question_narrows_the_screen_and_the_download(ask: Ask) -> None:
    assert "1 record<" in ask("/records/all?q=mask+12").text
    rows = list(csv.reader(io.StringIO(ask("/records/all.csv?q=mask+12").text.removeprefix("\ufeff"))))
    assert [row[0] for row in rows] == ["name", "Mask 12"]
    lines = ask("/records/all.jsonl?value=mask").text.splitlines()
    assert len(lines) == 29, "a download has all, not a part"
    assert json.loads(lines[0])["kind"] == "mask"
    assert "No record fits" in ask("/records/all?q=nothing").text


def test_the_search_box_gets_the_changing_part_only(ask: Ask, served: Served) -> None:
    key = f"Bearer {served.app.state.keys.token}"
    part = ask("/records/all?q=mask", headers={"hx-request": "true", "Authorization": key}).text
    assert "<html" not in part
    assert "By source" in part


def test_an_address_says_no_more_than_it_must() -> None:
    asked = question_in({"q": " mask ", "offset": "x", "limit": "9", "other": "1"})
    assert (asked.q, asked.offset, asked.limit) == ("mask", 0, 25)
    assert address(asked, "/records/all") == "/records/all?q=mask"
    assert address(asked, "/records/all", q="") == "/records/all"
    assert address(asked, "/records/all", offset=25) == "/records/all?q=mask&offset=25"
