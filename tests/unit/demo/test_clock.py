import time
from datetime import UTC, datetime

import pytest

from haenyeo.demo import DAY, DemoClock


def test_the_clock_stands_still_until_it_is_turned() -> None:
    clock = DemoClock()
    time.sleep(0.01)
    assert clock.now == 0


def test_turning_the_clock_sets_or_moves_it() -> None:
    clock = DemoClock()
    clock.now = 5 * DAY
    clock.advance(-DAY)
    assert clock.now == 4 * DAY


def test_a_running_clock_passes_faster_than_real_time_and_can_be_stopped() -> None:
    clock = DemoClock()
    clock.run(1000)
    time.sleep(0.02)
    clock.run(0)
    stopped = clock.now
    time.sleep(0.01)
    assert stopped >= 20
    assert clock.now == stopped


def test_a_running_clock_can_be_set() -> None:
    clock = DemoClock()
    clock.run(1)
    clock.now = DAY
    assert clock.now == pytest.approx(DAY, abs=60)


def test_zero_is_a_monday() -> None:
    assert DemoClock().moment == datetime(2026, 1, 5, tzinfo=UTC)
    assert DemoClock().moment.weekday() == 0
