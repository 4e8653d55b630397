from __future__ import annotations

import numpy as np
import pytest

from haenyeo import make_planner
from haenyeo.refresh.columns import pack, unpack
from haenyeo.refresh.replay import HOUR
from haenyeo.refresh.tide.trust import PlaceTrust

MONDAY = 1_700_438_400
PARENTS = np.array([0, 1, 1, 3])  # the pool, a site, a section of it, another site


def trust() -> PlaceTrust:
    made = PlaceTrust()
    made.add_rows(len(PARENTS))
    made.refresh(PARENTS)
    return made


def learn(made: PlaceTrust, row: int, expected: float, found: int) -> None:
    rows = np.full(100, row)
    made.learn(rows, PARENTS[rows], np.full(100, expected / 100), np.arange(100) < found)
    made.refresh(PARENTS)


def test_the_planner_is_believed_until_visits_say_otherwise() -> None:
    assert trust().of(np.arange(4)).tolist() == [1, 1, 1, 1]


def test_a_place_of_which_too_much_was_expected_is_believed_less() -> None:
    made = trust()
    learn(made, 3, expected=50, found=5)
    assert made.of(np.array([1, 3])).tolist() == pytest.approx([1, 10 / 55])


def test_a_section_leans_on_its_site() -> None:
    made = trust()
    learn(made, 1, expected=45, found=20)
    site, section = made.of(np.array([1, 2])).tolist()
    assert (site, section) == (pytest.approx(0.5), pytest.approx(0.5))
    learn(made, 2, expected=90, found=95)
    assert made.of(np.array([2]))[0] > 0.9


def test_what_was_seen_long_ago_counts_no_more() -> None:
    made = trust()
    learn(made, 3, expected=50, found=5)
    made.fade(24 * 600)
    made.refresh(PARENTS)
    assert made.of(np.array([3]))[0] > 0.99


def test_strangers_in_the_pool_say_nothing_about_each_other() -> None:
    made = trust()
    learn(made, 0, expected=50, found=0)
    assert made.of(np.array([0])).tolist() == [1]


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
