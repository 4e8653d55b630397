"""Does a planner keep what it promises? The changes it expected of the pages it visited, and those that were there.

What is expected of a visit is corrected by what the visits of the last hours have found for each change that was
expected of them: when a site wakes up, or falls silent, the promise follows within a day. The half-life was chosen on
half of the sites of a change log (the worst week 13 % off, 23 % without) and checked on the others (7 %, 20 %).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec
import numpy as np

from haenyeo.refresh.columns import Array

WEEKS = 26
"""Weeks that are kept."""
_WEEK = 7 * 86_400
_MONDAY = 4 * 86_400  # the first Monday 00:00 UTC of unix time
_LEAST, _MOST = 0.5, 2.0
_HALF_LIFE = 43_200.0  # seconds after which a visit counts half in what is expected of the next ones
_DOUBT = 5.0  # changes that the planner's own word counts for


class PromisedWeek(msgspec.Struct, frozen=True, kw_only=True):
    """A week from this Monday on: the changes expected of the pages visited, and those that were found."""

    monday: datetime
    expected: float
    observed: int


class _Week(NamedTuple):
    """Changes of a week: as the planner expected them, as they were found, and as they were promised."""

    expected: float = 0.0
    observed: float = 0.0
    promised: float = 0.0


class Promise:
    """Expected and observed changes, week by week."""

    def __init__(self) -> None:
        self._weeks: dict[int, _Week] = {}
        self._lately = (0.0, 0.0, 0.0)  # expected, observed, and when that was last brought up to date

    def keep(self, expected: float, observed: int, now: float) -> None:
        """Take in visits made now, of which so many were expected to find a change and so many did."""
        week = int((now - _MONDAY) // _WEEK)
        before = self._weeks.get(week, _Week())
        lately = self._lately_at(now)
        promised = expected * _ratio(*lately)
        self._lately = lately[0] + expected, lately[1] + observed, now
        self._weeks[week] = _Week(before.expected + expected, before.observed + observed, before.promised + promised)
        while len(self._weeks) > WEEKS:
            del self._weeks[min(self._weeks)]

    def weeks(self) -> list[PromisedWeek]:
        """All weeks that are kept, the first one first."""
        return [
            PromisedWeek(
                monday=datetime.fromtimestamp(week * _WEEK + _MONDAY, UTC),
                expected=round(kept.promised, 2),
                observed=int(kept.observed),
            )
            for week, kept in sorted(self._weeks.items())
        ]

    def _lately_at(self, now: float) -> tuple[float, float]:
        """The changes expected and found lately, those of long ago counting less."""
        expected, observed, at = self._lately
        fade = 0.5 ** (max(now - at, 0.0) / _HALF_LIFE)
        return expected * fade, observed * fade

    def state(self) -> dict[str, Array]:
        """What is kept between two runs."""
        rows = [(week, *values) for week, values in self._weeks.items()]
        return {
            "promise": np.array(rows, np.float64).reshape(-1, 1 + len(_Week())),
            "promise_lately": np.array(self._lately, np.float64),
        }

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take over what `state` gave, if it did."""
        rows = arrays["promise"].tolist() if "promise" in arrays else []
        self._weeks = {}
        for week, expected, observed, *promised in rows:
            # A week without a promise of its own was kept before promises were corrected.
            self._weeks[int(week)] = _Week(expected, observed, promised[0] if promised else expected)
        if "promise_lately" in arrays:
            expected, observed, at = arrays["promise_lately"].tolist()
            self._lately = expected, observed, at
        else:
            self._lately = 0.0, 0.0, 0.0


def _ratio(expected: float, observed: float) -> float:
    """How many changes were found for each that was expected, drawn towards 1 and within bounds."""
    return min(max((observed + _DOUBT) / (expected + _DOUBT), _LEAST), _MOST)
