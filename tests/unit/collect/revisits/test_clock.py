from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from haenyeo.collect.revisits.clock import Clock, parse_clock
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
