from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.refresh.tide.timeline import Timeline

PARENTS = np.array([0, 1, 1])  # the pool, a site, and a section of it
SITE, SECTION = np.array([1]), np.array([2])


def even(hours: npt.NDArray[np.int64]) -> npt.NDArray[np.floating]:
    return np.ones((len(PARENTS), len(hours)), np.float32)


def line(hours: int = 48) -> Timeline:
    timeline = Timeline(0)
    timeline.add_rows(len(PARENTS))
    for hour in range(1, hours + 1):
        timeline.advance(hour)
    timeline.refresh(PARENTS, even)
    return timeline


@given(early=st.integers(0, 47), late=st.integers(0, 47))
def test_more_is_expected_since_an_earlier_hour(early: int, late: int) -> None:
    timeline = line()
    since = timeline.since(np.array([1, 1]), np.array([min(early, late), max(early, late)]))
    assert since[0] >= since[1] >= 0
    assert timeline.since(SITE, np.array([48]))[0] == pytest.approx(0, abs=1e-6)


def test_changes_found_together_make_siblings_suspect() -> None:
    timeline = line()
    before = timeline.since(SITE, np.array([40]))[0]
    rows = np.full(10, 1)
    timeline.learn(rows, rows, np.full(10, 40), np.full(10, 2.0), np.ones(10))
    timeline.refresh(PARENTS, even)
    assert timeline.since(SITE, np.array([40]))[0] > 1.5 * before
    assert timeline.since(SECTION, np.array([40]))[0] > 1.5 * before


def test_visits_that_find_nothing_clear_a_place() -> None:
    timeline = line()
    before = timeline.since(SITE, np.array([40]))[0]
    rows = np.full(10, 1)
    timeline.learn(rows, rows, np.full(10, 40), np.zeros(10), np.ones(10))
    timeline.refresh(PARENTS, even)
    assert timeline.since(SITE, np.array([40]))[0] < before


def test_a_year_takes_some_hundred_stretches() -> None:
    timeline = line(24 * 365)
    edges = timeline.state()["edges"]
    assert len(edges) < 200
    assert (timeline.start, timeline.now) == (0, 24 * 365)
    assert (np.diff(edges) > 0).all()


def test_a_clock_that_was_set_back_does_no_harm() -> None:
    timeline = line()
    timeline.advance(20)
    timeline.refresh(PARENTS, even)
    assert timeline.now == 20
    timeline.advance(30)
    timeline.refresh(PARENTS, even)
    assert timeline.since(SITE, np.array([20]))[0] > 0


def test_hours_can_be_counted_from_a_later_beginning() -> None:
    timeline = line(400)
    before = timeline.since(SITE, np.array([390]))[0]
    timeline.rebase(168)
    timeline.refresh(PARENTS, even)
    assert timeline.now == 400 - 168
    assert timeline.since(SITE, np.array([390 - 168]))[0] == pytest.approx(before, rel=1e-3)


def test_it_goes_on_where_its_state_was_kept() -> None:
    timeline, again = line(), Timeline(0)
    again.restore(timeline.state())
    again.refresh(PARENTS, even)
    hours = np.array([3, 17, 40])
    assert again.since(PARENTS, hours).tolist() == timeline.since(PARENTS, hours).tolist()
