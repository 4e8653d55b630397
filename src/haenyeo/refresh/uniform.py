"""Every page equally often: the oldest visit first (the static cycle that Cho, Lee & Choi 2013 compare with)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from haenyeo.refresh.address_book import Numbers
from haenyeo.refresh.choosing import Floats
from haenyeo.refresh.roster import Flags
from haenyeo.refresh.urgency import UrgencyPlanner


class Uniform(UrgencyPlanner):
    """Visits the page that has waited longest."""

    name: ClassVar[str] = "uniform"

    def _urgency(self, now: int) -> Floats:
        return now - self._roster["visited"].astype(np.float64)

    def _learn(self, pages: Numbers, days: Floats, changed: Flags, now: int) -> None:
        """Learn nothing, because the cycle is fixed."""
