"""How much does each kind of evidence count? Learnt from what the pages fetched so far turned out to be.

On one web the place of a link says most, on another its words. So a logistic regression weighs the evidence pages had
when they were chosen against the relevance they had when they were read. With few pages it stays near the usual
weights.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from haenyeo.find.learned.evidence import (
    ALL_KINDS,
    ANCHOR,
    AROUND_IT,
    ASKED,
    BESIDE,
    FROM_START,
    GROUP,
    HUB,
    KNOWN,
    NAMED,
    NAMED_BESIDE,
    NAMED_IN_ADDRESS,
    SOURCE,
)
from haenyeo.find.learned.memory import NOBODY, Flags, Floats, LinkMemory
from haenyeo.find.learned.regression import logistic
from haenyeo.find.learned.tables import quantile

# The scales on which kinds differ as much from page to page as any other; `leads` is no evidence that the page itself
# is relevant. To begin with all kinds count alike: weights chosen on some webs find less on a web that is not one of
# them.
_SCALES = {
    HUB: 1.0, GROUP: 1.0, SOURCE: 1.2, ANCHOR: 1.2, AROUND_IT: 1.2, ASKED: 4.0, KNOWN: 0.4, NAMED: 4.0,
    NAMED_BESIDE: 1.2, NAMED_IN_ADDRESS: 3.0, FROM_START: 2.0, BESIDE: 1.0,
}  # fmt: skip
_ALIKE = 0.25  # log-odds
SCALE = np.zeros(ALL_KINDS)
SCALE[list(_SCALES)] = list(_SCALES.values())
USUAL = np.where(SCALE > 0, _ALIKE, 0.0)
_PULL = 20.0  # pages: how strongly the weights are drawn to the usual ones
_PULL_OFFSET = 0.1
_FEWEST = 20  # outcomes to learn from
_MOST = 600
_TYPICAL = 20.0  # outcomes the typical waiting page stands for, which would have been worth little
_TYPICAL_WORTH = 0.25  # of the mean relevance so far
_TYPICAL_OF = 500  # waiting pages
_ROUNDS = 8
_SETTLED = 1e-4  # a smaller step changes nothing
_GOOD = 0.95  # share of waiting pages below the level taken for a chance of about 1 in 4, before anything is learnt
_LEAST_CURVATURE = 0.02


class Outcomes(NamedTuple):
    """The evidence pages were chosen on, a row each, and how relevant they were."""

    evidence: Floats
    relevance: Floats


class Balance:
    """Turns evidence into the probability that a page is relevant; `usual` are the weights it begins with.

    `others` is what the pages were like that other crawls for the topic have chosen, `level` what the best of the
    waiting pages had before anything was learnt, `highest` the highest such level of others.
    """

    def __init__(self, *, usual: Floats = USUAL) -> None:
        self.usual = usual
        self.weights = usual * SCALE
        self.offset = -1.0
        self._evidence: deque[Floats] = deque(maxlen=_MOST)
        self._page: deque[int] = deque(maxlen=_MOST)
        self.level = self.highest = -np.inf
        self.others = Outcomes(np.zeros((0, ALL_KINDS)), np.zeros(0))

    def outcomes(self, memory: LinkMemory, without: Collection[int] = ()) -> Outcomes:
        """What the pages chosen here were like but for some, as far as that is known."""
        numbers = memory.numbers_of(self._page)
        relevance = np.where(numbers == NOBODY, np.nan, memory.relevance[numbers])
        known = ~np.isnan(relevance) & np.array([page not in without for page in self._page], np.bool_)
        return Outcomes(np.array(self._evidence).reshape(-1, ALL_KINDS)[known], relevance[known])

    def note(self, reference: int, evidence: Floats) -> None:
        """Note that a page was chosen, and the evidence it was chosen on."""
        self._evidence.append(evidence)
        self._page.append(reference)

    def forget(self, pages: Collection[int]) -> None:
        """Forget that these pages were chosen."""
        kept = [pair for pair in zip(self._page, self._evidence, strict=True) if pair[0] not in pages]
        self._page = deque((page for page, _ in kept), maxlen=_MOST)
        self._evidence = deque((evidence for _, evidence in kept), maxlen=_MOST)

    @property
    def chosen(self) -> list[int]:
        """The references of the pages that were noted, whose relevance `learn` needs."""
        return list(self._page)

    def learn(self, waiting: Floats, relevance: Floats, mean: float) -> None:
        """Weigh the evidence anew; `relevance` is that of the `chosen` pages, NaN if it is not known."""
        known: Flags = ~np.isnan(relevance)
        if known.sum() + len(self.others.relevance) < _FEWEST:
            self.level = quantile(waiting @ self.weights, _GOOD)
            self.offset = -max(self.level, self.highest) - 1.0
            return
        some = waiting[:: 1 + len(waiting) // _TYPICAL_OF]
        typical = np.sort(some, axis=0)[len(some) // 2]
        chosen = np.array(self._evidence).reshape(-1, ALL_KINDS)[known]
        rows = np.vstack([self.others.evidence, chosen, typical]) * SCALE
        rows = np.hstack([rows, np.ones((len(rows), 1))])
        targets = np.concatenate([self.others.relevance, relevance[known], [_TYPICAL_WORTH * mean]])
        counts = np.append(np.ones(len(targets) - 1), _TYPICAL)
        usual = np.append(self.usual, self.offset)
        found = _fitted(rows, targets, counts, usual)
        self.weights, self.offset = found[:-1].clip(0) * SCALE, float(found[-1])

    def probability(self, evidence: Floats) -> Floats:
        """That pages with this evidence are relevant."""
        return logistic(evidence.dot(self.weights) + self.offset)

    def parts(self, evidence: Floats) -> Floats:
        """What each kind of evidence adds to the log-odds of one page."""
        return evidence * self.weights

    def state(self) -> dict[str, Floats]:
        """What `restore` needs."""
        evidence = np.array(self._evidence).reshape(-1, ALL_KINDS)
        learnt = np.append(self.weights, self.offset)
        return {"evidence": evidence, "page": np.array(self._page, np.int64), "learnt": learnt}

    def restore(self, state: dict[str, Floats]) -> None:
        """Become what another one was when it gave its state."""
        self._evidence = deque(state["evidence"], maxlen=_MOST)
        self._page = deque(map(int, state["page"]), maxlen=_MOST)
        self.weights, self.offset = state["learnt"][:-1].copy(), float(state["learnt"][-1])


def _fitted(rows: Floats, targets: Floats, counts: Floats, usual: Floats) -> Floats:
    """The weights, found by Newton's method; the last is the offset, whose prior is weak.

    A step that leads uphill is halved until it does not: whole ones overshoot where most pages are of one kind.
    """
    pull = np.full(len(usual), _PULL)
    pull[-1] = _PULL_OFFSET

    def cost(weights: Floats) -> float:
        odds = rows @ weights
        return float(counts @ (np.logaddexp(0, odds) - targets * odds) + pull @ (weights - usual) ** 2 / 2)

    weights, least = usual.copy(), cost(usual)
    for _ in range(_ROUNDS):
        expected = logistic(rows @ weights)
        slope = rows.T @ ((expected - targets) * counts) + pull * (weights - usual)
        curve = (expected * (1 - expected)).clip(_LEAST_CURVATURE) * counts
        step = np.linalg.solve((rows * curve[:, None]).T @ rows + np.diag(pull), slope)
        while cost(weights - step) > least and np.abs(step).max() >= _SETTLED:
            step /= 2
        if np.abs(step).max() < _SETTLED:
            break
        weights -= step
        least = cost(weights)
    return weights
