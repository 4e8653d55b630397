"""Makes a planner from its name, built-in ones and plug-ins alike."""

from __future__ import annotations

from datetime import timedelta

from haenyeo.model.parts import Goal, RevisitPlanner
from haenyeo.model.registry import NO_OPTIONS, Options, configured_part


def make_planner(
    name: str = "default",
    *,
    per_day: float,
    goal: Goal = "fresh",
    max_age: timedelta | None = None,
    parts: Options = NO_OPTIONS,
) -> RevisitPlanner:
    """A new planner that spends `per_day` requests on fresh copies or on capturing versions.

    `parts` has the options of planners by name, as the settings have them. Raises `UnknownPartError` when there is no
    planner of this name, `UsageError` when a setting makes no sense.

    >>> planner = make_planner("uniform", per_day=24)
    >>> planner.add(["https://a.example/1", "https://a.example/2"], ["a.example", "a.example"], now=0)
    >>> planner.due(now=3600, limit=1)
    ['https://a.example/1']
    """
    planner: RevisitPlanner = configured_part("planners", name, parts)(per_day=per_day, goal=goal, max_age=max_age)
    return planner
