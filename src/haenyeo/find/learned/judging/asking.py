"""Which page should the user be asked about, and how good is what is kept? Out of the judge's own probabilities.

A page at the cut tells most, if others at the cut resemble it and none like it was asked about: whichever way the
answer goes, they change sides. Uncertainty sampling (D. Lewis and W. Gale, 1994) at the cut, weighted by how much the
answer should move the others: their covariance by all that was said so far (C. Rasmussen and C. Williams, 2006, §3.4).
"""

from __future__ import annotations

import msgspec
import numpy as np

from haenyeo.find.learned.judging.resemblance import Places, resemblance
from haenyeo.find.learned.memory import Flags, Floats, Indexes
from haenyeo.find.learned.regression import log_odds, logistic

_NEAR = 300  # pages, the nearest to the cut, that may be asked about, and that an answer should move
_NOISE = 4.0  # of an answer that might as well have been the other: its variance in log-odds
_LEAST_SAID = 0.01  # curvature of a verdict that was expected: next to nothing was learnt by it
_ALL_WRONG = 1.0  # by how much all log-odds together may be wrong at first: one standard deviation
_FAR = 1.5  # log-odds from the cut: an answer about a page farther away changes next to nothing
_TINY = 1e-9


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """How good what is kept should be: precision, recall and F, each with the range one standard deviation wide."""

    precision: float
    precision_range: tuple[float, float]
    recall: float
    recall_range: tuple[float, float]
    f: float
    kept: int


class Doubts(msgspec.Struct, frozen=True, kw_only=True):
    """Pages as they are judged now; `said` are those the user spoke of.

    `told` are those of them whose verdicts move others, all but the examples, `asked` those he was asked about.
    """

    keys: Indexes
    odds: Floats
    cut: float
    places: Places
    said: Flags
    told: Flags
    asked: Flags

    def next_questions(self, among: Flags, most: int) -> list[int]:
        """The keys of the pages it would be most useful to ask about, of those `among` all, the best first."""
        rows = np.flatnonzero(among & ~self.said)
        away = self.odds[rows] - log_odds(np.array(self.cut))
        nearest = np.sort(np.argsort(np.abs(away), kind="stable")[:_NEAR])
        rows, away = rows[nearest], away[nearest]
        shared = self._covariance(rows)
        doubt = logistic(away) * logistic(-away)
        chosen: list[int] = []
        for _ in range(min(most, len(rows))):
            spread = np.sqrt(shared.diagonal().clip(0) + _NOISE)
            worth = doubt * (np.abs(shared) @ np.exp(-np.abs(away))) / spread
            worth[chosen] = -1.0
            best = int(worth.argmax())
            chosen.append(best)
            shared = shared - np.outer(shared[best], shared[best]) / (shared[best, best] + _NOISE)
        keys: list[int] = self.keys[rows[chosen]].tolist()
        return keys

    def _covariance(self, rows: Indexes) -> Floats:
        """The covariance of the log-odds of some pages, after all that the user said since the crawl began."""
        some = self.places.at(rows)
        before = resemblance(some, some)
        told = np.flatnonzero(self.told)
        if not len(told):
            return before
        chances = logistic(self.odds[told])
        places = self.places.at(told)._replace(common=self.asked[told])
        noise = 1 / (chances * (1 - chances)).clip(_LEAST_SAID)
        across = resemblance(some, places)
        known = resemblance(places, places) + np.diag(noise)
        found: Floats = before - across @ np.linalg.solve(known, across.T)
        return found

    def in_doubt(self) -> bool:
        """Is there a page, not yet spoken of, near enough to the cut that an answer may move it across?"""
        away = np.abs(self.odds[~self.said] - log_odds(np.array(self.cut)))
        return bool(len(away)) and float(away.min()) < _FAR

    def estimate(self) -> Estimate:
        """How good what is kept should be; the more was asked the surer."""
        odds = self.odds[~self.said]
        kept = logistic(odds) >= self.cut
        known = logistic(self.odds[self.asked])
        wrong = _ALL_WRONG / np.sqrt(1 + (known * (1 - known)).sum())
        precision, recall = np.array([_expected(odds + offset, kept) for offset in (0.0, -wrong, wrong)]).T.tolist()
        both = precision[0] + recall[0]
        return Estimate(
            precision=precision[0],
            precision_range=(min(precision), max(precision)),
            recall=recall[0],
            recall_range=(min(recall), max(recall)),
            f=2 * precision[0] * recall[0] / both if both else 0.0,
            kept=int(kept.sum()),
        )


def _expected(odds: Floats, kept: Flags) -> tuple[float, float]:
    """The precision and recall to expect of pages with these log-odds of which these are kept."""
    chances = logistic(odds)
    right = float(chances[kept].sum())
    return right / max(1, int(kept.sum())), right / max(_TINY, float(chances.sum()))
