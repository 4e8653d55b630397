from __future__ import annotations

import numpy as np

from haenyeo.refresh.poisson import Poisson

HOUR, DAY = 3600, 86400


def test_the_estimated_rate_approaches_the_true_one() -> None:
    planner, random = Poisson(per_day=10), np.random.default_rng(3)
    planner.add(["often", "rarely"], ["s", "s"], 0)
    rates = np.array([2.0, 0.1])
    for visit in range(1, 2000):
        changed = random.random(2) < -np.expm1(-rates / 2)
        planner.observe(["often", "rarely"], visit * DAY // 2, changed.tolist())
    estimated = planner._roster["rate"]
    assert np.allclose(estimated, rates, rtol=0.15)
