"""What do links like this one lead to? Two logistic regressions over hashed features, with targets between 0 and 1.

Fitted by Newton steps on the diagonal, over all examples at once. It goes on from its last weights, so a few rounds
whenever examples have been added are enough.
"""

from __future__ import annotations

from math import exp

import numpy as np
import numpy.typing as npt

from haenyeo import native
from haenyeo.find.learned.columns import Numbers, Rows
from haenyeo.find.learned.features import TABLE
from haenyeo.find.learned.weighing import Features, entries

COMPILED = native.load("weighing")

Floats = npt.NDArray[np.float64]

OUTCOMES = 2

_STEP = 0.42  # of a whole Newton step: features overlap, and whole steps would overshoot
_LEAST_CURVATURE = 0.05
_MANY = 1000  # links, among which those added since the last time are few: half the rounds are enough
_SUREST = 30.0  # log-odds beyond which a probability is 0 or 1 to the last bit that matters
_UNSURE = 2e-3  # no share observed in a crawl is closer to 0 or 1


class Regression:
    """Weights of features, two each, such that their sums are the log-odds of two targets.

    `examples` is the number of links they were last fitted to.
    """

    def __init__(self, *, penalty: float = 1e-4, rounds: int = 8) -> None:
        self.penalty = penalty
        self.rounds = rounds
        self.weights = np.zeros((TABLE, OUTCOMES), np.float32)
        self.offsets = np.zeros(OUTCOMES)
        self.examples = 0

    def state(self) -> dict[str, Numbers]:
        """What `restore` needs."""
        return {"first": self.weights[:, 0], "second": self.weights[:, 1], "offsets": self.offsets}

    def restore(self, state: dict[str, Numbers]) -> None:
        """Become what another one was when it gave its state."""
        self.weights = np.stack([state["first"], state["second"]], axis=1).astype(np.float32)
        self.offsets = state["offsets"].copy()

    def fit(self, features: Features, rows: Rows, targets: Floats, shares: Floats) -> Floats:
        """Move the weights towards the best for these links; the log-odds of both targets of each, as expected then.

        `targets` has a row a link; `shares` say how much each link counts.
        """
        shares = shares / shares.sum()
        self.examples = len(rows)
        rounds = self.rounds if len(rows) < _MANY else self.rounds // 2
        if COMPILED is None:
            return self.fit_in_python(features, rows, targets, shares, rounds)
        wanted = np.concatenate([targets.ravel(), shares])
        results = np.concatenate([self.offsets, np.zeros(targets.size)])
        settings = rounds, self.penalty, _STEP, _LEAST_CURVATURE
        COMPILED.fit(features.arrays, rows, wanted, self.weights, results, *settings)
        self.offsets = results[:OUTCOMES].copy()
        return results[OUTCOMES:].reshape(-1, OUTCOMES)

    def fit_in_python(self, features: Features, rows: Rows, targets: Floats, shares: Floats, rounds: int) -> Floats:
        """The same without compiled code, in so many rounds."""
        places, values, owners = entries(features, rows)
        used, places = np.unique(places, return_inverse=True)
        expected = np.zeros_like(targets)
        for outcome in range(OUTCOMES):
            weights = self.weights[used, outcome].astype(np.float64)
            for _ in range(rounds):
                sums = np.bincount(owners, weights[places] * values, len(targets)).astype(np.float64)
                chance = logistic(sums + self.offsets[outcome])
                slope = (chance - targets[:, outcome]) * shares
                curve = (chance * (1 - chance)).clip(_LEAST_CURVATURE) * shares
                down = np.bincount(places, slope[owners] * values, len(used)) + self.penalty * weights
                bend = np.bincount(places, curve[owners] * values, len(used)) + 4 * self.penalty
                weights -= _STEP * down / bend
                self.offsets[outcome] -= float(slope.sum() / curve.sum()) / 2
            self.weights[used, outcome] = weights
            expected[:, outcome] = np.bincount(owners, weights[places] * values, len(targets)) + self.offsets[outcome]
        return expected


def logistic(log_odds_: Floats) -> Floats:
    """Log-odds as a probability."""
    odds: Floats = 1 / (1 + np.exp(-np.minimum(np.maximum(log_odds_, -_SUREST), _SUREST)))
    return odds


def chance(log_odds_: float) -> float:
    """A single number of log-odds as a probability."""
    return 1 / (1 + exp(-min(max(log_odds_, -_SUREST), _SUREST)))


def log_odds(probability: Floats) -> Floats:
    """A probability as log-odds, within what a crawl can be sure of."""
    bounded = np.minimum(np.maximum(probability, _UNSURE), 1 - _UNSURE)
    odds: Floats = np.log(bounded / (1 - bounded))
    return odds
