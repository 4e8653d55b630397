from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from haenyeo.collect.adapters.watching.changes import ContentChanged, stored
from haenyeo.collect.adapters.watching.watchlist import Standing, Watchlist, watched_page
from haenyeo.model.pages import Url
from haenyeo.model.visits import Outcome
from haenyeo.store import Store
from haenyeo.web.queries.watched import under_watch

LIST, OTHER = Url("https://shop.example/list"), Url("https://a.example/0")
NOW = datetime(2025, 3, 1, tzinfo=UTC)


@pytest.fixture
def watching(shop: Path) -> Path:
    """The shop's list under watch, visited once; a page that is not under watch changes too."""
    with Store.open(shop, writing=True) as store:
        page = watched_page(LIST, (), timedelta(hours=6), 1, NOW)
        standing = Standing(url=LIST, outcome=Outcome.PAGE, status=200, at=NOW, since=NOW)
        Watchlist(store).put(msgspec.structs.replace(page, standings=(standing,)))
        for url in (OTHER, LIST):
            change = ContentChanged(url=url, site="s", share=0.1, lines=1, added=("A net bag",))
            store.add_event(stored(change, NOW))
    return shop


def test_what_is_under_watch_is_told_with_its_rules_and_changes(watching: Path) -> None:
    with Store.open(watching, writing=False) as store:
        found = under_watch(store, list(store.events()))
    [address] = found.addresses
    assert (address.url, address.state, address.alarm) == (LIST, "rule broken, repair proposed", True)
    assert [rule.name for rule in address.rules] == ["goods"]
    newest, layout = found.changes
    assert (newest.kind, newest.details, newest.compared) == ("content", ["+ A net bag"], True)
    assert layout.kind == "layout"


def test_nothing_is_told_of_what_is_not_under_watch(shop: Path) -> None:
    with Store.open(shop, writing=False) as store:
        found = under_watch(store, list(store.events()))
    assert (list(found.addresses), list(found.changes)) == ([], [])
