from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import pytest

from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.store import Store


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]
LIST = "https://shop.example/list"
ONE = {"name-1": "what", "value-1": "Net bag", "name-2": "price", "value-2": "9.00 euro"}


@pytest.fixture
def folder(shop: Path) -> Path:
    return shop


@pytest.fixture
def number(folder: Path) -> int:
    with Store.open(folder, writing=False) as store:
        page = store.page(LIST)
        assert page is not None
        return page.id


def test_one_record_shows_all_rows(ask: Ask, number: int) -> None:
    shown = ask(f"/pages/{number}/pick?{urlencode(ONE)}").text
    assert "4 rows" in shown
    assert "20.10 euro" in shown
    assert "Pick fields" in shown


def test_the_rows_alone_come_for_a_click(ask: Ask, number: int) -> None:
    shown = ask(f"/pages/{number}/pick/rows?{urlencode(ONE)}").text
    assert "<html" not in shown
    assert "7.80 euro" in shown


def test_what_is_not_in_the_page_gives_no_rows(ask: Ask, number: int) -> None:
    assert "No list of such records" in ask(f"/pages/{number}/pick/rows?name-1=a&value-1=nowhere").text
    assert "Nothing is picked yet" in ask(f"/pages/{number}/pick/rows").text


def test_the_page_to_click_in_runs_and_loads_nothing(ask: Ask, number: int) -> None:
    reply = ask(f"/pages/{number}/pick/page")
    policy = reply.headers["content-security-policy"]
    assert policy.startswith("sandbox allow-same-origin; default-src 'none'")
    assert "allow-scripts" not in policy
    assert "steal()" not in reply.text


def test_a_picked_rule_is_saved_with_its_records(ask: Ask, number: int, folder: Path) -> None:
    assert ask(f"/pages/{number}/pick", ONE).status == 303
    with Store.open(folder, writing=False) as store:
        [saved] = [rule for rule in Shelf(store) if rule.versions[-1].why == "picked in the dashboard"]
        rows = [row.fields for row in store.rows(saved.name)]
    assert rows[0] == {"what": "Float", "price": "3.50 euro"}
    assert len(rows) == 4


def test_a_rule_is_not_made_of_what_is_not_there(ask: Ask, number: int) -> None:
    reply = ask(f"/pages/{number}/pick", {"name-1": "a", "value-1": "nowhere"})
    assert reply.status >= 400
    assert "no records like the one you pointed at" in reply.text
