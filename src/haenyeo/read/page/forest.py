"""Gradient-boosted trees that ask the same question of all blocks at each level, so that it can be asked at once.

A tree of depth d has d questions ("is feature f above t?") and 2^d answers. Prokhorenkova et al., "CatBoost" (2018) §4
call them oblivious trees; after Kohavi and Li (1995). They are grown by `bench/train_reader.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from haenyeo import native
from haenyeo.read.page.texts import Floats

COMPILED = native.load("reading")

Sums = npt.NDArray[np.float64]


class Forest:
    """Trees of one depth.

    `features` and `thresholds` have a row for each tree and a column for each level; `values`, in logits, a column for
    each answer; `base` is where they start from. The values are rounded to 11 bits: their sums are then exact, and the
    same in whatever order they are added up.
    """

    def __init__(
        self, features: npt.NDArray[np.integer], thresholds: Floats, values: npt.NDArray[Any], base: float
    ) -> None:
        self.features = np.ascontiguousarray(features, np.int32)
        self.thresholds = np.ascontiguousarray(thresholds, np.float32)
        self.values = np.ascontiguousarray(values.astype(np.float16), np.float32)
        self.base = np.float32(base)

    def probabilities(self, columns: Floats) -> Floats:
        """How sure the forest is of each block, 0 to 1; `columns` has a row for each feature."""
        probabilities: Floats = (1 / (1 + np.exp(-self.logits(columns)))).astype(np.float32)
        return probabilities

    def logits(self, columns: Floats) -> Sums:
        """The same before it is made a probability."""
        sums = np.zeros(columns.shape[1])
        if COMPILED is None:
            sums += self.sums_in_python(columns)
        else:
            columns = np.ascontiguousarray(columns, np.float32)
            trees = (self.features, self.thresholds, self.values, self.features.shape)
            COMPILED.add_trees(columns, columns.shape, *trees, sums)
        logits: Sums = sums + self.base
        return logits

    def sums_in_python(self, columns: Floats) -> Sums:
        """What the trees say of each block, without compiled code."""
        bits = (1 << np.arange(self.features.shape[1])[::-1]).astype(np.float32)
        answers = (columns[self.features] > self.thresholds[:, :, None]).astype(np.float32)
        leaves = np.einsum("l,tlb->tb", bits, answers).astype(np.intp)
        sums: Sums = np.take_along_axis(self.values, leaves, axis=1).sum(axis=0, dtype=np.float64)
        return sums
