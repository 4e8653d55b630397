"""Which page should the user be asked about, and how good is what is kept? Out of the judge's own probabilities.

A page at the cut tells most, if others are like it and none like it was asked about: whichever way the answer goes,
they change sides. Uncertainty sampling (D. Lewis and W. Gale, 1994) at the cut, weighted by density (B. Settles, 2008).
"""

from __future__ import annotations

import msgspec
import numpy as np

from haenyeo.find.learned.judging.vectors import Sketches
from haenyeo.find.learned.memory import Flags, Floats, Indexes
from haenyeo.find.learned.regression import log_odds, logistic

_DENSITY = 0.3  # log-odds from the cut that a page like many others may lie farther away
_ASKED_LIKE_IT = 1.0  # the same for one like those asked about, the other way round
_POOL = 600  # pages, evenly taken out of all, that density is measured by
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
    """Pages as they are judged now; `said` are those the user spoke of, `asked` those he was asked about."""

    keys: Indexes
    odds: Floats
    cut: float
    sketches: Sketches
    said: Flags
    asked: Flags

    def next_questions(self, among: Flags, most: int) -> list[int]:
        """The keys of the pages it would be most useful to ask about, of those `among` all, the best first."""
        rows = np.flatnonzero(among & ~self.said)
        if not len(rows):
            return []
        away = np.abs(self.odds[rows] - log_odds(np.array(self.cut)))
        pool = self.sketches[:: 1 + len(self.sketches) // _POOL]
        density = (self.sketches[rows] @ pool.T).clip(0).mean(axis=1)
        worth = away - _DENSITY * density / (density.mean() + _TINY)
        if self.asked.any():
            worth = worth + _ASKED_LIKE_IT * (self.sketches[rows] @ self.sketches[self.asked].T).max(axis=1)
        order = np.argsort(worth, kind="stable")[:most]
        keys: list[int] = self.keys[rows[order]].tolist()
        return keys

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
