from __future__ import annotations

import numpy as np
import pytest

from haenyeo import make_planner
from haenyeo.refresh.columns import pack, unpack
from haenyeo.refresh.replay import HOUR
from haenyeo.refresh.tide.trust import PlaceTrust, sorts_of

MONDAY = 1_700_438_400
PARENTS = np.array([0, 1, 1, 3])  # the pool, a site, a section of it, another site


def trust() -> PlaceTrust:
    made = PlaceTrust()
    made.add_rows(len(PARENTS))
    made.refresh(PARENTS)
    return made


def learn(made: PlaceTrust, row: int, expected: float, found: int, sort: int = 0) -> None:
    rows = np.full(100, row)
    sorts = np.full(100, sort, np.int8)
    made.learn(rows, PARENTS[rows], sorts, np.full(100, expected / 100), np.arange(100) < found)
    made.refresh(PARENTS)


def factors(made: PlaceTrust, *rows: int, sort: int = 0) -> list[float]:
    found: list[float] = made.of(np.array(rows), np.full(len(rows), sort, np.int8)).tolist()
    return found


def test_the_planner_is_believed_until_visits_say_otherwise() -> None:
    assert factors(trust(), 0, 1, 2, 3) == [1, 1, 1, 1]


def test_a_place_of_which_too_much_was_expected_is_believed_less() -> None:
    made = trust()
    learn(made, 3, expected=50, found=5)
    other, place = factors(made, 1, 3)
    assert place < 0.2
    assert 0.9 < other < 1, "what is found of one sort of pages says a little about it elsewhere"


def test_a_section_leans_on_its_site() -> None:
    made = trust()
    learn(made, 1, expected=45, found=20)
    site, section = factors(made, 1, 2)
    assert 0.4 < site < 0.55
    assert section == pytest.approx(site)
    learn(made, 2, expected=90, found=95)
    assert factors(made, 2)[0] > 0.9


def test_quiet_pages_of_a_place_are_judged_apart_from_its_lively_ones() -> None:
    made = trust()
    learn(made, 3, expected=40, found=10, sort=0)
    learn(made, 3, expected=40, found=70, sort=2)
    assert factors(made, 3, sort=0)[0] < 0.5
    assert factors(made, 3, sort=2)[0] > 1.4
    assert 0.8 < factors(made, 3, sort=1)[0] < 1.2


def test_a_page_is_quiet_until_it_is_seen_to_change_and_lively_for_a_week_after() -> None:
    assert sorts_of(np.array([-1, 0, 900, 999]), 1000).tolist() == [0, 1, 2, 2]
    assert sorts_of(np.array([-1, 5]), 10).tolist() == [0, 2]


def test_what_was_kept_before_pages_were_sorted_is_taken_over() -> None:
    made = trust()
    kept = np.array([0, 0, 0, 60], np.float32)
    made.restore({"expected": kept, "found": kept / 6})
    made.refresh(PARENTS)
    assert all(factors(made, 3, sort=sort)[0] < 0.3 for sort in range(3))


def test_what_was_seen_long_ago_counts_no_more() -> None:
    made = trust()
    learn(made, 3, expected=50, found=5)
    made.fade(24 * 600)
    made.refresh(PARENTS)
    assert factors(made, 3)[0] > 0.99


def test_strangers_in_the_pool_say_nothing_about_each_other() -> None:
    made = trust()
    learn(made, 0, expected=50, found=0)
    assert factors(made, 0) == [1]


def test_a_planner_stops_expecting_changes_where_none_come() -> None:
    """All pages were redone in the first days; since then nothing has changed."""
    planner = make_planner("default", per_day=48)
    urls = [f"https://site.example/{number}" for number in range(200)]
    planner.add(urls, ["site.example"] * len(urls), MONDAY)
    believed = found = 0.0
    for hour in range(1, 24 * 60):
        now = MONDAY + hour * HOUR
        due = planner.due(now, 2)
        if hour > 24 * 30:
            known = planner.chances(now)
            assert known is not None
            chances = dict(zip(urls, known, strict=True))
            believed += sum(1 - chances[url] for url in due)
        changed = [hour < 24 * 4] * len(due)
        planner.observe(due, now, changed)
        found += sum(changed) if hour > 24 * 30 else 0
    assert found == 0
    assert believed < 7, "8.4 without"


def test_what_was_kept_before_there_was_trust_is_taken_over() -> None:
    planner = make_planner("default", per_day=48)
    urls = [f"https://site{number % 3}.example/{number}" for number in range(60)]
    planner.add(urls, [url.split("/")[2] for url in urls], MONDAY)
    planner.observe(urls, MONDAY + HOUR, [False] * len(urls))
    arrays, texts = unpack("default", planner.dump())
    kept = {name: array for name, array in arrays.items() if not name.startswith(("trust.", "scouts."))}
    restored = make_planner("default", per_day=48)
    restored.load(pack("default", kept, texts))
    assert restored.due(MONDAY + 48 * HOUR, 5)
