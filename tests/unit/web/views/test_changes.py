from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from haenyeo.collect.adapters.watching.changes import RuleRepaired, stored
from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.collect.adapters.watching.watch_states import watched_addresses
from haenyeo.collect.adapters.watching.watchlist import Watchlist, watched_page
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome
from haenyeo.store import Store
from haenyeo.web.serving import Served


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]


@pytest.fixture
def folder(shop: Path) -> Path:
    return shop


@pytest.mark.parametrize(
    ("path", "media", "items"),
    [
        ("/changes.atom", "application/atom+xml", "{http://www.w3.org/2005/Atom}entry"),
        ("/changes.rss", "application/rss+xml", "channel/item"),
    ],
)
def test_changes_come_as_feeds(ask: Ask, path: str, media: str, items: str) -> None:
    reply = ask(path)
    assert reply.headers["content-type"].startswith(media)
    told = ET.fromstring(reply.text).findall(items)
    assert told
    assert ET.fromstring(ask(f"{path}?kind=relearn").text).findall(items) == []


def test_what_is_under_watch_is_shown_in_the_words_of_the_terminal(ask: Ask, folder: Path) -> None:
    assert "Nothing is under watch" in ask("/watched").text
    with Store.open(folder, writing=True) as store:
        now = datetime.now(UTC)
        page = watched_page("https://shop.example/list", (), timedelta(hours=6), 1, now)
        Watchlist(store).put(page)
        Watchlist(store).put(watched_page("https://a.example/q?w={query}", ("<b>mask</b>",), page.every, 1, now))
        answer = Answer(url=Url(page.url), final_url=Url(page.url), outcome=Outcome.ERROR, reason="no answer in 30 s")
        Watchlist(store).note(page, Url(page.url), answer, now)
        words = [each.state for each in watched_addresses(Watchlist(store), Shelf(store))]
    assert sorted(words) == ["no answer in 30 s", "not visited yet"]
    shown = ask("/watched").text
    assert "2 addresses" in shown
    assert all(f">{state}</span>" in shown for state in words)
    assert 'aria-current="page"' in shown.partition("to-watched")[2].partition(">")[0]


def test_a_field_that_a_repair_leaves_out_is_named_before_and_after(ask: Ask, folder: Path, served: Served) -> None:
    repair = RuleRepaired(
        rule="goods",
        url=Url("https://shop.example/list"),
        version=2,
        confidence=0.9,
        checked_on=(Url("https://shop.example/list"),),
        old_selectors=(("", "tr.item"), ("name", "td.name"), ("price", "td.price")),
        new_selectors=(("", "li.good"), ("name", "h2")),
        dropped=("price",),
    )
    with Store.open(folder, writing=True) as store:
        store.add_event(stored(repair, datetime.now(UTC)))
    served.app.state.desk.look()
    shown = ask("/sites/shop.example/layouts/2").text
    assert "goes on without: price" in shown
    row = shown.partition("<tr><td>price</td>")[2].partition("</tr>")[0]
    assert "<code>td.price</code>" in row
    assert "left out" in row
    assert "goes on without: price" in ask("/sites/shop.example").text
