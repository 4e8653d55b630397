"""What every revisit planner promises, built-in or plug-in."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haenyeo import make_planner
from haenyeo.model.errors import StoreError, UnknownPartError, UsageError
from haenyeo.model.parts import RevisitPlanner
from haenyeo.model.registry import names

MONDAY = 1_700_438_400
HOUR, DAY = 3600, 86400
PLANNERS = names("planners")


def urls(count: int, site: str = "a.example") -> list[str]:
    return [f"https://{site}/docs/{number}" for number in range(count)]


def filled(name: str, count: int = 40) -> RevisitPlanner:
    planner = make_planner(name, per_day=count)
    planner.add(urls(count), ["a.example"] * count, MONDAY)
    return planner


def lived(name: str, weeks: int = 6) -> RevisitPlanner:
    """A planner that has seen every fourth page change daily for some weeks."""
    planner = filled(name)
    for hour in range(6, weeks * 7 * 24, 6):
        due = planner.due(MONDAY + hour * HOUR, 10)
        planner.observe(due, MONDAY + hour * HOUR, [int(url.rsplit("/", 1)[1]) % 4 == 0 for url in due])
    return planner


@pytest.mark.parametrize("name", PLANNERS)
def test_due_names_different_known_pages_up_to_the_limit(name: str) -> None:
    due = filled(name).due(MONDAY + 60 * DAY, 7)
    assert len(due) == len(set(due)) == 7
    assert set(due) <= set(urls(40))


@pytest.mark.parametrize("name", PLANNERS)
def test_a_page_visited_now_is_not_due_now(name: str) -> None:
    planner, now = filled(name), MONDAY + 60 * DAY
    first = planner.due(now, 15)
    planner.observe(first, now, [True] * 15)
    assert not set(first) & set(planner.due(now, 40))


@pytest.mark.parametrize("name", PLANNERS)
def test_nothing_is_due_of_nothing_and_with_no_budget(name: str) -> None:
    assert make_planner(name, per_day=0).due(MONDAY, 10) == []
    assert filled(name).due(MONDAY + DAY, 0) == []


@pytest.mark.parametrize("name", PLANNERS)
def test_every_page_is_due_some_day(name: str) -> None:
    planner, seen = lived(name), set()
    for day in range(60, 160):
        due = planner.due(MONDAY + day * DAY, 10)
        planner.observe(due, MONDAY + day * DAY, [False] * len(due))
        seen.update(due)
    assert seen == set(urls(40))


@pytest.mark.parametrize("name", PLANNERS)
def test_retired_pages_are_never_due_until_they_come_back(name: str) -> None:
    planner, gone = filled(name), urls(40)[:30]
    planner.retire(gone)
    assert not set(gone) & set(planner.due(MONDAY + 90 * DAY, 40))
    planner.add(gone[:1], ["a.example"], MONDAY + 90 * DAY)
    assert gone[0] in planner.due(MONDAY + 180 * DAY, 40)


@pytest.mark.parametrize("name", PLANNERS)
def test_a_planner_goes_on_where_its_state_was_kept(name: str) -> None:
    planner, copy = lived(name), make_planner(name, per_day=40)
    copy.load(planner.dump())
    for hour in range(6 * 7 * 24, 6 * 7 * 24 + 72):
        now = MONDAY + hour * HOUR
        due = planner.due(now, 3)
        assert due == copy.due(now, 3)
        for each in (planner, copy):
            each.observe(due, now, [True] * len(due))


@pytest.mark.parametrize("name", PLANNERS)
def test_state_that_is_damaged_or_anothers_is_refused(name: str) -> None:
    other = next(each for each in PLANNERS if each != name)
    for data in (b"", b"nothing", filled(name).dump()[:-5], filled(other).dump()):
        with pytest.raises(StoreError):
            make_planner(name, per_day=1).load(data)


@pytest.mark.parametrize("name", PLANNERS)
def test_no_page_waits_longer_than_the_maximal_age(name: str) -> None:
    planner = make_planner(name, per_day=40, max_age=timedelta(days=3))
    planner.add(urls(40), ["a.example"] * 40, MONDAY)
    last = dict.fromkeys(urls(40), MONDAY)
    for hour in range(1, 24 * 12):
        now = MONDAY + hour * HOUR
        due = planner.due(now, 2)
        planner.observe(due, now, [False] * len(due))
        last.update(dict.fromkeys(due, now))
        assert now - min(last.values()) <= 4 * DAY


@pytest.mark.parametrize("name", PLANNERS)
@settings(max_examples=settings().max_examples // 5)
@given(jumps=st.lists(st.integers(-400 * DAY, 400 * DAY), min_size=1, max_size=6))
def test_clocks_may_jump_in_either_direction(name: str, jumps: list[int]) -> None:
    planner, now = filled(name), MONDAY + 900 * DAY
    for jump in jumps:
        now = max(0, now + jump)
        due = planner.due(now, 5)
        planner.observe(due, now, [True] * len(due))
        assert len(due) == len(set(due)) <= 5
    assert planner.due(now + 365 * DAY, 40)


@pytest.mark.parametrize("name", PLANNERS)
def test_a_rest_ordered_by_a_clock_that_was_years_ahead_is_not_kept(name: str) -> None:
    planner = filled(name, 1)
    planner.rest(urls(1), MONDAY + 3650 * DAY)
    assert planner.due(MONDAY + 60 * DAY, 1) == urls(1)


@pytest.mark.parametrize("name", PLANNERS)
def test_unknown_pages_and_repeats_are_taken_calmly(name: str) -> None:
    planner = filled(name)
    planner.add([*urls(40), *urls(41), *urls(41)], ["a.example"] * 122, MONDAY + HOUR)
    planner.observe(["https://b.example/", *urls(3), *urls(3)], MONDAY + DAY, [True] * 7)
    planner.retire(["https://b.example/other"])
    assert len(planner.due(MONDAY + 90 * DAY, 100)) == 41


@pytest.mark.parametrize("name", PLANNERS)
def test_any_address_comes_back_as_it_was(name: str) -> None:
    odd = ["https://한국.example/글?번호=1", "https://a.example", "x:", "", "https://a.example/\udc80"]
    planner = make_planner(name, per_day=1)
    planner.add(odd, ["s"] * 5, MONDAY)
    assert sorted(planner.due(MONDAY + 60 * DAY, 9)) == sorted(odd)


@pytest.mark.parametrize(
    "wrong", [{"per_day": -1}, {"per_day": float("nan")}, {"goal": "x"}, {"max_age": timedelta(0)}]
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    for name in PLANNERS:
        with pytest.raises(UsageError):
            make_planner(name, **{"per_day": 1, **wrong})  # type: ignore[arg-type]


def test_an_unknown_planner_is_refused_with_the_known_names() -> None:
    with pytest.raises(UnknownPartError) as error:
        make_planner("tides", per_day=1)
    assert "uniform" in error.value.advice
