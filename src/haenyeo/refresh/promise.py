"""Does a planner keep what it promises? The changes it expected of the pages it visited, and those that were there.

What is expected of a visit is corrected by what the visits of the last hours have found for each change that was
expected of them: when a site wakes up, or falls silent, the promise follows within a day. The half-life was chosen on
half of the sites of a change log (the worst week 13 % off, 23 % without) and checked on the others (7 %, 20 %).

Pages that are hardly ever visited are the greater part of what is believed stale, and the least of what visits find. So
the time that copies are stale is checked apart (`StaleTime`), where a visit counts for as long as its page was left.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec
import numpy as np

from haenyeo.refresh.choosing import Floats
from haenyeo.refresh.columns import Array
from haenyeo.refresh.roster import Flags

WEEKS = 26
"""Weeks that are kept."""
_WEEK = 7 * 86_400
_MONDAY = 4 * 86_400  # the first Monday 00:00 UTC of unix time
_LEAST, _MOST = 0.5, 2.0
_HALF_LIFE = 43_200.0  # seconds after which a visit counts half in what is expected of the next ones
_LONG_HALF_LIFE = 14 * 86_400.0  # the same for the time that copies are stale
_DOUBT = 5.0  # changes, or days, that the planner's own word counts for
_NEARLY_NONE = 1e-6


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


class StaleTime:
    """How much longer, or shorter, than believed copies are stale, by what visits found.

    If a page changes at an even rate and is stale with some chance after t days, it was so for a part of them that
    follows from the chance; where a visit finds a change, that part divided by the chance is how long the copy was
    stale, and where it finds none it was not.
    """

    def __init__(self) -> None:
        self._believed, self._seen, self._at = 0.0, 0.0, 0.0  # days that copies were stale, those of long ago less

    @property
    def factor(self) -> float:
        """The days that copies were stale for each that was believed, drawn towards 1 and within bounds."""
        return _ratio(self._believed, self._seen)

    def learn(self, days: Floats, fresh: Floats, changed: Flags, now: float) -> None:
        """Take in visits made now, so many days after the last ones, to copies that were fresh with this chance."""
        lost = -np.log(np.clip(fresh.astype(np.float64), _NEARLY_NONE, 1 - _NEARLY_NONE))
        stale = days * (1 + np.expm1(-lost) / lost)
        fade = 0.5 ** (max(now - self._at, 0.0) / _LONG_HALF_LIFE)
        self._believed = self._believed * fade + float(stale.sum())
        self._seen = self._seen * fade + float((stale / -np.expm1(-lost))[changed].sum())
        self._at = now

    def state(self) -> dict[str, Array]:
        """What is kept between two runs."""
        return {"stale_time": np.array([self._believed, self._seen, self._at], np.float64)}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take over what `state` gave, if it did."""
        kept = arrays["stale_time"].tolist() if "stale_time" in arrays else (0.0, 0.0, 0.0)
        self._believed, self._seen, self._at = kept


def _ratio(expected: float, observed: float) -> float:
    """How much was found for each that was expected, drawn towards 1 and within bounds."""
    return min(max((observed + _DOUBT) / (expected + _DOUBT), _LEAST), _MOST)
