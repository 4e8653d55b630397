"""No site is asked faster than it likes, and no hanging request holds up the rest."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.fetch.pace import (
    LITTLE_PATIENCE,
    LONGEST_BACK_OFF,
    LONGEST_FOR_ONE,
    MOST_HANGING,
    PATIENCE,
    REST_FOR_ONE,
    Pace,
)
from haenyeo.model.config import PaceSettings
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Hop, Outcome

SITE = "reef.example"
ORIGIN = "http://reef.example"


def pace(**settings: Any) -> Pace:
    return Pace(PaceSettings(**settings), random.Random(1))


def answer(status: int = 200, seconds: float = 0.01, retry_after: float | None = None, path: str = "/") -> Answer:
    url = Url(f"http://reef.example{path}")
    hop = Hop(url=url, status=status, at=datetime.now(UTC))
    return Answer(
        url=url,
        final_url=url,
        outcome=Outcome.ERROR if status >= 400 else Outcome.PAGE,
        status=status,
        retry_after=retry_after,
        retryable=status in (429, 503),
        hops=(hop,) if status else (),
        seconds=seconds,
    )


FAILED = answer(0)


def visit(keeper: Pace, now: float, came: Answer) -> float:
    """Ask at `now` and get this answer after the time it took; returns when the server may be asked next."""
    ready_at = keeper.asked(SITE, ORIGIN, now)
    return max(ready_at, keeper.answered(ORIGIN, came, now + came.seconds))


def test_a_site_never_asked_may_be_asked_at_once() -> None:
    assert pace().ready_at(SITE) == 0.0


def test_requests_start_the_settings_delay_apart() -> None:
    keeper = pace(delay=1.5)
    assert keeper.asked(SITE, ORIGIN, 100.0) == keeper.ready_at(SITE) == 101.5
    assert keeper.answered(ORIGIN, answer(), 100.2) <= 100.2


@pytest.mark.parametrize(("asked", "kept"), [(5.0, 5.0), (0.2, 1.0), (600.0, 30.0), (None, 1.0)])
def test_a_crawl_delay_holds_if_it_is_longer_and_up_to_a_limit(asked: float | None, kept: float) -> None:
    keeper = pace(delay=1.0, max_delay=30.0)
    keeper.heed(SITE, asked)
    assert keeper.asked(SITE, ORIGIN, 100.0) == 100.0 + kept


def test_without_delay_a_fast_server_is_not_slowed() -> None:
    keeper = pace(delay=0.0)
    now = 0.0
    for number in range(200):
        came = answer(seconds=0.4 if number % 10 == 0 else 0.001)
        assert visit(keeper, now, came) <= now + came.seconds
        now += came.seconds


def test_a_server_that_is_always_slow_is_not_slowed_further() -> None:
    keeper = pace(delay=0.0)
    assert [visit(keeper, 10.0 * number, answer(seconds=2.0)) for number in range(20)] == [10.0 * n for n in range(20)]


def test_a_server_that_becomes_slow_gets_a_rest_and_recovers() -> None:
    keeper = pace(delay=0.0)
    now = 0.0
    for _ in range(20):
        now = max(visit(keeper, now, answer(seconds=0.2)), now + 0.2)
    rests = []
    for _ in range(6):
        ready = visit(keeper, now, answer(seconds=3.0))
        rests.append(ready - (now + 3.0))
        now = max(ready, now + 3.0)
    assert rests[0] > 0.5
    assert rests == sorted(rests)
    for _ in range(12):
        now = max(visit(keeper, now, answer(seconds=0.2)), now + 0.2)
    assert visit(keeper, now, answer(seconds=0.2)) <= now + 0.2


@pytest.mark.parametrize("status", [429, 503])
def test_push_backs_in_a_row_double_the_wait_with_some_chance(status: int) -> None:
    keeper = pace(delay=0.0)
    waits = [visit(keeper, 1000.0 * number, answer(status, 0.0)) - 1000.0 * number for number in range(12)]
    for number, wait in enumerate(waits):
        least = min(2.0**number, LONGEST_BACK_OFF)
        assert least <= wait <= 1.5 * least
    assert len({wait / 2**number for number, wait in enumerate(waits[:8])}) == 8


def test_a_site_is_never_asked_before_the_time_it_named() -> None:
    keeper = pace(delay=0.0)
    assert visit(keeper, 0.0, answer(429, 0.0, retry_after=3.0)) >= 3.0
    assert visit(keeper, 10.0, answer(503, 0.0, retry_after=LONGEST_FOR_ONE)) >= 10.0 + LONGEST_FOR_ONE


def test_one_address_cannot_put_its_server_to_rest_for_ever_but_two_can() -> None:
    keeper = pace(delay=0.0)
    for now in (0.0, 100.0):
        assert REST_FOR_ONE <= visit(keeper, now, answer(429, 0.0, retry_after=86_400.0)) - now < 2 * REST_FOR_ONE
    assert visit(keeper, 200.0, answer(429, 0.0, retry_after=86_400.0, path="/other")) >= 86_600.0


def test_an_answer_between_shows_that_the_long_wait_is_the_addresss_own() -> None:
    keeper = pace(delay=0.0)
    visit(keeper, 0.0, answer(429, 0.0, retry_after=86_400.0))
    visit(keeper, 100.0, answer(200, 0.0, path="/good"))
    assert visit(keeper, 200.0, answer(429, 0.0, retry_after=86_400.0, path="/other")) < 300.0


def test_after_a_push_back_the_pace_recovers_slowly() -> None:
    keeper = pace(delay=0.0)
    now = visit(keeper, 0.0, answer(429))
    pauses = []
    for _ in range(12):
        ready = max(visit(keeper, now, answer()), now)
        pauses.append(ready - now)
        now = ready
    assert pauses[0] >= 0.4
    assert pauses == sorted(pauses, reverse=True)
    assert pauses[-1] == 0.0


def test_a_shorter_crawl_delay_of_another_server_of_the_site_changes_nothing() -> None:
    keeper = pace(delay=0.0)
    keeper.heed(SITE, 5.0)
    keeper.heed(SITE, None)
    keeper.heed(SITE, 2.0)
    assert keeper.asked(SITE, ORIGIN, 100.0) == 105.0


def test_a_server_that_pushes_back_rests_alone() -> None:
    keeper = pace(delay=1.0)
    keeper.asked(SITE, ORIGIN, 100.0)
    assert keeper.answered(ORIGIN, answer(503, retry_after=60.0), 100.5) >= 160.5
    assert keeper.rests_until("http://www.reef.example") == 0.0
    assert keeper.ready_at(SITE) == 101.0
    assert keeper.ready_at("other.example") == 0.0


def test_patience_shrinks_with_a_site_that_hangs_and_returns_with_an_answer() -> None:
    keeper = pace()
    assert keeper.patience(ORIGIN) == PATIENCE
    assert [keeper.lend(ORIGIN), keeper.patience(ORIGIN)] == [True, PATIENCE]
    assert [keeper.lend(ORIGIN), keeper.patience(ORIGIN)] == [True, LITTLE_PATIENCE]
    keeper.answered(ORIGIN, FAILED, 20.0)
    assert keeper.patience(ORIGIN) == LITTLE_PATIENCE
    keeper.answered(ORIGIN, answer(), 20.0)
    assert keeper.patience(ORIGIN) == PATIENCE


def test_only_so_many_requests_may_hang_at_once() -> None:
    keeper = pace()
    assert [keeper.lend(ORIGIN) for _ in range(MOST_HANGING + 2)] == [True] * MOST_HANGING + [False] * 2
    keeper.give_back(ORIGIN)
    assert [keeper.lend(ORIGIN), keeper.lend(ORIGIN)] == [True, False]


def test_sixteen_silent_links_are_behind_us_within_a_minute() -> None:
    """One request at a time but for lent turns, each silent for the fifteen seconds after which it is given up."""
    keeper = pace(delay=1.0)
    now = 0.0
    hanging: list[float] = []
    started: list[float] = []
    while len(started) < 17:
        now = max(now, keeper.ready_at(SITE))
        keeper.asked(SITE, ORIGIN, now)
        started.append(now)
        now += keeper.patience(ORIGIN)
        while hanging and hanging[0] <= now:
            hanging.pop(0)
            keeper.give_back(ORIGIN)
        while not keeper.lend(ORIGIN):
            now = max(now, hanging.pop(0))
            keeper.give_back(ORIGIN)
        hanging.append(started[-1] + 15.0)
    assert started[16] < 45.0


def test_sites_long_unasked_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("haenyeo.fetch.pace._MOST_KEPT", 10)
    keeper = pace()
    for number in range(100):
        keeper.asked(f"{number}.example", f"http://{number}.example", 1000.0 * number)
    assert len(keeper._sites) <= 11
    assert len(keeper._servers) <= 11


def test_very_many_sites_asked_lately_are_looked_through_now_and_then_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("haenyeo.fetch.pace._MOST_KEPT", 10)
    looked: list[float] = []
    forget = Pace._forget

    def counted(keeper: Pace, now: float) -> None:
        looked.append(now)
        forget(keeper, now)

    monkeypatch.setattr(Pace, "_forget", counted)
    keeper = pace()
    for number in range(100):
        keeper.asked(f"{number}.example", f"http://{number}.example", 1000.0 + number)
    assert looked == [1010.0, 1070.0]


@given(
    st.lists(
        st.tuples(st.sampled_from([0, 200, 404, 429, 503]), st.floats(0, 60), st.none() | st.floats(0, 1e5)),
        max_size=30,
    ),
    st.floats(0, 10),
)
def test_the_next_turn_is_never_before_the_delay_or_the_time_named(
    visits: list[tuple[int, float, float | None]], delay: float
) -> None:
    keeper = pace(delay=delay)
    now = 0.0
    for status, seconds, wait in visits:
        ready = visit(keeper, now, answer(status, seconds, wait if status in (429, 503) else None))
        assert ready >= now + delay
        if status in (429, 503):
            assert ready >= now + seconds + max(1.0, wait if wait and wait <= LONGEST_FOR_ONE else 0.0)
        now = max(ready, now + seconds)


def test_a_crawl_delay_learnt_after_the_first_request_holds_from_that_request_on() -> None:
    pace = Pace(PaceSettings(delay=0.2), random.Random(1))
    pace.asked("a.example", "http://a.example", 100.0)
    pace.heed("a.example", 2.0)
    assert pace.ready_at("a.example") == 102.0
