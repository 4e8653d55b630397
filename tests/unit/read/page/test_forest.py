from __future__ import annotations

import numpy as np
import pytest

from haenyeo.read.page.forest import Forest
from haenyeo.read.page.judge import forests


def test_a_tree_answers_by_its_questions_in_order() -> None:
    values = np.array([[0.0, 1.0, 2.0, 3.0]])
    forest = Forest(np.array([[0, 1]]), np.array([[0.5, 0.5]], np.float32), values, 0.0)
    columns = np.array([[0, 0, 1, 1], [0, 1, 0, 1]], np.float32)
    assert forest.probabilities(columns) == pytest.approx(1 / (1 + np.exp(-values[0])))


def test_trees_add_up_from_the_base() -> None:
    features, thresholds = np.array([[0], [0]]), np.array([[0.5], [0.5]], np.float32)
    forest = Forest(features, thresholds, np.array([[0.0, 1.0], [0.0, 2.0]]), -3.0)
    assert forest.probabilities(np.array([[1.0]], np.float32)) == pytest.approx(0.5)


def test_the_forests_in_the_package_are_small_and_whole() -> None:
    found = forests()
    for forest in (*found.kinds, found.first, found.second):
        assert forest.values.shape == (len(forest.features), 2 ** forest.features.shape[1])
        assert np.isfinite(forest.values).all()
        assert np.isfinite(forest.thresholds).all()
