"""Sums over a page's words, which are places of a table of features, and what lies where among numbers."""

from __future__ import annotations

import numpy as np

from haenyeo import native
from haenyeo.find.learned.columns import Numbers
from haenyeo.find.learned.features import PageWords

COMPILED = native.load("weighing")

_TINY = 1e-9


def quantile(values: Numbers, share: float) -> float:
    """The value below which this share of some values lies, between two of them if need be."""
    at = share * (len(values) - 1)
    low, high = int(at), min(int(at) + 1, len(values) - 1)
    ordered = np.partition(values, (low, high))
    return float(ordered[low] + (at - low) * (ordered[high] - ordered[low]))


def add(table: Numbers, page: PageWords, value: float) -> None:
    """Add a value at the places of a page's words."""
    if COMPILED is None:
        add_in_python(table, page, value)
    else:
        COMPILED.add(table, page.ids, value)


def add_in_python(table: Numbers, page: PageWords, value: float) -> None:
    """The same without compiled code."""
    np.add.at(table, page.ids, np.float32(value))


def match(page: PageWords, idf: Numbers, direction: Numbers) -> float:
    """How far a page goes in a direction, its words weighed by `idf` and taken as a vector of length 1."""
    if COMPILED is None:
        return match_in_python(page, idf, direction)
    found: float = COMPILED.match(page.ids, page.weights, idf, direction)
    return found


def match_in_python(page: PageWords, idf: Numbers, direction: Numbers) -> float:
    """The same without compiled code."""
    vector = (page.weights * idf[page.ids]).astype(np.float64)
    return float(vector @ direction[page.ids] / (np.sqrt(vector @ vector) + _TINY))


def add_vector(table: Numbers, page: PageWords, idf: Numbers, share: float) -> None:
    """Add a page to a table, its words weighed by `idf` and taken as a vector of the length `share`."""
    if COMPILED is None:
        add_vector_in_python(table, page, idf, share)
    else:
        COMPILED.add_vector(table, page.ids, page.weights, idf, share)


def add_vector_in_python(table: Numbers, page: PageWords, idf: Numbers, share: float) -> None:
    """The same without compiled code."""
    vector = (page.weights * idf[page.ids]).astype(np.float64)
    np.add.at(table, page.ids, (vector * share / (np.sqrt(vector @ vector) + _TINY)).astype(np.float32))
