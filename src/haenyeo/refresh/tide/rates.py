"""How often does a page change by itself? A gamma distribution for each page's rate, brought up to date by Bayes' rule.

The rate of a page is believed to follow Gamma(shape, days): about `shape` changes in `days` days. A visit that finds no
change after t days gives Gamma(shape, days + t). One that finds a change tells only that there was at least one, by the
page itself or by what it shares with others; the posterior is then no gamma, and the gamma of the same mean and
variance takes its place (assumed-density filtering; Opper 1998). Old evidence fades towards the place's usual rate.
"""

from __future__ import annotations

import numpy as np

from haenyeo.refresh.choosing import Floats
from haenyeo.refresh.roster import Flags

SHAPE = 0.3  # of the prior: most pages change far less often than their place's mean, a few far more
_MEMORY_DAYS = 72.0
_HOPE = 0.3  # how much of a find is assumed when the rate after a visit is estimated
_LEAST_SHAPE = 0.05
_LEAST_DAYS = 1e-3
_LEAST_VARIANCE = 1e-12


def log_unchanged(shape: Floats, days: Floats, waited: Floats) -> Floats:
    """The logarithm of the chance that a page did not change by itself for `waited` days."""
    result: Floats = -shape * np.log1p(waited / days)
    return result


def expected(shape: Floats, days: Floats, waited: Floats) -> Floats:
    """The rate expected after a visit: partly what is believed now, partly what will be if a change is found."""
    hope = np.float32(_HOPE)
    result: Floats = (1 - hope) * shape / days + hope * (shape + 1) / (days + waited)
    return result


def updated(shape: Floats, days: Floats, waited: Floats, shared: Floats, changed: Flags) -> tuple[Floats, Floats]:
    """Shape and days after a visit; `shared` is how many changes were expected for other reasons."""
    kept = np.exp(-shared)
    ratio = days / (days + waited)
    unchanged = kept * ratio**shape
    found = np.maximum(1 - unchanged, 1e-9)
    mean = shape / days * (1 - unchanged * ratio) / found
    square = shape * (shape + 1) / days**2 * (1 - unchanged * ratio**2) / found
    variance = np.maximum(square - mean**2, _LEAST_VARIANCE)
    return np.where(changed, mean**2 / variance, shape), np.where(changed, mean / variance, days + waited)


def faded(shape: Floats, days: Floats, waited: Floats, usual: Floats) -> tuple[Floats, Floats]:
    """Shape and days with what is old forgotten in favour of the place's usual rate."""
    kept = np.exp(-waited / _MEMORY_DAYS)
    prior_days = SHAPE / usual
    return (
        np.maximum(SHAPE + (shape - SHAPE) * kept, _LEAST_SHAPE),
        np.maximum(prior_days + (days - prior_days) * kept, _LEAST_DAYS),
    )
