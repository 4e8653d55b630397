from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.refresh.choosing import NOT_NOW, most_urgent

URGENCIES = st.lists(st.one_of(st.integers(0, 5).map(float), st.just(NOT_NOW)), max_size=40)


@given(urgencies=URGENCIES, limit=st.integers(0, 50))
def test_the_most_urgent_come_first_and_of_equals_the_lower_number(urgencies: list[float], limit: int) -> None:
    pages = [number for number, urgency in enumerate(urgencies) if urgency > NOT_NOW]
    expected = sorted(pages, key=lambda number: (-urgencies[number], number))[:limit]
    assert most_urgent(np.array(urgencies), limit).tolist() == expected
