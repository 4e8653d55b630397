"""Makes a planner from its name, built-in ones and plug-ins alike."""

from __future__ import annotations

import math
from datetime import timedelta
from inspect import signature

from haenyeo.model.parts import Goal, RevisitPlanner
from haenyeo.model.registry import NO_OPTIONS, Options, configured_part


def make_planner(
    name: str = "default",
    *,
    per_day: float = math.inf,
    goal: Goal = "fresh",
    max_age: timedelta | None = None,
    fresh: float | None = None,
    parts: Options = NO_OPTIONS,
) -> RevisitPlanner:
    """A new planner that spends `per_day` requests on fresh copies or on capturing versions.

    With `fresh`, such as 0.97, it makes as few requests as this share of fresh copies needs, if it is of a kind that
    knows how fresh its copies are; `per_day` is then the most it may make. `parts` has the options of planners by name,
    as the settings have them.

    Raises `UnknownPartError` when there is no planner of this name, `UsageError` when a setting makes no sense.

    >>> planner = make_planner("uniform", per_day=24)
    >>> planner.add(["https://a.example/1", "https://a.example/2"], ["a.example", "a.example"], now=0)
    >>> planner.due(now=3600, limit=1)
    ['https://a.example/1']
    """
    part = configured_part("planners", name, parts)
    thrifty = {"fresh": fresh} if fresh is not None and "fresh" in signature(part).parameters else {}
    planner: RevisitPlanner = part(per_day=per_day, goal=goal, max_age=max_age, **thrifty)
    return planner
