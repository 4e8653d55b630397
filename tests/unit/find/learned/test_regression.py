"""A logistic regression over hashed features."""

from itertools import accumulate

import numpy as np

from haenyeo.find.learned.columns import Lists
from haenyeo.find.learned.features.links import LINK_KINDS
from haenyeo.find.learned.regression import Regression, log_odds, logistic
from haenyeo.find.learned.weighing import Features

_RANDOM = np.random.default_rng(3)


def _features(anchors: list[list[int]]) -> Features:
    """Links with these words and nothing else, all to one page whose address has no features."""
    links, addresses = Lists(LINK_KINDS), Lists()
    ends = np.repeat(list(accumulate(map(len, anchors))), LINK_KINDS)
    links.extend(np.array([place for anchor in anchors for place in anchor], np.int32), ends)
    addresses.extend(np.zeros(0, np.int32), np.zeros(1, np.int64))
    return Features(links, addresses, np.zeros(len(anchors), np.int64))


def _fit(regression: Regression, features: Features, targets: list[float]) -> list[list[float]]:
    both = np.array([[target, 1 - target] for target in targets])
    expected: list[list[float]] = regression.fit(
        features, np.arange(len(targets)), both, np.ones(len(targets))
    ).tolist()
    return expected


def test_features_of_good_examples_get_weights_above_those_of_others() -> None:
    regression = Regression(rounds=30)
    expected = _fit(regression, _features([[7], [7], [7], [9], [9], [9]]), [0.9, 1.0, 0.8, 0.1, 0.0, 0.1])
    assert regression.weights[7, 0] > 0.5 > -0.5 > regression.weights[9, 0]
    assert regression.weights[7, 1] < -0.5 < 0.5 < regression.weights[9, 1], "of the other outcome"
    assert logistic(np.array(expected))[[0, -1], 0].round().tolist() == [1, 0]


def test_a_feature_never_met_says_nothing() -> None:
    regression = Regression()
    _fit(regression, _features([[7], [9]]), [1.0, 0.0])
    assert regression.weights[8].tolist() == [0, 0]


def test_a_restored_regression_expects_the_same() -> None:
    regression, again = Regression(), Regression()
    features = _features([[7], [9]])
    _fit(regression, features, [1.0, 0.0])
    again.restore(regression.state())
    assert _fit(again, features, [1.0, 0.0]) == _fit(regression, features, [1.0, 0.0])


def test_compiled_code_moves_the_weights_alike() -> None:
    quick, plain = Regression(), Regression()
    features = _features(_RANDOM.integers(1, 50, (40, 5)).tolist())
    targets, shares = _RANDOM.random((30, 2)), np.full(30, 1 / 30)
    rows = np.arange(5, 35)
    expected = quick.fit(features, rows, targets, shares)
    assert np.allclose(expected, plain.fit_in_python(features, rows, targets, shares, plain.rounds), atol=1e-4)
    assert np.allclose(quick.weights, plain.weights, atol=1e-4)
    assert np.allclose(quick.offsets, plain.offsets, atol=1e-4)


def test_log_odds_undo_the_logistic_function_within_bounds() -> None:
    assert np.allclose(log_odds(logistic(np.array([-3.0, 0.0, 2.0]))), [-3, 0, 2])
    assert np.isfinite(log_odds(np.array([0.0, 1.0]))).all()
    assert np.isfinite(logistic(np.array([-1e9, 1e9]))).all()
