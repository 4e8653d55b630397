"""How many visits a crawl has under way."""

from haenyeo.collect.crawl.loop import FEWEST_AT_ONCE, VISITS_PER_SLOT, at_once


def test_a_crawl_for_few_pages_begins_with_few_visits_at_a_time() -> None:
    assert at_once(0) == FEWEST_AT_ONCE


def test_the_more_it_has_seen_the_more_it_asks_at_a_time() -> None:
    assert at_once(VISITS_PER_SLOT - 1) == FEWEST_AT_ONCE
    assert at_once(100 * VISITS_PER_SLOT) == FEWEST_AT_ONCE + 100
