from __future__ import annotations

from haenyeo.collect.revisits.signals import DAY, HOUR, LONGEST_CYCLE, SHORTEST_CYCLE, Signals
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
