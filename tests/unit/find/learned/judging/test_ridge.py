from __future__ import annotations

import numpy as np
import pytest

from haenyeo.find.learned.judging.measures import ridge


@pytest.mark.parametrize("rows", [3, 40, 41, 200])
def test_few_and_many_rows_give_the_direction_that_the_normal_equations_give(rows: int) -> None:
    dimensions = 40
    chosen = np.random.default_rng(rows)
    sketches = chosen.normal(size=(rows, dimensions)).astype(np.float32)
    target, counts = chosen.choice([-1.0, 1.0], rows), chosen.uniform(0.1, 5.0, rows)
    weighed = sketches.astype(np.float64) * counts[:, None]
    expected = np.linalg.solve(weighed.T @ sketches + np.eye(dimensions), weighed.T @ target)
    assert ridge(sketches, target, counts) == pytest.approx(expected, abs=1e-3)
