"""A small collection and its dashboard, served on loopback."""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import pytest

from haenyeo import learn_rule
from haenyeo.collect.adapters.watching.changes import LayoutChanged, stored
from haenyeo.collect.adapters.watching.saved_rules import Pending, SavedRule, Version
from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.collect.collection import create_collection
from haenyeo.html.urls import url_hash
from haenyeo.model.config import Topic
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome
from haenyeo.store import NewLink, PageRecord, Store
from haenyeo.web.desk import Desk
from haenyeo.web.serving import Served, listen, serving_in_thread

BEGAN = timedelta(hours=2)  # before the test; not before the tests were gathered, which may be long ago
LIST = Url("https://shop.example/list")
GOODS = [("Float", "3.50"), ("Net bag", "9.00"), ("Mask", "20.10"), ("Knife", "7.80")]
OLD = "".join(
    f"<tr class=item><td class=name>{name}</td><td class=price>{price} euro</td></tr>" for name, price in GOODS
)
NEW = "".join(
    f"<li class=good><h2>{name}</h2><b>{price} euro</b><script>steal()</script></li>" for name, price in GOODS
)
PAGES = (f"<table>{OLD}</table><p class=foot>About", f"<ul class=goods>{NEW}</ul><p class=foot>About")
SHOP_BEGIN = datetime.now(UTC) - timedelta(days=2)
INJECTION = "<script>document.title = 'taken'</script><img src=x onerror=alert(1)>"
TEXTS = {
    0: ("Women divers", "The haenyeo dive for abalone without tanks."),
    1: ("제주해녀", "해녀가 물질을 하러 바다로 간다."),
    2: (INJECTION, f"{INJECTION} says the page."),
    3: ("Bread", "Sourdough needs time, water and flour."),
}


class Reply(NamedTuple):
    """What the dashboard answered."""

    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]


def record(number: int, text: str, title: str, after: int = 0) -> PageRecord:
    """A visit to page `number`."""
    url = Url(f"https://a.example/{number}")
    paragraphs = "".join(f"<p>{line}</p>" for line in text.splitlines())
    body = f"<html><title>{title}</title><nav>Home News</nav><main>{paragraphs}</main></html>".encode()
    at = datetime.now(UTC) - BEGAN + timedelta(minutes=number + after)
    hop = Hop(url=url, status=200, headers=(("Content-Type", "text/html; charset=utf-8"),), body=body, at=at)
    links = [NewLink(Url(f"https://b.example/{number}"), "b.example", number / 10, "a reef", "see", "near Jeju")]
    return PageRecord(
        answer=Answer(
            url=url, final_url=url, outcome=Outcome.PAGE, status=200, content_type="text/html", hops=(hop,), seconds=0.2
        ),
        site="a.example",
        at=at,
        ref=0,
        document=Document(url=url, title=title, text=text, language="ko" if number == 1 else "en"),
        relevance={"divers": 0.9 - number / 10},
        kept=number != 3,
        links=links if not after else (),
        targets=[url_hash(link.url) for link in links],
    )


@pytest.fixture
def divers(tmp_path: Path) -> Path:
    """A collection of four pages, one of them seen in two versions; a crawl of it has nowhere to go."""
    place = tmp_path / "divers"
    create_collection(place, Topic(words="divers", seeds=("http://127.0.0.1:9/",)), hosts=("127.0.0.1",))
    with Store.open(place, writing=True) as store:
        store.add_seeds([NewLink(Url("https://a.example/0"), "a.example", 1.0)])
        for number, (title, text) in TEXTS.items():
            store.save(record(number, text, title))
        store.save(record(0, "The haenyeo dive for abalone.\nThey sing.", "Women divers", after=60))
    return place


def list_visit(html: str, day: int) -> PageRecord:
    """A visit to the shop's list; what is told of the second one is a change of layout."""
    at = SHOP_BEGIN + timedelta(days=day)
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
def shop(divers: Path) -> Path:
    """The same with a shop that was redesigned; its rule waits for the user's word."""
    rule = learn_rule(PAGES[0], [{"name": "Float", "price": "3.50 euro"}])
    repaired = learn_rule(PAGES[1], [{"name": "Float", "price": "3.50 euro"}])
    assert rule
    assert repaired
    saved = SavedRule(
        name="goods",
        url=LIST,
        lists=(LIST,),
        versions=(Version(rule=rule, at=SHOP_BEGIN, url=LIST, why="learned"),),
        pending=Pending(rule=repaired, url=LIST, at=SHOP_BEGIN),
    )
    with Store.open(divers, writing=True) as store:
        for day, html in enumerate(PAGES):
            store.save(list_visit(html, day))
        state = Shelf(store).put(saved)
        store.put_state(state.part, state.key, state.value)
    return divers


@pytest.fixture
def folder(divers: Path) -> Path:
    """The collection that is served; a module that needs another one overrides this."""
    return divers


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    """What the dashboard knows of the collection, its waiting links counted."""
    opened = Desk(folder)
    opened.count()
    yield opened
    opened.close()


@pytest.fixture
def served(folder: Path) -> Iterator[Served]:
    """The dashboard, served until the test ends."""
    opened = listen(folder)
    with serving_in_thread(opened):
        opened.app.state.desk.count()
        yield opened


@pytest.fixture
def ask(served: Served) -> Ask:
    """Asks the dashboard, with its token unless other headers are given."""

    def asking(
        path: str, form: dict[str, str] | None = None, headers: dict[str, str] | None = None, method: str = ""
    ) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
        try:
            given = {"Authorization": f"Bearer {served.app.state.keys.token}"} if headers is None else headers
            if form is not None:
                given = {"Content-Type": "application/x-www-form-urlencoded", **given}
            body = None if form is None else urlencode(form)
            connection.request(method or ("GET" if form is None else "POST"), path, body, given)
            answer = connection.getresponse()
            names = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, names, answer.read().decode())
        finally:
            connection.close()

    return asking
