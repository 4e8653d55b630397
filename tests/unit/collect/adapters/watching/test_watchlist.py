from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from haenyeo.collect.adapters.watching.watchlist import WatchedPage, Watchlist, watched_page
from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome
from haenyeo.store import Store

NOW = datetime(2025, 3, 1, tzinfo=UTC)
SIX_HOURS = timedelta(hours=6)
PAGE = Url("https://a.example/goods")


def page(url: str = PAGE, *queries: str) -> WatchedPage:
    return watched_page(url, queries, SIX_HOURS, 2, NOW)


def answer(outcome: Outcome, status: int, reason: str = "") -> Answer:
    return Answer(url=PAGE, final_url=PAGE, outcome=outcome, status=status, reason=reason)


def test_each_query_of_a_result_list_is_an_address() -> None:
    results = page("https://a.example/s?q={query}", "coral", "net bag", "해녀")
    assert results.addresses[1] == "https://a.example/s?q=net%20bag"
    assert len(results.addresses) == 3


@pytest.mark.parametrize(
    ("url", "queries"),
    [("https://a.example/s?q={query}", ()), ("https://a.example/", ("x",)), ("ftp://a.example/", ())],
)
def test_what_cannot_be_watched_is_refused_with_advice(url: str, queries: tuple[str, ...]) -> None:
    with pytest.raises(UsageError) as caught:
        page(url, *queries)
    assert caught.value.advice


def test_pages_come_back_from_the_store_and_are_due_again_after_their_time(store: Store) -> None:
    Watchlist(store).put(page())
    watchlist = Watchlist(store)
    assert [each.url for each in watchlist.due(NOW)] == [PAGE]
    watchlist.done(page(), NOW)
    assert watchlist.due(NOW + timedelta(hours=5)) == []
    assert len(Watchlist(store).due(NOW + SIX_HOURS)) == 1
    watchlist.remove(page())
    assert list(Watchlist(store)) == []


def test_trouble_is_told_when_it_begins_and_when_it_ends(store: Store) -> None:
    watchlist, watched = Watchlist(store), page()
    for hour, each in enumerate(
        [
            answer(Outcome.PAGE, 200),
            answer(Outcome.ERROR, 503, "503"),
            answer(Outcome.FAILED, 0, "network"),
            answer(Outcome.UNCHANGED, 304),
            answer(Outcome.PAGE, 200),
        ]
    ):
        watched, _ = watchlist.note(watched, PAGE, each, NOW + timedelta(hours=hour))
    assert [event.kind for event in store.events()] == ["trouble", "back"]
    [standing] = watched.standings
    assert standing.since == NOW + timedelta(hours=3)


def test_a_page_planned_by_a_clock_that_was_years_ahead_is_due(store: Store) -> None:
    watchlist = Watchlist(store)
    watchlist.done(page(), NOW + timedelta(days=3650))
    assert [each.url for each in watchlist.due(NOW)] == [PAGE]
