"""How much new does a page open up? Look-ahead: hubs and the ways to them are worth a visit though not relevant.

A page's gain is what the pages it was the first to link to are worth, as far as they are better than what waits anyway:
where good links abound a hub is worth nothing, where they have run out it is worth much. Half of a page's gain goes to
the page that led to it, a quarter to the one before, and so on: that is how the way to a hub is learnt.
"""

from __future__ import annotations

import numpy as np

from haenyeo.find.learned.memory import Flags, Floats, LinkMemory

_HORIZON = 50  # waiting pages: the worth of the one at this place is what a new page must beat
_SHARE = 5  # but not beyond the best fifth of what waits
_PASSED_ON = 0.5
_STEPS_BACK = 4
_UNSURE = 0.5  # what a page not yet fetched counts, beside one that was
_MOST = 30.0  # pages; a gain beyond is not worth more


def gains(memory: LinkMemory, worth: Floats) -> Floats:
    """The gain of each page; `worth` is its expected relevance, without what it may open up itself."""
    fetched = memory.fetched
    level = _level(worth[~fetched])
    certain = np.where(fetched, 1.0, _UNSURE)
    beyond = certain * np.maximum(np.where(fetched, memory.relevance, worth) - level, 0)
    found = (memory.found_by >= 0) & ~memory.given
    own = _credited(memory, beyond, found)
    total = own
    for _ in range(_STEPS_BACK):
        total = own + _PASSED_ON * _credited(memory, total, found & fetched)
    return total


def as_target(gain: Floats) -> Floats:
    """A gain on a scale from 0 to 1, for a regression."""
    scaled: Floats = np.clip(np.log1p(gain) / np.log1p(_MOST), 0, 1)
    return scaled


def from_target(target: Floats) -> Floats:
    """The gain for a place on the scale; the reverse of `as_target`."""
    gain: Floats = np.expm1(target * np.log1p(_MOST))
    return gain


def _level(waiting: Floats) -> float:
    place = min(_HORIZON, len(waiting) // _SHARE)
    return float(np.partition(waiting, -place)[-place]) if place else 0.0


def _credited(memory: LinkMemory, worth: Floats, pages: Flags) -> Floats:
    """The worth of some pages, given to the pages that found them."""
    return np.bincount(memory.found_by[pages], worth[pages], memory.pages).astype(np.float64)


def squashed(worth: Floats) -> Floats:
    """Worth without upper bound as a score below 1, in the same order."""
    return worth / (1 + worth)
