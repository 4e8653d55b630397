"""A logistic regression over hashed features."""

import numpy as np

from haenyeo.find.learned.regression import Examples, Regression, log_odds, logistic


def _examples(features: list[int]) -> Examples:
    count = len(features)
    return Examples(np.array(features), np.ones(count), np.arange(count), np.ones(count))


def test_features_of_good_examples_get_weights_above_those_of_others() -> None:
    regression = Regression(rounds=30)
    examples = _examples([7, 7, 7, 9, 9, 9])
    regression.fit(examples, np.array([0.9, 1.0, 0.8, 0.1, 0.0, 0.1]))
    assert regression.weights[7] > 0.5
    assert regression.weights[9] < -0.5
    expected = logistic(regression.expected(examples))
    assert expected[0] > 0.7
    assert expected[-1] < 0.3


def test_a_feature_never_met_says_nothing() -> None:
    regression = Regression()
    regression.fit(_examples([7, 9]), np.array([1.0, 0.0]))
    assert regression.weights[8] == 0


def test_a_restored_regression_expects_the_same() -> None:
    regression, again = Regression(), Regression()
    examples = _examples([7, 9])
    regression.fit(examples, np.array([1.0, 0.0]))
    again.restore(regression.state())
    assert again.expected(examples).tolist() == regression.expected(examples).tolist()


def test_log_odds_undo_the_logistic_function_within_bounds() -> None:
    assert np.allclose(log_odds(logistic(np.array([-3.0, 0.0, 2.0]))), [-3, 0, 2])
    assert np.isfinite(log_odds(np.array([0.0, 1.0]))).all()
    assert np.isfinite(logistic(np.array([-1e9, 1e9]))).all()
