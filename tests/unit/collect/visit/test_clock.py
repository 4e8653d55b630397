from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from haenyeo.collect.visit.clock import Clock, SteadyClock, parse_clock
from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Hop, Outcome

URL = Url("https://a.example/")


def answer() -> Answer:
    hop = Hop(url=URL, status=200, at=datetime.now(UTC))
    return Answer(url=URL, final_url=URL, outcome=Outcome.PAGE, status=200, hops=(hop,))


def test_the_real_clock_changes_nothing() -> None:
    came = answer()
    assert Clock().stamped(came) is came
    assert abs(parse_clock("").now() - time.time()) < 5


def test_a_turned_clock_stamps_answers_with_its_own_time() -> None:
    stamped = Clock(lambda: 86_400.0).stamped(answer())
    assert stamped.hops[-1].at == datetime(1970, 1, 2, tzinfo=UTC)


def test_a_written_clock_runs_at_its_speed() -> None:
    clock = parse_clock(f"1000@{time.time() - 10}*60")
    assert 1600 <= clock.now() < 1900
    assert clock.real_seconds(120) == 2


@pytest.mark.parametrize("text", ["now", "1@2", "1@2*0", "1@2*-3", "1@2*x", "1@2*3*4", "@*"])
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_clock(text)


class Wall:
    """A clock on the wall, and seconds that pass whatever it shows."""

    def __init__(self) -> None:
        self.shown = self.passed = 1000.0

    def wait(self, seconds: float) -> None:
        self.shown += seconds
        self.passed += seconds


@pytest.mark.parametrize("jump", [86_400.0, -3600.0])
def test_a_steady_clock_goes_on_evenly_when_the_other_is_set(jump: float) -> None:
    wall = Wall()
    clock = SteadyClock(Clock(lambda: wall.shown), lambda: wall.passed)
    wall.wait(5)
    wall.shown += jump
    wall.wait(5)
    assert clock.now() == 1010
    assert clock.behind() == jump
    clock.set()
    assert clock.now() == wall.shown
    assert clock.behind() == 0


def test_a_steady_clock_goes_at_the_speed_of_the_other() -> None:
    wall = Wall()
    clock = SteadyClock(Clock(lambda: 50 + (wall.shown - 1000) * 60, 60.0), lambda: wall.passed)
    wall.wait(2)
    assert clock.now() == 170
    wall.shown += 10
    assert clock.behind() == 10
