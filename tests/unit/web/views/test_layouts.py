from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.store import Store


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]


@pytest.fixture
def folder(shop: Path) -> Path:
    return shop


def test_a_change_of_layout_is_shown_before_and_after(ask: Ask) -> None:
    assert "/sites/shop.example/layouts/1" in ask("/sites/shop.example").text
    shown = ask("/sites/shop.example/layouts/1").text
    assert "the table is gone" in shown
    assert 'class="lost"' in shown
    assert "li.good" in shown
    assert "tr.item" in shown
    assert shown.count('sandbox=""') == 2
    assert "steal()" not in shown


def test_both_versions_can_be_looked_at_without_scripts(ask: Ask) -> None:
    shown = ask("/sites/shop.example/layouts/1").text
    old, new = [part.partition('"')[0] for part in shown.split('src="/pages/')[1:]]
    assert "<table>" in ask(f"/pages/{old}").text
    after = ask(f"/pages/{new}")
    assert "<ul class=goods>" in after.text
    assert "steal()" not in after.text
    assert after.headers["content-security-policy"].startswith("sandbox")


@pytest.mark.parametrize("number", ["0", "2", "99999999999999999999"])
def test_a_change_that_is_not_there_is_said_in_words(ask: Ask, number: str) -> None:
    assert ask(f"/sites/shop.example/layouts/{number}").status == 404


def test_a_repair_is_accepted_where_the_site_is_shown(ask: Ask, folder: Path) -> None:
    assert "Accept the repair" in ask("/sites/shop.example").text
    reply = ask("/records/goods/repair", {"action": "accept", "back": "site"})
    assert (reply.status, reply.headers["location"]) == (303, "/sites/shop.example")
    assert "Revert to version" in ask("/sites/shop.example").text
    assert ask("/records/goods/repair", {"action": "revert"}).headers["location"] == "/records"
    with Store.open(folder, writing=False) as store:
        assert [len(rule.versions) for rule in Shelf(store)] == [1]
