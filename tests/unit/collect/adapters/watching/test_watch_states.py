from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from haenyeo.collect.adapters.watching.saved_rules import SavedRule, Version
from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.collect.adapters.watching.watch_states import watched_addresses
from haenyeo.collect.adapters.watching.watchlist import Standing, WatchedPage, watched_page
from haenyeo.model.pages import Url
from haenyeo.model.visits import Outcome
from haenyeo.store import Store
from haenyeo.watch.rules.places.selector import Selector
from haenyeo.watch.rules.rule import Rule

URL = Url("https://shop.example/list")
NOW = datetime(2025, 3, 1, tzinfo=UTC)
BROKE = NOW - timedelta(hours=5)


def page(outcome: Outcome = Outcome.PAGE, reason: str = "") -> WatchedPage:
    standing = Standing(url=URL, outcome=outcome, status=200, reason=reason, at=NOW, since=NOW)
    return WatchedPage(url=URL, added_at=NOW, next_at=NOW, standings=(standing,))


def rule(broken: tuple[str, ...]) -> SavedRule:
    version = Version(rule=Rule(record=Selector(), fields={}), at=NOW, url=URL, why="learned")
    return SavedRule(
        name="list", url=URL, lists=(r"https://shop\.example/list",), versions=(version,), broken=broken, since=BROKE
    )


@pytest.mark.parametrize(("broken", "state"), [((), "ok"), (("no records are found",), "rule broken")])
def test_a_page_whose_rule_is_broken_is_not_ok(store: Store, broken: tuple[str, ...], state: str) -> None:
    shelf = Shelf(store)
    shelf.put(rule(broken))
    [found] = watched_addresses([page()], shelf)
    assert (found.state, found.alarm) == (state, bool(broken))
    assert found.since == (BROKE if broken else NOW)
    assert found.rule_states == (f"rule list: {shelf.for_page(URL)[0].state}",)


def test_a_page_that_does_not_answer_says_why(store: Store) -> None:
    [found] = watched_addresses([page(Outcome.ERROR, "no answer in 30 s")], Shelf(store))
    assert (found.state, found.alarm, found.last_at) == ("no answer in 30 s", True, NOW)


def test_a_list_that_was_not_visited_yet_says_so(store: Store) -> None:
    new = watched_page("https://shop.example/search?q={query}", ["mask", "fins"], timedelta(hours=1), 1, NOW)
    [found] = watched_addresses([new], Shelf(store))
    assert (found.state, found.alarm, found.last_at, found.next_at) == ("not visited yet", False, None, NOW)
