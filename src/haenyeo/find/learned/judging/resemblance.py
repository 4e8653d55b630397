"""What do the user's verdicts say of other pages? Each raises or lowers what resembles the page it was on.

A Gaussian process over the log-odds (C. Rasmussen and C. Williams, "Gaussian Processes for Machine Learning", 2006,
§3.4): two pages resemble each other by their words and by the links they share, never less than not at all. So a
counter-example lowers pages like it and leaves all others alone. A verdict the judge asked for is a sample of what it
was unsure of: it tells something of all pages, too. Whoever refuses a page unasked has looked for a wrong one: where
some were expected to be wrong, that one is tells little of the others. So no more pages are dropped for it than were.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from haenyeo.find.learned.judging.linkage import Linkage
from haenyeo.find.learned.judging.vectors import Sketches
from haenyeo.find.learned.memory import Flags, Floats, Indexes
from haenyeo.find.learned.regression import log_odds, logistic

_WORDS = 3.0**2  # variance of what pages with the same words share, in log-odds
_LINKS = 3.0**2  # the same for pages that lead to the same pages, and for those that stand in the same lists
_ALL = 1.0  # the same for all pages, between verdicts that were asked for
_ANYWAY = 0.05  # how alike pages are that have nothing to do with each other
_ROUNDS = 30
_STEP = 0.7
_SETTLED = 1e-4
_JITTER = 1e-4
_LEAST_CURVATURE = 1e-3


class Places(NamedTuple):
    """Where pages lie: their sketches, the links they share, and whether what is said of all counts.

    It does for pages without a verdict and for verdicts that were asked for: one that a user volunteers is on a page he
    noticed, and tells nothing of those he did not.
    """

    sketches: Sketches
    linkage: Linkage
    common: Flags

    def at(self, rows: Indexes) -> Places:
        """Some of them."""
        return Places(self.sketches[rows], self.linkage.at(rows), self.common[rows])


class Verdicts(NamedTuple):
    """The pages judged by the user, and how much each moves what resembles it, in log-odds."""

    pages: Places
    pull: Floats

    def shift(self, pages: Places) -> Floats:
        """How much the log-odds of pages change by the verdicts."""
        return resemblance(pages, self.pages) @ self.pull

    def parts(self, pages: Places) -> Floats:
        """How much each verdict changes the log-odds of each page, a row a page."""
        return resemblance(pages, self.pages) * self.pull


def weigh_verdicts(pages: Places, odds: Floats, relevant: Flags) -> Verdicts:
    """What verdicts amount to on pages whose log-odds are `odds` without them."""
    shared = resemblance(pages, pages) + _JITTER * np.eye(len(odds))
    moved = np.zeros(len(odds))
    for _ in range(_ROUNDS):
        expected = logistic(odds + moved)
        curve = (expected * (1 - expected)).clip(_LEAST_CURVATURE)
        wanted = curve * moved + (relevant - expected)
        target = shared @ np.linalg.solve(np.eye(len(odds)) + curve[:, None] * shared, wanted)
        step = target - moved
        moved = moved + _STEP * step
        if np.abs(step).max(initial=0.0) < _SETTLED:
            break
    return Verdicts(pages, relevant - logistic(odds + moved))


def resemblance(some: Places, others: Places) -> Floats:
    """The covariance of the log-odds of some pages with those of others, of which a part lie among the same."""
    alike = (some.sketches @ others.sketches.T).astype(np.float64)
    words = ((alike - _ANYWAY) / (1 - _ANYWAY)).clip(0, 1)
    links = some.linkage.likeness(others.linkage)
    found: Floats = _WORDS * words + _LINKS * links + _ALL * np.outer(some.common, others.common)
    return found


def held_back(verdicts: Verdicts, rows: Indexes, pages: Places, odds: Floats, cut: float) -> Verdicts:
    """The verdicts on the pages in these rows, with less weight for refusals where they would drop too many others.

    Pages, of which these are the log-odds without verdicts, are kept from the cut on, a probability. For one that was
    refused unasked as many may be dropped as were expected to be wrong among those like it, as often as any page was
    refused: the more there are the less it can be by chance. A further refusal takes nothing back of the others'.
    """
    refused = (verdicts.pull < 0) & ~verdicts.pages.common
    if not refused.any():
        return verdicts
    shared, kept_from = resemblance(pages, verdicts.pages), float(log_odds(np.array(cut)))
    away = odds + shared @ np.where(refused, 0.0, verdicts.pull) - kept_from
    wrong = np.where(odds >= kept_from, logistic(-odds), 0.0)
    away[rows], wrong[rows] = -1.0, refused
    alike = (shared / shared[rows, np.arange(len(rows))].clip(_WORDS)).clip(0, 1)
    allowed = refused.sum() * (wrong @ alike - 1).clip(0)  # without the page itself
    pull = verdicts.pull.copy()
    for one in np.flatnonzero(refused):
        lowered = -shared[:, one] * pull[one]
        falling = (away >= 0) & (lowered > 0)
        pull[one] *= _share_that_drops(int(allowed[one]), away[falling] / lowered[falling])
    return verdicts._replace(pull=pull)


def _share_that_drops(allowed: int, dropped_at: Floats) -> float:
    """The share of what a refusal weighs that drops so many pages, each of which is dropped from another share on."""
    ordered = np.sort(np.append(dropped_at, 0.0))
    if len(ordered) <= allowed + 1 or ordered[allowed + 1] >= 1:
        return 1.0
    return float(ordered[allowed : allowed + 2].mean())
