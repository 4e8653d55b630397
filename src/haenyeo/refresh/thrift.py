"""As few visits as a wanted freshness needs: how many are made in an hour, if no more are made than that.

The requests that keep a share of copies fresh are not known beforehand, and change as pages are learnt. So the rate of
visits rises while the copies are staler than wanted and falls while they are fresher, slowly, and is spent evenly: a
burst of changes is believed with caution, and what the planner thinks most urgent stands at the head of the line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from haenyeo.refresh.choosing import NOT_NOW, Floats
from haenyeo.refresh.columns import Array

_HOUR, _DAY = 3600.0, 86_400.0
_PAUSE = 12.0  # hours without a question after which all is made up for at once
_DRIFT = 0.01  # by which the rate's logarithm moves in an hour in which twice as many copies are stale as wanted
_PULL = 0.5  # by which it is higher in such an hour
_FAR = 2.0
_HOLDS = 6.0  # hours of visits that are kept for later
_LESS_THAN_IN_TURN = 0.4  # of the requests that visiting all pages in turn would need


class SparingRate:
    """Holds the rate of visits for one wanted share of fresh copies."""

    def __init__(self, fresh: float) -> None:
        self.fresh = fresh
        self._rate, self._visits = math.nan, 0.0
        self._at = self._since = math.nan

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
        if math.isnan(self._at):
            self._at = self._since = now
        hours, self._at = max(now - self._at, 0.0) / _HOUR, now
        if math.isnan(self._rate) and share > wanted:
            days = max((now - self._since) / _DAY, 1 / 24)
            self._rate = _LESS_THAN_IN_TURN * planned / (2 * days) / 24
        if hours >= _PAUSE or (math.isnan(self._rate) and share > wanted):
            return needed((share - wanted) * planned)
        if math.isnan(self._rate):
            return 0
        excess = min(share / wanted - 1, _FAR)
        self._rate *= math.exp(_DRIFT * hours * excess)
        most = max(1.0, _HOLDS * self._rate)
        self._visits = min(self._visits + self._rate * math.exp(_PULL * excess) * hours, most)
        count = int(self._visits)
        self._visits -= count
        return count

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
