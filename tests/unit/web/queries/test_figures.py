from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np

from haenyeo.store.columns import OUTCOMES, PAGE, VISIT, Rows
from haenyeo.web.queries import figures

NOW = datetime(2026, 11, 16, 12, 30, tzinfo=UTC)  # a Monday
NOW_US = int(NOW.timestamp() * 1_000_000)


def pages(*kept: bool, site: int = 1) -> Rows:
    table = np.zeros(len(kept), PAGE)
    table["id"], table["kept"], table["asked"], table["fetched"] = np.arange(1, len(kept) + 1), kept, True, True
    table["site"], table["last_us"], table["outcome"] = site, NOW_US, OUTCOMES.index("page")
    return table


def visits(refs: list[int], changed: int = -1, at: datetime = NOW) -> Rows:
    table = np.zeros(len(refs), VISIT)
    table["page"], table["ref"] = np.arange(1, len(refs) + 1), refs
    table["changed"], table["at_us"] = changed, int(at.timestamp() * 1_000_000)
    return table


def test_the_harvest_curve_counts_kept_among_fetched() -> None:
    assert figures.harvest(pages(True, False, True)) == [(0, 0), (1, 1), (2, 1), (3, 2)]
    assert figures.harvest(pages()) == []


def at_depths(table: Rows, *depths: int) -> Rows:
    table["depth"] = depths
    return table


def test_breadth_first_asks_for_all_of_a_depth_before_the_next() -> None:
    table = at_depths(pages(True, True, False, False), 2, 2, 1, 1)
    assert figures.breadth_first(table, np.zeros(0, np.int32)) == [(0, 0), (1, 0), (2, 0), (3, 1), (4, 2)]


def test_links_that_were_passed_over_take_their_turns_and_lead_on_to_pages_that_nobody_knows() -> None:
    table = at_depths(pages(*[True] * 9, False), 0, *[1] * 4, *[2] * 5)
    none, some = np.zeros(0, np.int32), np.ones(4, np.int32)
    assert figures.breadth_first(table, none)[-1] == (10, 9)
    assert figures.breadth_first(table, some)[-1] == (10, 5), "four of eight at depth 1, and hardly any at depth 2"


def test_a_crawl_that_keeps_everything_is_as_good_as_breadth_first() -> None:
    table = at_depths(pages(True, True), 0, 1)
    assert figures.breadth_first(table, np.ones(50, np.int32)) == figures.harvest(table)


def test_rates_are_by_minute() -> None:
    minutes = figures.by_minute(visits([0, 1], at=NOW - timedelta(minutes=2, seconds=5)), NOW)
    assert len(minutes) == 60
    assert minutes[-3] == 2
    assert sum(minutes) == 2


def test_sites_are_counted_and_ordered_by_what_was_kept() -> None:
    table = np.concatenate([pages(True, site=1), pages(True, True, site=2)])
    found = figures.by_site(table, {1: "a", 2: "b", 3: "c", 4: "d"}, np.array([3, 3, 1], np.uint32))
    assert [(site.site, site.kept, site.waiting) for site in found] == [("b", 2, 0), ("a", 1, 1), ("c", 0, 2)]


def test_a_change_on_monday_noon_lies_there() -> None:
    table = figures.week(visits([0], changed=1))
    assert table[0, 12] == 1
    assert table.sum() == 1


def test_ages_are_of_kept_pages_only() -> None:
    assert figures.ages(pages(True, False), NOW)[0] == ("within the hour", 1)
