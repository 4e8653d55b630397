"""Does a planner keep what it promises? The changes it expected of the pages it visited, and those that were there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import msgspec
import numpy as np

from haenyeo.refresh.columns import Array

WEEKS = 26
"""Weeks that are kept."""
_WEEK = 7 * 86_400
_MONDAY = 4 * 86_400  # the first Monday 00:00 UTC of unix time
_RECENT = 4  # weeks by which forecasts are calibrated
_DOUBT = 20.0  # changes that the planner's own word counts for
_LEAST, _MOST = 0.5, 2.0


class PromisedWeek(msgspec.Struct, frozen=True, kw_only=True):
    """A week from this Monday on: the changes expected of the pages visited, and those that were found."""

    monday: datetime
    expected: float
    observed: int


class Promise:
    """Expected and observed changes, week by week."""

    def __init__(self) -> None:
        self._weeks: dict[int, tuple[float, float]] = {}

    @property
    def factor(self) -> float:
        """How many changes there are for each that is expected, as far as the last weeks tell."""
        recent = [self._weeks[week] for week in sorted(self._weeks)[-_RECENT:]]
        expected, observed = sum(week[0] for week in recent), sum(week[1] for week in recent)
        return min(max((observed + _DOUBT) / (expected + _DOUBT), _LEAST), _MOST)

    def keep(self, expected: float, observed: int, now: float) -> None:
        """Take in visits made now, of which so many were expected to find a change and so many did."""
        week = int((now - _MONDAY) // _WEEK)
        before = self._weeks.get(week, (0.0, 0.0))
        self._weeks[week] = before[0] + expected, before[1] + observed
        while len(self._weeks) > WEEKS:
            del self._weeks[min(self._weeks)]

    def weeks(self) -> list[PromisedWeek]:
        """All weeks that are kept, the first one first."""
        return [
            PromisedWeek(
                monday=datetime.fromtimestamp(week * _WEEK + _MONDAY, UTC),
                expected=round(expected, 2),
                observed=int(found),
            )
            for week, (expected, found) in sorted(self._weeks.items())
        ]

    def state(self) -> dict[str, Array]:
        """What is kept between two runs."""
        rows = [(week, *values) for week, values in self._weeks.items()]
        return {"promise": np.array(rows, np.float64).reshape(-1, 3)}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take over what `state` gave, if it did."""
        rows = arrays["promise"].tolist() if "promise" in arrays else []
        self._weeks = {int(week): (expected, observed) for week, expected, observed in rows}
