from __future__ import annotations

import numpy as np
import pytest

from haenyeo import make_planner
from haenyeo.refresh.replay import HOUR
from haenyeo.refresh.tide.scouts import MostUrgent, Scouts

MONDAY = 1_700_438_400
USUAL = np.full(3, 0.01, np.float32)


def scouts() -> Scouts:
    made = Scouts()
    made.add_rows(3, hour=100)
    return made


def test_a_scout_is_worth_more_for_more_siblings_and_with_the_square_of_the_time() -> None:
    worth = [scouts().worth(np.array([50.0, 50.0, 100.0]), USUAL, hour) for hour in (100, 110, 120)]
    assert worth[0].tolist() == [0, 0, 0]
    assert worth[2][1] == pytest.approx(4 * worth[1][1])
    assert worth[1][2] == pytest.approx(2 * worth[1][1])
    assert worth[1][0] == 0, "sites that share a row are strangers"


def test_a_page_alone_needs_no_scout() -> None:
    assert scouts().worth(np.array([9.0, 1.0, 9.0]), USUAL, 200).tolist()[1] == 0


def test_a_visit_to_any_page_of_a_place_is_a_look_at_it() -> None:
    made = scouts()
    made.look(np.array([1]), 150)
    one, other = made.worth(np.array([9.0, 9.0, 9.0]), USUAL, 150)[1:]
    assert (one, other > 0) == (0, True)


def test_pages_that_change_one_by_one_are_worth_fewer_scouts() -> None:
    made = scouts()
    rows = np.array([1] * 10 + [2] * 10)
    for _ in range(20):
        made.learn(rows, np.array([True] + [False] * 9 + [True] * 10))
    alone, together = made.worth(np.array([9.0, 9.0, 9.0]), USUAL, 200)[1:]
    assert together > 5 * alone


def test_the_most_urgent_page_of_each_row_is_found_over_pieces() -> None:
    found = MostUrgent(3)
    found.take(np.array([1, 1, 2]), np.ones(3), np.array([1, 5, 5], np.float32), 0)
    found.take(np.array([1, 2, 2]), np.ones(3), np.array([5, 6, 6], np.float32), 3)
    assert found.pages.tolist() == [-1, 1, 4]
    assert found.sizes.tolist() == [0, 3, 3]


@pytest.mark.parametrize("scouting", [True, False])
def test_a_place_is_not_left_alone_for_days_because_all_its_pages_were_just_visited(
    monkeypatch: pytest.MonkeyPatch, scouting: bool
) -> None:
    """A busy site takes all visits for days after each time that all pages of the other have changed."""
    if not scouting:
        monkeypatch.setattr(Scouts, "worth", lambda _self, sizes, *_: np.zeros(len(sizes)))
    together, busy = ([f"https://{site}.example/{n}" for n in range(40)] for site in ("together", "busy"))
    planner = make_planner("default", per_day=48)
    planner.add([*together, *busy], ["together.example"] * 40 + ["busy.example"] * 40, MONDAY)
    longest, last = 0, 0
    for hour in range(1, 12 * 24):
        now = MONDAY + hour * HOUR
        if hour % 96 == 0:
            planner.observe(together, now, [True] * 40)
            last = hour
        due = planner.due(now, 2)
        planner.observe(due, now, [url in busy and hour % 2 == 0 for url in due])
        if set(due) & set(together):
            last = hour
        longest = max(longest, hour - last if hour > 192 else 0)
    assert (longest <= 12) == scouting
