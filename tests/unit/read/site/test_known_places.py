from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.read.site.known_places import NO_PLACES, UNKNOWN, KnownPlaces

PATHS = st.lists(st.text(max_size=8), unique=True, max_size=10)


@given(paths=PATHS, other=st.text(min_size=9, max_size=12))
def test_every_place_is_found_with_its_own_values(paths: list[str], other: str) -> None:
    values = np.arange(3 * len(paths), dtype=np.float64).reshape(3, len(paths))
    signs = np.zeros((4, len(paths)), np.bool_)
    signs[0, ::2] = True
    places = KnownPlaces(paths, values, signs)
    assert len(places) == len(paths)
    for number, path in enumerate(paths):
        found = places.number(path)
        assert (places.new[found], places.every[found], places.share[found]) == tuple(values[:, number])
        assert places.has_template[found] == (number % 2 == 0)
    assert places.number(other) == UNKNOWN


def test_of_an_unknown_place_nothing_is_known_but_that_it_may_have_templates() -> None:
    assert np.isnan(NO_PLACES.new[UNKNOWN])
    assert np.isnan(NO_PLACES.every[UNKNOWN])
    assert NO_PLACES.share[UNKNOWN] == 1
    assert NO_PLACES.has_template[UNKNOWN]
    assert not NO_PLACES.for_comments[UNKNOWN]
