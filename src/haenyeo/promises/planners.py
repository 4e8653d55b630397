"""What every planner promises; the socket is `haenyeo.model.parts.RevisitPlanner`.

A planner is made with `per_day=`, `goal=` and `max_age=`.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haenyeo.model.errors import StoreError, UsageError
from haenyeo.model.parts import RevisitPlanner

_MONDAY = 1_700_438_400
_HOUR, _DAY = 3600, 86400
_FEW = settings(max_examples=max(1, settings().max_examples // 5), deadline=None)
_ODD = ["https://한국.example/글?번호=1", "https://a.example", "x:", "", "https://a.example/\udc80"]


def _urls(count: int, site: str = "a.example") -> list[str]:
    return [f"https://{site}/docs/{number}" for number in range(count)]


def _filled(part: Any, count: int = 40, **settings_: Any) -> RevisitPlanner:
    planner: RevisitPlanner = part(per_day=count, **settings_)
    planner.add(_urls(count), ["a.example"] * count, _MONDAY)
    return planner


def _lived(part: Any, weeks: int = 6) -> RevisitPlanner:
    """A planner that has seen every fourth page change daily for some weeks."""
    planner = _filled(part)
    for hour in range(6, weeks * 7 * 24, 6):
        due = planner.due(_MONDAY + hour * _HOUR, 10)
        planner.observe(due, _MONDAY + hour * _HOUR, [int(url.rsplit("/", 1)[1]) % 4 == 0 for url in due])
    return planner


class PlannerPromises:
    """For planners: when pages are worth another look."""

    def test_due_names_different_known_pages_up_to_the_limit(self, part: Any) -> None:
        due = _filled(part).due(_MONDAY + 60 * _DAY, 7)
        assert len(due) == len(set(due)) == 7
        assert set(due) <= set(_urls(40))

    def test_asking_what_is_due_changes_nothing(self, part: Any) -> None:
        planner, now = _lived(part), _MONDAY + 60 * _DAY
        before = planner.dump()
        first = planner.due(now, 7)
        assert planner.due(now, 7) == first
        assert planner.due(now, 40)[:7] == first
        planner.last_visits(_urls(3))
        planner.chances(now)
        assert planner.planned() == 40
        assert planner.due(now, 7) == first
        again: RevisitPlanner = part(per_day=40)
        again.load(before)
        assert again.due(now, 7) == first

    def test_equal_lives_give_equal_plans(self, part: Any) -> None:
        one, other = _lived(part, weeks=3), _lived(part, weeks=3)
        assert one.dump() == other.dump()
        assert one.due(_MONDAY + 30 * _DAY, 40) == other.due(_MONDAY + 30 * _DAY, 40)

    def test_a_page_visited_now_is_not_due_now(self, part: Any) -> None:
        planner, now = _filled(part), _MONDAY + 60 * _DAY
        first = planner.due(now, 15)
        planner.observe(first, now, [True] * 15)
        assert planner.last_visits(first) == [now] * 15
        assert not set(first) & set(planner.due(now, 40))

    def test_nothing_is_due_of_nothing_and_with_no_budget(self, part: Any) -> None:
        assert part(per_day=0).due(_MONDAY, 10) == []
        assert _filled(part).due(_MONDAY + _DAY, 0) == []

    def test_every_page_is_due_some_day(self, part: Any) -> None:
        planner, seen = _lived(part), set()
        for day in range(60, 160):
            due = planner.due(_MONDAY + day * _DAY, 10)
            planner.observe(due, _MONDAY + day * _DAY, [False] * len(due))
            seen.update(due)
        assert seen == set(_urls(40))

    def test_retired_pages_are_never_due_until_they_come_back(self, part: Any) -> None:
        planner, gone = _filled(part), _urls(40)[:30]
        planner.retire(gone)
        assert planner.planned() == 10
        assert not set(gone) & set(planner.due(_MONDAY + 90 * _DAY, 40))
        planner.add(gone[:1], ["a.example"], _MONDAY + 90 * _DAY)
        assert gone[0] in planner.due(_MONDAY + 180 * _DAY, 40)

    def test_pages_at_rest_are_not_due_until_it_is_over(self, part: Any) -> None:
        planner, now = _filled(part), _MONDAY + 60 * _DAY
        planner.rest(_urls(30), now + 5 * _DAY)
        assert not set(_urls(30)) & set(planner.due(now + _DAY, 40))
        assert set(_urls(40)) == set(planner.due(now + 60 * _DAY, 40))

    def test_it_goes_on_where_its_state_was_kept(self, part: Any) -> None:
        planner, copy = _lived(part), part(per_day=40)
        copy.load(planner.dump())
        assert copy.dump() == planner.dump()
        for hour in range(6 * 7 * 24, 6 * 7 * 24 + 72):
            now = _MONDAY + hour * _HOUR
            due = planner.due(now, 3)
            assert due == copy.due(now, 3)
            for each in (planner, copy):
                each.observe(due, now, [True] * len(due))

    def test_state_that_is_damaged_or_anothers_is_refused(self, part: Any) -> None:
        state = _filled(part).dump()
        for data in (b"", b"nothing", state[:-5], state.replace(b"planner", b"plannet", 1), b"\xc1" * 30):
            with pytest.raises(StoreError):
                part(per_day=1).load(data)

    def test_state_of_which_something_is_missing_is_refused(self, part: Any) -> None:
        state = _filled(part).dump()
        with pytest.raises(StoreError):
            part(per_day=1).load(state.replace(b"visited", b"visites"))

    def test_no_page_waits_longer_than_the_maximal_age(self, part: Any) -> None:
        planner = _filled(part, max_age=timedelta(days=3))
        last = dict.fromkeys(_urls(40), _MONDAY)
        for hour in range(1, 24 * 12):
            now = _MONDAY + hour * _HOUR
            due = planner.due(now, 2)
            planner.observe(due, now, [False] * len(due))
            last.update(dict.fromkeys(due, now))
            assert now - min(last.values()) <= 4 * _DAY

    @_FEW
    @given(jumps=st.lists(st.integers(-400 * _DAY, 400 * _DAY), min_size=1, max_size=6))
    def test_clocks_may_jump_in_either_direction(self, part: Any, jumps: list[int]) -> None:
        planner, now = _filled(part), _MONDAY + 900 * _DAY
        for jump in jumps:
            now = max(0, now + jump)
            due = planner.due(now, 5)
            planner.observe(due, now, [True] * len(due))
            assert len(due) == len(set(due)) <= 5
        assert planner.due(now + 365 * _DAY, 40)

    def test_a_rest_ordered_by_a_clock_that_was_years_ahead_is_not_kept(self, part: Any) -> None:
        planner = _filled(part, 1)
        planner.rest(_urls(1), _MONDAY + 3650 * _DAY)
        assert planner.due(_MONDAY + 60 * _DAY, 1) == _urls(1)

    @_FEW
    @given(chance=st.floats(0, 1), known=st.integers(0, 40))
    def test_a_hint_never_hides_a_page(self, part: Any, chance: float, known: int) -> None:
        planner = _filled(part)
        planner.hint([*_urls(known), "https://b.example/never-met"], chance)
        assert set(planner.due(_MONDAY + 90 * _DAY, 100)) == set(_urls(40))

    def test_unknown_pages_and_repeats_are_taken_calmly(self, part: Any) -> None:
        planner = _filled(part)
        planner.add([*_urls(40), *_urls(41), *_urls(41)], ["a.example"] * 122, _MONDAY + _HOUR)
        planner.observe(["https://b.example/", *_urls(3), *_urls(3)], _MONDAY + _DAY, [True] * 7)
        planner.retire(["https://b.example/other"])
        assert planner.last_visits(["https://b.example/none"]) == [None]
        assert len(planner.due(_MONDAY + 90 * _DAY, 100)) == 41

    def test_any_address_comes_back_as_it_was(self, part: Any) -> None:
        planner = part(per_day=1)
        planner.add(_ODD, ["s"] * 5, _MONDAY)
        assert sorted(planner.due(_MONDAY + 60 * _DAY, 9)) == sorted(_ODD)

    def test_chances_are_between_0_and_1_if_they_are_known(self, part: Any) -> None:
        chances = _lived(part, weeks=2).chances(_MONDAY + 20 * _DAY)
        assert chances is None or ((chances >= 0) & (chances <= 1)).all()

    def test_settings_that_make_no_sense_are_refused(self, part: Any) -> None:
        for wrong in ({"per_day": -1}, {"per_day": float("nan")}, {"goal": "x"}, {"max_age": timedelta(0)}):
            with pytest.raises(UsageError):
                part(**{"per_day": 1, **wrong})
