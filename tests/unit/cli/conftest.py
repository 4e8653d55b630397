"""A small collection for the commands: two visits to a page about divers, a list that was redesigned, and its rule."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from haenyeo import learn_rule
from haenyeo.collect.adapters.watching.changes import LayoutChanged, stored
from haenyeo.collect.adapters.watching.saved_rules import SavedRule, Version
from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.collect.collection import create_collection
from haenyeo.model.config import Topic
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome
from haenyeo.store import NewEvent, NewLink, NewRow, PageRecord, Store

BEGIN = datetime(2025, 3, 1, 12, tzinfo=UTC)
LIST = Url("https://shop.example/list")
GOODS = "".join(
    f"<tr class=item><td class=name>{name}</td><td class=price>{price} euro</td></tr>"
    for name, price in (("Float", "3.50"), ("Net bag", "9.00"), ("Mask", "20.10"), ("Knife", "7.80"))
)


def _visit(url: str, html: str, text: str, day: int, *, kept: bool = True, event: NewEvent | None = None) -> PageRecord:
    at = BEGIN + timedelta(days=day)
    address, site = Url(url), url.split("/")[2]
    hop = Hop(url=address, status=200, headers=(("Content-Type", "text/html"),), body=html.encode(), at=at)
    answer = Answer(
        url=address, final_url=address, outcome=Outcome.PAGE, status=200, content_type="text/html", hops=(hop,)
    )
    link = NewLink(Url(f"https://b.example/{day}"), "b.example", 0.3, "a reef", "see", "near Jeju")
    return PageRecord(
        answer=answer,
        site=site,
        at=at,
        document=Document(url=address, title=html.partition("<title>")[2].partition("<")[0], text=text, language="en"),
        relevance={"divers": 0.9 if kept else 0.1},
        kept=kept,
        links=[link],
        events=[event] if event else (),
    )


def _page(title: str, text: str) -> str:
    return f"<html><title>{title}</title><main><p>{text}</p></main></html>"


@pytest.fixture
def divers(tmp_path: Path) -> Path:
    """The collection's folder."""
    folder = tmp_path / "divers"
    create_collection(folder, Topic(words="divers", seeds=("http://127.0.0.1:9/",)), hosts=("127.0.0.1",))
    first, second = "The haenyeo dive for abalone without tanks.", "The haenyeo dive for abalone and sing."
    change = LayoutChanged(
        url=LIST, site="shop.example", template="shop.example/list", grade="alarm", score=1.0, why=("gone",)
    )
    with Store.open(folder, writing=True) as store:
        store.add_seeds([NewLink(Url("https://a.example/0"), "a.example", 1.0)])
        store.save(_visit("https://a.example/0", _page("Women divers", first), first, 0))
        store.save(_visit("https://a.example/0", _page("Women divers", second), second, 1))
        bread = "Sourdough needs flour and time."
        store.save(_visit("https://a.example/1", _page("Bread", bread), bread, 2, kept=False))
        listed = f"<title>Goods</title><table>{GOODS}</table>"
        store.save(_visit(LIST, listed, "Float Mask", 3, event=stored(change, BEGIN + timedelta(days=3))))
        rule = learn_rule(listed, [{"name": "Float", "price": "3.50 euro"}])
        assert rule
        version = Version(rule=rule, at=BEGIN, url=LIST, why="learned")
        state = Shelf(store).put(SavedRule(name="goods", url=LIST, lists=(LIST,), versions=(version,)))
        store.put_state(state.part, state.key, state.value)
        store.put_rows([NewRow(rule="goods", key="1", page=LIST, fields={"name": "Float"})], BEGIN)
    return folder
