"""As few visits as a wanted freshness needs: how many are made in an hour, if no more are made than that.

The requests that keep a share of copies fresh are not known beforehand, and change as pages are learnt. So the rate of
visits rises while the copies are staler than wanted and falls while they are fresher, slowly, and is spent evenly: a
burst of changes is believed with caution, and what the planner thinks most urgent stands at the head of the line. At
first no rate is known: for a week, as many visits are made as bring the copies to what is wanted, and their number is
the first rate. Those of the first moment are left out of it, because they make up for all the time before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from haenyeo.refresh.choosing import NOT_NOW, Floats
from haenyeo.refresh.columns import Array

_HOUR, _HOURS_A_DAY = 3600.0, 24
_PAUSE = 12.0  # hours without a question after which all is made up for at once
_DRIFT = 0.01  # by which the rate's logarithm moves in an hour in which twice as many copies are stale as wanted
_PULL = 0.5  # by which it is higher in such an hour
_FAR = 2.0
_HOLDS = 6.0  # hours of visits that are kept for later
_FIRST = 168.0  # hours in which as many visits are made as are needed, before a rate is known


class SparingRate:
    """Holds the rate of visits for one wanted share of fresh copies; it is never higher than `per_day`."""

    def __init__(self, fresh: float, per_day: float = math.inf) -> None:
        self.fresh, self.per_day = fresh, per_day
        self._rate, self._visits = math.nan, 0.0
        self._at = self._since = math.nan  # asked for the last time; staler than wanted for the first time

    def visits(self, urgency: Floats, stale: Floats, now: float) -> int:
        """How many visits are worth making now.

        `stale` is the chance that each copy is, 0 for pages that are not planned; `urgency` is `NOT_NOW` for those.
        """
        planned = int((urgency > NOT_NOW).sum())
        return self.visits_for(planned, float(stale.sum()), now, lambda excess: _needed(urgency, stale, excess))

    def visits_for(self, pages: int, stale: float, now: float, needed: Callable[[float], int]) -> int:
        """How many visits are worth making now if of so many pages so many copies are stale.

        `needed` says how many of the most urgent visits make so many fewer copies stale.
        """
        planned = max(pages, 1)
        share, wanted = stale / planned, 1 - self.fresh
        hours = 0.0 if math.isnan(self._at) else max(now - self._at, 0.0) / _HOUR
        self._at = now
        if math.isnan(self._rate) and self._visits and self._since <= now - _FIRST * _HOUR:
            self._rate, self._visits = self._visits * _HOUR / (now - self._since), 0.0
        if hours >= _PAUSE:
            return needed((share - wanted) * planned)
        if math.isnan(self._rate):
            count = needed((share - wanted) * planned)
            self._count_first(count, now)
            return count
        excess = min(share / wanted - 1, _FAR)
        self._rate = min(self._rate * math.exp(_DRIFT * hours * excess), self.per_day / _HOURS_A_DAY)
        most = max(1.0, _HOLDS * self._rate)
        self._visits = min(self._visits + self._rate * math.exp(_PULL * excess) * hours, most)
        count = int(self._visits)
        self._visits -= count
        return count

    def _count_first(self, count: int, now: float) -> None:
        """Count visits made before a rate is known, without those of the first moment."""
        if math.isnan(self._since) and count:
            self._since = now
        elif now > self._since:
            self._visits += count

    def state(self) -> dict[str, Array]:
        """What is kept between two runs."""
        return {"thrift": np.array([self._rate, self._visits, self._at, self._since], np.float64)}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take over what `state` gave, if it did."""
        if "thrift" in arrays:
            self._rate, self._visits, self._at, self._since = (float(value) for value in arrays["thrift"])


def _needed(urgency: Floats, stale: Floats, excess: float) -> int:
    """How many of the most urgent pages must be visited so that so many fewer copies are stale."""
    if excess <= 0:
        return 0
    order = np.argsort(-urgency, kind="stable")
    return min(int(np.searchsorted(np.cumsum(stale[order]), excess)) + 1, len(order))
