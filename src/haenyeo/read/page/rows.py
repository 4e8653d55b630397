"""Rows of numbers about the blocks of a page: sums by place, sums over neighbours, distances to marked blocks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from haenyeo import native
from haenyeo.read.page.texts import Bools, Floats, Numbers

COMPILED = native.load("reading")

FAR = 50.0
"""The distance to a block that is nowhere near, or not on the page."""


def table(rows: Sequence[Floats]) -> Floats:
    """The same as `np.stack`, which takes three times as long for so many short rows."""
    return np.concatenate(rows).reshape(len(rows), -1)


def sums_by_place(where: Numbers, values: Floats, places: int) -> Floats:
    """Of each row of the blocks' values, the sum for each place; `where` has the numbers of the blocks' places."""
    if COMPILED is None:
        return sums_by_place_in_python(where, values, places)
    sums = np.empty((len(values), places), np.float32)
    COMPILED.sums_by_place(where, np.ascontiguousarray(values, np.float32), len(values), places, sums)
    return sums


def sums_by_place_in_python(where: Numbers, values: Floats, places: int) -> Floats:
    """The same as `sums_by_place`, without compiled code."""
    sums = [np.bincount(where, row, places).astype(np.float32) for row in values]
    return np.array(sums, np.float32).reshape(len(values), places)


def windows(values: Floats, reaches: Sequence[int]) -> Floats:
    """For each block, the sums over it and so many blocks on either side, of each row; a table for each reach."""
    if COMPILED is None:
        return windows_in_python(values, reaches)
    sums = np.empty((len(reaches), *values.shape), np.float32)
    COMPILED.windows(np.ascontiguousarray(values, np.float32), len(values), np.array(reaches, np.intp), sums)
    return sums


def windows_in_python(values: Floats, reaches: Sequence[int]) -> Floats:
    """The same as `windows`, without compiled code."""
    size, most = values.shape[1], max(reaches)
    sums = np.zeros((len(values), size + 1 + 2 * most))
    np.cumsum(values, axis=1, out=sums[:, most + 1 : most + 1 + size], dtype=np.float64)
    sums[:, most + 1 + size :] = sums[:, most + size, None]
    tables = [
        sums[:, most + reach + 1 : most + reach + 1 + size] - sums[:, most - reach : most - reach + size]
        for reach in reaches
    ]
    return np.array(tables, np.float32)


def distances(marked: Bools) -> Floats:
    """Blocks since the last marked one, and until the next."""
    if COMPILED is None:
        return distances_in_python(marked)
    steps = np.empty((2, len(marked)), np.float32)
    COMPILED.distances(np.ascontiguousarray(marked, np.bool_), FAR, steps)
    return steps


def distances_in_python(marked: Bools) -> Floats:
    """The same as `distances`, without compiled code."""
    places = np.arange(len(marked), dtype=np.float32)
    last = np.maximum.accumulate(np.where(marked, places, -FAR))
    following = np.minimum.accumulate(np.where(marked, places, len(marked) + FAR)[::-1])[::-1]
    return np.array([np.minimum(places - last, FAR), np.minimum(following - places, FAR)], np.float32)
