"""An interval for each page, shorter after a change and longer after none; the most overdue page first.

`Adaptive` has the factors of Kim 2011 as Cho, Lee & Choi 2013, section 2, quote them: 0.5 and 1.2. `Nutch` has those of
Apache Nutch's AdaptiveFetchSchedule: 0.8 and 1.4, beginning with 30 days.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from haenyeo.refresh.address_book import Numbers
from haenyeo.refresh.choosing import Floats
from haenyeo.refresh.roster import Flags
from haenyeo.refresh.urgency import DAY, UrgencyPlanner


class Adaptive(UrgencyPlanner):
    """Multiplies a page's interval after each visit and visits where most intervals have passed."""

    name: ClassVar[str] = "adaptive"
    columns: ClassVar[Mapping[str, npt.DTypeLike]] = {"interval_days": np.float32}
    after_change: ClassVar[float] = 0.5
    after_none: ClassVar[float] = 1.2
    first_days: ClassVar[float] = 7.0
    shortest_days: ClassVar[float] = 1 / 24
    longest_days: ClassVar[float] = 365.0

    def _greet(self, pages: Numbers, urls: Sequence[str], sites: Sequence[str], now: int) -> None:
        self._roster["interval_days"][pages] = self.first_days

    def _urgency(self, now: int) -> Floats:
        waited: Floats = (now - self._roster["visited"].astype(np.float64)) / DAY
        return waited / self._roster["interval_days"]

    def _learn(self, pages: Numbers, days: Floats, changed: Flags, now: int) -> None:
        intervals = self._roster["interval_days"]
        scaled = intervals[pages] * np.where(changed, self.after_change, self.after_none)
        intervals[pages] = np.clip(scaled, self.shortest_days, self.longest_days)


class Nutch(Adaptive):
    """The same with the factors of Apache Nutch."""

    name: ClassVar[str] = "nutch"
    after_change: ClassVar[float] = 0.8
    after_none: ClassVar[float] = 1.4
    first_days: ClassVar[float] = 30.0
