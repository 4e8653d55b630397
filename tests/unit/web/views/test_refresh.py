from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]


def test_changes_are_drawn_before_the_planner_has_answered(ask: Ask) -> None:
    shown = ask("/refresh").text
    assert "Changes seen by weekday and hour" in shown
    assert "Most changes were seen on" in shown
