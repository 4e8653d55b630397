"""Pages that change by chance at a rate of their own, each estimated from its visits alone.

Rates by the bias-reduced estimator of Cho & Garcia-Molina 2003, "Estimating frequency of change", section 4.2, drawn
towards one change a fortnight while visits are few.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from haenyeo.refresh.address_book import Numbers
from haenyeo.refresh.choosing import Floats
from haenyeo.refresh.roster import Flags
from haenyeo.refresh.urgency import DAY, HOUR, UrgencyPlanner
from haenyeo.refresh.worth import days_gained, versions_gained

_FIRST_RATE = 1 / 14  # changes a day
_FIRST_WEIGHT = 0.5  # visits


class Poisson(UrgencyPlanner):
    """Visits where a Poisson page of the estimated rate gains most."""

    name: ClassVar[str] = "poisson"
    columns: ClassVar[Mapping[str, npt.DTypeLike]] = {
        "visits": np.float32,
        "changes": np.float32,
        "days": np.float32,
        "rate": np.float32,
    }

    def _greet(self, pages: Numbers, urls: Sequence[str], sites: Sequence[str], now: int) -> None:
        self._roster["rate"][pages] = _FIRST_RATE

    def _fresh(self, now: int) -> Floats:
        return np.exp(-self._roster["rate"] * np.maximum(now - self._roster["visited"].astype(np.float64), 0) / DAY)

    def _urgency(self, now: int) -> Floats:
        rate = self._roster["rate"].astype(np.float64)
        log_fresh = -rate * (now - self._roster["visited"].astype(np.float64)) / DAY
        return versions_gained(log_fresh) if self.goal == "capture" else days_gained(log_fresh, rate)

    def _learn(self, pages: Numbers, days: Floats, changed: Flags, now: int) -> None:
        page = self._roster
        page["visits"][pages] += 1
        page["changes"][pages] += changed
        page["days"][pages] += days
        visits = page["visits"][pages].astype(np.float64)
        interval = np.maximum(page["days"][pages] / visits, HOUR / DAY)
        rate = -np.log((visits - page["changes"][pages] + 0.5) / (visits + 0.5)) / interval
        page["rate"][pages] = (visits * rate + _FIRST_RATE * _FIRST_WEIGHT) / (visits + _FIRST_WEIGHT)
