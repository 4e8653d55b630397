"""How relevant is what was fetched at about the same time?

A crawl fetches what promises most first, so the share of relevant pages falls as it goes on, sooner where the topic is
rare; where a list of the topic is found late it rises again. The time that has passed is measured by the logarithm of
the number of pages fetched: what the tenth and the twentieth page tell of each other, the thousandth and the two
thousandth do.
"""

from __future__ import annotations

import numpy as np

from haenyeo.find.learned.memory import Floats

_BEGINNING = 30.0  # pages that count as fetched at the same time when the crawl begins
_WIDTH = 0.35  # of what is about the same time, in logarithms of pages
_STEP = 0.05  # the same, within which time stands still
_LEAST = 1e-4


def shares_around(chances: Floats, before: int) -> Floats:
    """How much more likely pages fetched at about the same time as each are than all together, in log-odds.

    The pages are in the order in which they were fetched, after so many others that are no longer known.
    """
    if not len(chances):
        return np.zeros(0)
    passed = np.log(before + np.arange(len(chances)) + _BEGINNING)
    at = ((passed - passed[0]) / _STEP).astype(np.int64)
    steps = np.arange(at[-1] + 1) * _STEP
    near = np.exp(-0.5 * ((steps[:, None] - steps) / _WIDTH) ** 2)
    usual = float(chances.mean())
    total, pages = near @ np.bincount(at, chances), near @ np.bincount(at)
    share = (total[at] - chances + usual) / pages[at]  # of the others, and one more page that is as usual
    return _log_odds(share) - _log_odds(np.array(usual))


def _log_odds(shares: Floats) -> Floats:
    within = shares.clip(_LEAST, 1 - _LEAST)
    found: Floats = np.log(within / (1 - within))
    return found
