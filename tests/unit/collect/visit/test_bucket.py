from __future__ import annotations

import pytest

from haenyeo.collect.visit.bucket import DAY, Bucket

NOW = 1_700_000_000.0


def test_requests_come_evenly_through_the_day() -> None:
    bucket = Bucket(per_day=240)
    assert bucket.available(NOW) == 0
    assert bucket.available(NOW + DAY / 24) == 10
    bucket.spend(10)
    assert bucket.available(NOW + DAY / 24) == 0


def test_a_long_pause_fills_it_with_a_quarter_of_a_day_at_most() -> None:
    bucket = Bucket(per_day=240)
    bucket.available(NOW)
    assert bucket.available(NOW + 30 * DAY) == 60


def test_a_clock_that_is_set_back_adds_nothing_and_stops_nothing() -> None:
    bucket = Bucket(per_day=240)
    bucket.available(NOW)
    assert bucket.available(NOW - 7 * DAY) == 0
    assert bucket.available(NOW - 7 * DAY + DAY / 24) == 10


def test_a_small_budget_saves_up_for_one_request() -> None:
    bucket = Bucket(per_day=0.5)
    bucket.available(NOW)
    assert bucket.available(NOW + DAY) == 0
    assert bucket.seconds_to_one() == pytest.approx(DAY)
    assert bucket.available(NOW + 2 * DAY) == 1


def test_no_budget_never_allows_a_request() -> None:
    bucket = Bucket(per_day=0)
    bucket.fill_first()
    assert bucket.available(NOW) == bucket.available(NOW + 100 * DAY) == 0
    assert bucket.seconds_to_one() == float("inf")
