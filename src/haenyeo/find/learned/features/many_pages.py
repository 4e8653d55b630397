"""The words of many pages at once."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from haenyeo.find.learned.features.words import TABLE, Ids, Numbers, PageWords

Floats = npt.NDArray[np.float64]

_TINY = 1e-9


class ManyPages:
    """Pages as vectors of length 1, the words weighed by `idf`."""

    def __init__(self, pages: Collection[PageWords], idf: Numbers) -> None:
        self._count = len(pages)
        self._ids: Ids = np.concatenate([np.zeros(0, np.int32), *(page.ids for page in pages)])
        self._owner = np.repeat(np.arange(self._count), [len(page.ids) for page in pages])
        weighed = np.concatenate([np.zeros(0, np.float32), *(page.weights for page in pages)]) * idf[self._ids]
        self._values: Floats = weighed / (np.sqrt(self._summed(weighed**2)) + _TINY)[self._owner]

    def matches(self, direction: Numbers) -> Floats:
        """How far each page goes in a direction."""
        return self._summed(self._values * direction[self._ids])

    def matches_without_itself(self, total: Numbers, rest: Numbers) -> Floats:
        """The same for a direction of length 1 plus `rest`: that of `total`, the sum of all, less the page itself."""
        own, towards = self._summed(self._values**2), self.matches(total)
        length = np.sqrt(np.maximum(total @ total - 2 * towards + own, 0)) + _TINY
        return (towards - own) / length + self.matches(rest)

    def total(self) -> Numbers:
        """The sum of all."""
        return np.bincount(self._ids, self._values, TABLE).astype(np.float32)

    def _summed(self, values: npt.NDArray[np.floating]) -> Floats:
        return np.bincount(self._owner, values, self._count).astype(np.float64)
