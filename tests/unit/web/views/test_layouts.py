from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from haenyeo import learn_rule
from haenyeo.collect.adapters.watching.changes import LayoutChanged, stored
from haenyeo.collect.adapters.watching.saved_rules import Pending, SavedRule, Version
from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome
from haenyeo.store import PageRecord, Store

LIST = Url("https://shop.example/list")
GOODS = [("Float", "3.50"), ("Net bag", "9.00"), ("Mask", "20.10"), ("Knife", "7.80")]
OLD = "".join(
    f"<tr class=item><td class=name>{name}</td><td class=price>{price} euro</td></tr>" for name, price in GOODS
)
NEW = "".join(
    f"<li class=good><h2>{name}</h2><b>{price} euro</b><script>steal()</script></li>" for name, price in GOODS
)
PAGES = (f"<table>{OLD}</table><p class=foot>About", f"<ul class=goods>{NEW}</ul><p class=foot>About")
BEGIN = datetime.now(UTC) - timedelta(days=2)


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]


def visit(html: str, day: int) -> PageRecord:
    at = BEGIN + timedelta(days=day)
    hop = Hop(url=LIST, status=200, headers=(("Content-Type", "text/html"),), body=html.encode(), at=at)
    change = LayoutChanged(
        url=LIST,
        site="shop.example",
        template="shop.example/list",
        grade="alarm",
        score=1.0,
        why=("the table is gone",),
    )
    return PageRecord(
        answer=Answer(
            url=LIST, final_url=LIST, outcome=Outcome.PAGE, status=200, content_type="text/html", hops=(hop,)
        ),
        site="shop.example",
        at=at,
        document=Document(url=LIST, title="Goods", text=html),
        relevance={"divers": 0.9},
        kept=True,
        events=[stored(change, at)] if day else (),
    )


@pytest.fixture
def folder(folder: Path) -> Path:
    """A shop was redesigned; its rule waits for the user's word."""
    rule = learn_rule(PAGES[0], [{"name": "Float", "price": "3.50 euro"}])
    repaired = learn_rule(PAGES[1], [{"name": "Float", "price": "3.50 euro"}])
    assert rule
    assert repaired
    saved = SavedRule(
        name="goods",
        url=LIST,
        lists=(LIST,),
        versions=(Version(rule=rule, at=BEGIN, url=LIST, why="learned"),),
        pending=Pending(rule=repaired, url=LIST, at=BEGIN),
    )
    with Store.open(folder, writing=True) as store:
        for day, html in enumerate(PAGES):
            store.save(visit(html, day))
        state = Shelf(store).put(saved)
        store.put_state(state.part, state.key, state.value)
    return folder


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
