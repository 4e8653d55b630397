"""From which probability on is a page kept? Where the expected F-measure is highest.

A cut at one half keeps too little where hardly anything is sure. The share of relevant pages is not known well, so the
expectation is taken over log-odds that are all too high or too low by the same amount. To keep nothing is right if
there is nothing, so it is worth as much as that is likely, once the crawl has looked around. D. Lewis, "Evaluating and
optimizing autonomous text classification systems" (SIGIR 1995), for probabilities that are exact.
"""

from __future__ import annotations

import numpy as np

from haenyeo.find.learned.memory import Floats
from haenyeo.find.learned.regression import logistic

_OFFSETS = np.array([-1.5, -0.75, 0.0, 0.75, 1.5])  # half or twice as far changes F by .003 in the mean of five webs
_NONE = 0.5  # where nothing is known
STILL_SEEKING = 150
"""Pages, after which a crawl may have found nothing: until then it must learn from what comes near."""


def best_cut(odds: Floats) -> float:
    """The probability from which on pages should be kept, of which these are the log-odds.

    It lies in the middle between the last page to keep and the next: what moves a page a little does not move it
    across, and of all pages those in doubt are nearest to it.
    """
    if not len(odds):
        return _NONE
    ordered = np.sort(odds)[::-1]
    kept = np.arange(1, len(ordered) + 1)
    expected, of_nothing = np.zeros(len(ordered)), 0.0
    for offset in _OFFSETS:
        chances = logistic(ordered + offset)
        expected += 2 * chances.cumsum() / (kept + chances.sum())
        of_nothing += float(np.prod(1 - chances))
    last = int(expected.argmax())
    if of_nothing * (1 - STILL_SEEKING / len(ordered)) > expected[last]:
        return max(_NONE, float(logistic(ordered[:1])[0]))
    return float(logistic(ordered[last : last + 2].mean(keepdims=True))[0])
