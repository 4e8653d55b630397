"""Of many pages, the few most urgent ones."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from haenyeo.refresh.address_book import Numbers

Floats = npt.NDArray[np.floating]

NOT_NOW = -np.inf
_PIECE = 1 << 18
OVERDUE = np.float32(1e30)  # above any urgency; what lies beyond it is ordered by age


def most_urgent(urgency: Floats, limit: int) -> Numbers:
    """The numbers of at most `limit` pages, most urgent first; of equals the lower number; none that is `NOT_NOW`."""
    limit = min(limit, len(urgency))
    if limit <= 0:
        return np.empty(0, np.int64)
    if limit < len(urgency):
        least = np.partition(urgency, -limit)[-limit]
        enough = _at_least(urgency, least)
        better = urgency[enough] > least
        chosen = np.concatenate([enough[better], enough[~better][: limit - better.sum()]])
    else:
        chosen = np.arange(limit)
    chosen = chosen[urgency[chosen] > NOT_NOW]
    ordered: Numbers = chosen[np.argsort(-urgency[chosen], kind="stable")]
    return ordered


def _at_least(urgency: Floats, least: np.floating) -> Numbers:
    """The numbers of pages of at least this urgency, in order; found in pieces, which keeps the memory small."""
    pieces = range(0, len(urgency), _PIECE)
    return np.concatenate([start + np.flatnonzero(urgency[start : start + _PIECE] >= least) for start in pieces])
