"""Gradient-boosted trees that ask the same question of all blocks at each level, so that numpy can ask it at once.

A tree of depth d has d questions ("is feature f above t?") and 2^d answers. Prokhorenkova et al., "CatBoost" (2018) §4
call them oblivious trees; after Kohavi and Li (1995). They are grown by `bench/train_reader.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from haenyeo.read.page.outline import Floats


class Forest:
    """Trees of one depth.

    `features` and `thresholds` have a row for each tree and a column for each level; `values`, in logits, a column for
    each answer; `base` is where they start from.
    """

    def __init__(
        self, features: npt.NDArray[np.integer], thresholds: Floats, values: npt.NDArray[Any], base: float
    ) -> None:
        self.features = features.astype(np.intp)
        self.thresholds = thresholds.astype(np.float32)
        self.values = values.astype(np.float32)
        self.base = np.float32(base)
        self._bits = (1 << np.arange(features.shape[1])[::-1]).astype(np.float32)
        self._trees = np.arange(len(features))

    def probabilities(self, rows: Floats) -> Floats:
        """How sure the forest is of each row, 0 to 1."""
        shape = (len(rows), *self.features.shape)
        answers = (rows.take(self.features.ravel(), axis=1).reshape(shape) > self.thresholds).astype(np.float32)
        leaves = (answers @ self._bits).astype(np.intp)
        logits = self.values[self._trees, leaves].sum(axis=1) + self.base
        probabilities: Floats = 1 / (1 + np.exp(-logits))
        return probabilities
