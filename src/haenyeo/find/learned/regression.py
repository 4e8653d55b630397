"""What do links like this one lead to? A logistic regression over hashed features, with targets between 0 and 1.

Fitted by Newton steps on the diagonal, over all examples at once. It goes on from its last weights, so a few rounds
whenever examples have been added are enough.
"""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.find.learned.columns import Numbers
from haenyeo.find.learned.features import TABLE

Floats = npt.NDArray[np.float64]

_STEP = 0.42  # of a whole Newton step: features overlap, and whole steps would overshoot
_LEAST_CURVATURE = 0.05
_SUREST = 30.0  # log-odds beyond which a probability is 0 or 1 to the last bit that matters
_UNSURE = 2e-3  # no share observed in a crawl is closer to 0 or 1


class Examples(msgspec.Struct, frozen=True):
    """`places[i]` with `values[i]` is a feature of example `owners[i]`; `shares` say how much each example counts."""

    places: npt.NDArray[np.int64]
    values: Floats
    owners: npt.NDArray[np.int64]
    shares: Floats


class Regression:
    """Weights of features, such that their sum is the log-odds of the target."""

    def __init__(self, *, penalty: float = 1e-4, rounds: int = 8) -> None:
        self.penalty = penalty
        self.rounds = rounds
        self.weights = np.zeros(TABLE, np.float32)
        self.offset = 0.0

    def expected(self, examples: Examples) -> Floats:
        """The log-odds of the target of each example."""
        weighed = self.weights[examples.places] * examples.values
        return np.bincount(examples.owners, weighed, len(examples.shares)).astype(np.float64) + self.offset

    def state(self) -> dict[str, Numbers]:
        """What `restore` needs."""
        return {"weights": self.weights, "offset": np.array(self.offset)}

    def restore(self, state: dict[str, Numbers]) -> None:
        """Become what another one was when it gave its state."""
        self.weights, self.offset = state["weights"].copy(), float(state["offset"])

    def fit(self, examples: Examples, targets: Floats) -> None:
        """Move the weights towards the best ones for these examples."""
        used = np.flatnonzero(np.bincount(examples.places, minlength=TABLE))
        column = np.zeros(TABLE, np.int64)
        column[used] = np.arange(len(used))
        places, values, owners = column[examples.places], examples.values, examples.owners
        shares = examples.shares / examples.shares.sum()
        weights = self.weights[used].astype(np.float64)
        for _ in range(self.rounds):
            sums = np.bincount(owners, weights[places] * values, len(targets)).astype(np.float64)
            expected = logistic(sums + self.offset)
            slope = (expected - targets) * shares
            curve = (expected * (1 - expected)).clip(_LEAST_CURVATURE) * shares
            down = np.bincount(places, slope[owners] * values, len(used)) + self.penalty * weights
            bend = np.bincount(places, curve[owners] * values, len(used)) + 4 * self.penalty
            weights -= _STEP * down / bend
            self.offset -= float(slope.sum() / curve.sum()) / 2
        self.weights[used] = weights


def logistic(log_odds_: Floats) -> Floats:
    """Log-odds as a probability."""
    odds: Floats = 1 / (1 + np.exp(-np.clip(log_odds_, -_SUREST, _SUREST)))
    return odds


def log_odds(probability: Floats) -> Floats:
    """A probability as log-odds, within what a crawl can be sure of."""
    bounded = np.clip(probability, _UNSURE, 1 - _UNSURE)
    odds: Floats = np.log(bounded / (1 - bounded))
    return odds
