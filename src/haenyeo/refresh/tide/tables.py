"""Adding many rows into a table at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.floating[Any]]
Rows = npt.NDArray[np.integer[Any]]


def add_by_row(table: Table, rows: Rows, values: Table) -> None:
    """Add each line of `values` to its row of the table; a row may be named any number of times."""
    if not len(rows):
        return
    order = np.argsort(rows, kind="stable")
    ordered = rows[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    table[ordered[starts]] += np.add.reduceat(values[order], starts, axis=0)


def drawn(counts: Table, exposures: Table, weight: float, prior: Table | float) -> Table:
    """Rates from counts, drawn towards a prior rate as if it had been seen for `weight` more of exposure."""
    rates: Table = (counts + weight * prior) / (exposures + weight)
    return rates
