"""From settings to a planner with its memory and budget."""

from __future__ import annotations

import re
from datetime import timedelta

from haenyeo.collect.service.memory import Memory
from haenyeo.collect.service.planners import make_planner
from haenyeo.collect.visit.bucket import Bucket
from haenyeo.model.config import Settings
from haenyeo.model.errors import SettingsError, UsageError
from haenyeo.model.parts import RevisitPlanner
from haenyeo.store import Store

_SPAN_DAYS = {"h": 1 / 24, "d": 1.0, "w": 7.0, "": 1.0}
_SPANS_A_DAY = {"": 1.0, "day": 1.0, "d": 1.0, "hour": 24.0, "h": 24.0, "week": 1 / 7, "w": 1 / 7}


def memory_of(store: Store, settings: Settings, per_day: float | None = None, *, fresh: float | None = None) -> Memory:
    """The planner that the settings name, with all that visits so far have taught.

    `per_day` replaces its budget, all of which is spent then, `fresh` the share of copies to keep up to date.
    """
    budget = float(settings.refresh.per_day) if per_day is None else per_day
    name = settings.strategy.planner
    planner = planner_of(settings, budget, wanted_share(settings, per_day) if fresh is None else fresh)
    memory = Memory(store, name, planner, Bucket(budget))
    memory.bucket.made_unnoticed(memory.catch_up())
    return memory


def planner_of(settings: Settings, per_day: float, fresh: float | None = None) -> RevisitPlanner:
    """A new planner as the settings name and set it, with this budget and, if one is given, this wanted freshness."""
    wanted, name = settings.refresh, settings.strategy.planner
    own = {"time_zone": wanted.time_zone, **settings.parts.get(name, {})}
    return make_planner(
        name,
        per_day=per_day,
        goal=wanted.goal,
        max_age=max_age(wanted.max_age),
        fresh=fresh,
        parts={name: own},
    )


def wanted_share(settings: Settings, per_day: float | None = None) -> float | None:
    """The share of copies to keep up to date; None when a budget was named, which is spent then."""
    share = settings.refresh.fresh
    if per_day is not None or share == 0 or settings.refresh.goal == "capture":
        return None
    if not 0 < share < 1:
        raise SettingsError(
            f"haenyeo.toml: $.refresh.fresh is {share}",
            path="$.refresh.fresh",
            advice="write a share between 0 and 1, such as 0.97, or 0 to spend all of per_day",
        )
    return share


def max_age(text: str) -> timedelta | None:
    """The span of `[refresh] max_age`, such as 30d; None for nothing.

    >>> max_age("12h"), max_age("")
    (datetime.timedelta(seconds=43200), None)
    """
    if not text.strip():
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([hdw]?)", text.strip().lower())
    if found is None or not float(found[1]):
        raise SettingsError(
            f"haenyeo.toml: $.refresh.max_age is {text!r}",
            path="$.refresh.max_age",
            advice="write a span such as 12h, 30d or 4w",
        )
    return timedelta(days=float(found[1]) * _SPAN_DAYS[found[2]])


def requests_a_day(text: str) -> float:
    """A budget such as 500/day, 20/hour or 3000/week as requests a day.

    >>> requests_a_day("20/hour"), requests_a_day("500")
    (480.0, 500.0)
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(?:\s*/\s*(\w+))?", text.strip().lower())
    unit = (found[2] or "") if found else None
    if found is None or unit not in _SPANS_A_DAY:
        raise UsageError(f"{text!r} is no budget", advice="write it as 500/day, 20/hour or 3000/week")
    return float(found[1]) * _SPANS_A_DAY[unit]
