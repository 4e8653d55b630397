from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.refresh.roster import Roster

NAMES = st.sampled_from([f"https://a.example/{number}" for number in range(8)])


def test_new_pages_are_admitted_once_with_their_own_values() -> None:
    roster = Roster({"visited": np.uint32})
    places = roster.admit(["a", "b", "a"], visited=np.array([1, 2, 3]))
    assert places.tolist() == [0, 1]
    assert roster.admit(["b", "c"], visited=9).tolist() == [1]
    assert roster["visited"].tolist() == [1, 2, 9]
    assert len(roster) == 3


@given(visits=st.lists(st.tuples(NAMES, st.booleans()), max_size=15))
def test_a_page_has_changed_if_any_of_its_visits_says_so(visits: list[tuple[str, bool]]) -> None:
    roster = Roster({})
    known = [f"https://a.example/{number}" for number in range(5)]
    roster.admit(known)
    pages, changed = roster.visited([url for url, _ in visits], [found for _, found in visits])
    told = {url: any(found for other, found in visits if other == url) for url, _ in visits if url in known}
    assert {known[page]: bool(found) for page, found in zip(pages.tolist(), changed, strict=True)} == told


def test_it_goes_on_where_its_state_was_kept() -> None:
    roster, again = Roster({"visited": np.uint32}), Roster({"visited": np.uint32})
    roster.admit(["https://한국.example/글", "x"], visited=7)
    again.restore(*roster.state())
    assert again.addresses.numbers(["x", "https://한국.example/글", "y"]).tolist() == [1, 0, -1]
    assert again["visited"].tolist() == [7, 7]
