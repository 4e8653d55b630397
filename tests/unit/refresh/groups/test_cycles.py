from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.refresh.groups.cycles import Cycle, cycles, fine_group, requests_a_day


@given(changes=st.lists(st.floats(0, 60), min_size=1, max_size=20))
def test_pages_that_change_more_often_are_never_visited_less_often(changes: list[float]) -> None:
    found = cycles(np.array(sorted(changes))).tolist()
    assert found == sorted(found)
    assert all(0 <= group < len(Cycle) for group in found)


@given(changes=st.floats(0, 60))
def test_each_of_the_sixteen_groups_belongs_to_one_of_the_six(changes: float) -> None:
    fine, cycle = fine_group(changes), Cycle(int(cycles(np.array([changes]))[0]))
    joined = {"4G1": Cycle.FOUR_WEEKLY, "2G1": Cycle.TWO_WEEKLY, "G1": Cycle.WEEKLY}
    if fine in joined:
        assert cycle is joined[fine]
    else:
        least = {Cycle.THRICE_WEEKLY: 2, Cycle.DAILY: 5, Cycle.TWICE_DAILY: 11}
        assert int(fine[1:]) >= least[cycle]


def test_requests_add_up() -> None:
    assert requests_a_day({}) == 0
    assert requests_a_day({Cycle.DAILY: 7, Cycle.WEEKLY: 7}) == pytest.approx(8)
    assert [cycle.visits_a_week for cycle in Cycle] == sorted(cycle.visits_a_week for cycle in Cycle)
