from __future__ import annotations

from haenyeo.collect.service.signals import DAY, HOUR, LONGEST_CYCLE, SHORTEST_CYCLE, Signals
from haenyeo.model.pages import Url
from haenyeo.model.visits import Found
from haenyeo.store import PageVisit

MAP = "https://a.example/sitemap.xml"


def visit(url: str, at: float, found: Found, *, listing: bool = False) -> PageVisit:
    return PageVisit(1, Url(url), "a.example", at, found, not listing, listing)


def test_a_listing_is_due_after_its_cycle_and_more_often_when_it_brings_news() -> None:
    signals = Signals()
    signals.take_listing(visit(MAP, 0, Found.NEW, listing=True))
    assert signals.listings_due(0.9 * DAY, 5) == []
    assert signals.listings_due(DAY, 5) == [MAP]
    signals.take_listing(visit(MAP, DAY, Found.CHANGED, listing=True))
    assert signals.listings_due(1.5 * DAY, 5) == [MAP]


def test_cycles_stay_between_an_hour_and_a_week() -> None:
    signals = Signals()
    for found, bound in ((Found.CHANGED, SHORTEST_CYCLE), (Found.NOT_MODIFIED, LONGEST_CYCLE)):
        for at in range(40):
            signals.take_listing(visit(MAP, at * HOUR, found, listing=True))
        assert signals.state.listings[MAP].cycle == bound


def test_a_listing_that_is_gone_is_asked_no_more() -> None:
    signals = Signals()
    signals.take_listing(visit(MAP, 0, Found.NEW, listing=True))
    signals.take_listing(visit(MAP, DAY, Found.GONE, listing=True))
    assert signals.listings_due(90 * DAY, 5) == []


def test_a_listing_that_was_asked_for_in_vain_waits_for_its_next_cycle() -> None:
    signals = Signals()
    signals.take_listing(visit(MAP, 0, Found.NEW, listing=True))
    signals.asked(MAP, 2 * DAY)
    assert signals.listings_due(2.5 * DAY, 5) == []
    signals.asked(MAP, 3 * DAY, gone=True)
    assert MAP not in signals


def test_a_site_earns_trust_by_claims_that_turn_out_right() -> None:
    signals = Signals()
    assert signals.claim(["https://a.example/1", "https://a.example/2"], "a.example") == 0.5
    signals.take_page(visit("https://a.example/1", 1, Found.CHANGED))
    assert signals.claim([], "a.example") > 0.6
    signals.take_page(visit("https://a.example/2", 1, Found.SAME_TEXT))
    assert signals.claim([], "a.example") == 0.5


def test_only_claimed_pages_and_telling_visits_count() -> None:
    signals = Signals()
    signals.claim(["https://a.example/1"], "a.example")
    signals.take_page(visit("https://a.example/other", 1, Found.CHANGED))
    assert signals.claim([], "a.example") == 0.5


def test_a_listing_visited_by_a_clock_that_was_years_ahead_is_due() -> None:
    signals = Signals()
    signals.take_listing(visit(MAP, 1e9, Found.NEW, listing=True))
    assert signals.listings_due(1e6, 9) == [MAP]
    signals.asked(MAP, 1e6)
    assert signals.listings_due(1e6 + 1, 9) == []


def claimed(signals: Signals, list_url: str, count: int, found: Found) -> None:
    """A list claims so many pages, and visits find this."""
    for number in range(count):
        page = f"https://a.example/item/{number}"
        signals.claim_by_list([page], list_url)
        signals.take_page(visit(page, number, found))


def unclaimed(signals: Signals, changed: int, same: int) -> None:
    for number in range(changed + same):
        found = Found.CHANGED if number < changed else Found.NOT_MODIFIED
        signals.take_page(visit(f"https://a.example/other/{number}", number, found))


LIST = "https://a.example/list?page=1"


def test_a_list_is_believed_once_its_claims_are_right_more_often_than_chance() -> None:
    signals = Signals()
    unclaimed(signals, 10, 40)
    assert signals.claim_by_list([], LIST) == 0
    claimed(signals, LIST, 8, Found.CHANGED)
    assert signals.claim_by_list([], LIST) > 0.5
    assert signals.claim_by_list([], "https://a.example/list?page=7") > 0.5  # of the same kind


def test_claims_that_are_right_no_more_often_than_chance_are_not_believed() -> None:
    signals = Signals()
    unclaimed(signals, 40, 40)
    claimed(signals, LIST, 10, Found.CHANGED)
    claimed(signals, LIST, 10, Found.SAME_TEXT)
    assert signals.claim_by_list([], LIST) == 0


def test_a_list_that_proved_its_worth_is_visited_on_a_cycle_until_it_is_gone() -> None:
    signals = Signals()
    unclaimed(signals, 10, 40)
    claimed(signals, LIST, 8, Found.CHANGED)
    assert LIST not in signals
    assert signals.listings_due(10 * 86_400.0, 9) == [LIST]
    signals.take_page(visit(LIST, 10 * 86_400.0, Found.CHANGED))
    assert signals.listings_due(10 * 86_400.0 + 3600, 9) == []
    assert signals.listings_due(10 * 86_400.0 + 43_200, 9) == [LIST]
    signals.forget(LIST)
    assert signals.listings_due(99 * 86_400.0, 9) == []
