"""What is known of the places of a site, in little room: paths are long, so they are told apart by their hashes."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from haenyeo.read.page.texts import Bools, Floats

UNKNOWN = -1
"""The number of a place of which nothing is known."""


class KnownPlaces:
    """By number of a place: how likely `new` blocks, and `every` block, there are text, and more.

    `share` is the share of the pages that have the place; `has_template` says whether texts that stand on most pages
    stand there too, `for_comments` whether readers write there, `aside` whether links to other pages stand there,
    `fixed` whether nothing but the template's own lines does. The last of each is what holds of a place that is not
    known.

    >>> places = KnownPlaces(["div>p", "div>li"], np.array([[0.75, 0.25], [0.5, 0.5], [1, 1]]), np.zeros((4, 2), bool))
    >>> float(places.new[places.number("div>li")]), places.number("div>td")
    (0.25, -1)
    """

    def __init__(self, paths: Sequence[str], values: npt.NDArray[np.floating], signs: Bools) -> None:
        keys = np.array([hash(path) for path in paths], np.int64)
        order = np.argsort(keys)
        self._keys = array("q", keys[order].tobytes())
        columns = np.full((3, len(paths) + 1), np.nan, np.float32)
        columns[:, :-1] = values[:, order]
        columns[2, -1] = 1
        self.new: Floats = columns[0]
        self.every: Floats = columns[1]
        self.share: Floats = columns[2]
        self.has_template: Bools = np.append(signs[0, order], np.True_)
        self.for_comments: Bools = np.append(signs[1, order], np.False_)
        self.aside: Bools = np.append(signs[2, order], np.False_)
        self.fixed: Bools = np.append(signs[3, order], np.False_)

    def __len__(self) -> int:
        return len(self._keys)

    def number(self, path: str) -> int:
        """The number of the place at the end of a path, or `UNKNOWN`."""
        key = hash(path)
        found = bisect_left(self._keys, key)
        return found if found < len(self._keys) and self._keys[found] == key else UNKNOWN


NO_PLACES = KnownPlaces((), np.zeros((3, 0)), np.zeros((4, 0), np.bool_))
