"""What is a visit worth? The index of Whittle for pages that change by chance.

A page changes at a known rate and stays stale from its first change to the next visit. Let `stale` be the chance that
it is stale by now. Visiting it each time a fixed price is reached is optimal, and that price is

    fresh copies      (stale + (1 - stale) ln(1 - stale)) / rate        in days of freshness a visit
    many versions      stale + (1 - stale) ln(1 - stale)                in versions a visit

(Cho & Garcia-Molina 2003, "Effective page refresh policies", solved for one page; Azar et al. 2018.) Written with the
chance instead of the time since the last visit, it also holds when evidence has moved that chance: a copy that is
likely stale and will then stay fresh for long is worth most.
"""

from __future__ import annotations

import numpy as np

from haenyeo.refresh.choosing import Floats

_SURELY = np.float32(-60.0)  # the logarithm of a chance that is as good as nothing


def versions_gained(log_fresh: Floats) -> Floats:
    """The worth of a visit in versions, from the logarithm of the chance that the copy is still fresh."""
    bounded = np.clip(log_fresh, _SURELY, np.float32(0))
    fresh = np.exp(bounded)
    gained: Floats = 1 - fresh + fresh * bounded
    return gained


def days_gained(log_fresh: Floats, rate: Floats) -> Floats:
    """The worth of a visit in days of freshness; `rate` is how often the page will change a day from now on."""
    gained: Floats = versions_gained(log_fresh) / rate
    return gained
