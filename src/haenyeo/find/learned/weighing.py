"""What do the features of many links weigh together? Sums for all of them at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from haenyeo import native
from haenyeo.find.learned.columns import Lists, Numbers, Rows
from haenyeo.find.learned.features.links import ANCHOR, AROUND, PIECES, SHAPE

COMPILED = native.load("weighing")

Floats = npt.NDArray[np.float64]

LEFT_OUT = -1
"""Where a link leads that is not to be weighed."""

BESIDE = 0x15A5A
"""Turns a word's place into that of the same word beside a link."""

_IN_KIND = {ANCHOR: 1.0, PIECES: 0.4, SHAPE: 0.6, AROUND: 0.3}  # values of features, 1 for a word of the anchor
_IN_ADDRESS = 0.4
_TINY = 1e-6
_COLUMNS = 5


class Features(NamedTuple):
    """The features of links: those on their pages, those of the addresses they lead to, and the pages these are."""

    links: Lists
    addresses: Lists
    targets: Rows

    @property
    def arrays(self) -> tuple[Numbers, Numbers, Numbers, Numbers, Numbers]:
        """All fields as arrays, for the compiled code."""
        return self.links.flat, self.links.ends, self.addresses.flat, self.addresses.ends, self.targets


def weigh(features: Features, words: Numbers, weights: Numbers, first: int = 0) -> Floats:
    """What links weigh, from the link `first` on: a row each.

    `words` has two weights a place; the mean of the first over the words of the anchor and over those beside it comes
    first, then the sum of the second over the anchor divided by the root of their number. Then, by `weights` with two
    a place, both sums over all features, these taken as a vector of length 1.
    """
    if COMPILED is None:
        return weigh_in_python(features, words, weights, first)
    count = len(features.targets)
    found = np.zeros((count - first, _COLUMNS))
    COMPILED.weigh(features.arrays, words, weights, first, count, found)
    return found


def weigh_in_python(features: Features, words: Numbers, weights: Numbers, first: int = 0) -> Floats:
    """The same without compiled code."""
    links, targets = features.links, features.targets[first:]
    anchor, around = (_sums(links, words, kind, first) for kind in (ANCHOR, AROUND))
    anchored, beside = (_lengths(links, kind)[first:] + 1 for kind in (ANCHOR, AROUND))
    total = _IN_ADDRESS * _sums(features.addresses, weights, 0)[targets]
    for kind, value in _IN_KIND.items():
        total += value * _sums(links, weights, kind, first, BESIDE if kind == AROUND else 0)
    total *= norms(features)[first:, None]
    columns = (anchor[:, 0] / anchored, around[:, 0] / beside, anchor[:, 1] / np.sqrt(anchored), *total.T)
    found: Floats = np.stack(columns, axis=1)
    found[targets == LEFT_OUT] = 0
    return found


def norms(features: Features) -> Floats:
    """What each link's features are multiplied with to become a vector of length 1."""
    squares = _IN_ADDRESS**2 * _lengths(features.addresses, 0)[features.targets]
    for kind, value in _IN_KIND.items():
        squares = squares + value**2 * _lengths(features.links, kind)
    found: Floats = 1 / np.sqrt(squares + _TINY)
    return found


def entries(features: Features, rows: Rows) -> tuple[Rows, Floats, Rows]:
    """All features of some links: the place of each, its value, and the number of its link within `rows`."""
    lengths = norms(features)[rows]
    places, values, owners = [], [], []
    for kind, value in _IN_KIND.items():
        found, owner = _taken(features.links, kind, rows)
        places.append(found ^ BESIDE if kind == AROUND else found)
        values.append(value * lengths[owner])
        owners.append(owner)
    found, owner = _taken(features.addresses, 0, features.targets[rows])
    return (
        np.concatenate([*places, found]),
        np.concatenate([*values, _IN_ADDRESS * lengths[owner]]),
        np.concatenate([*owners, owner]),
    )


def _lengths(lists: Lists, kind: int) -> Rows:
    starts, ends = lists.bounds(kind)
    return ends - starts


def _sums(lists: Lists, weights: Numbers, kind: int, first: int = 0, mask: int = 0) -> Floats:
    starts, ends = (bound[first:] for bound in lists.bounds(kind))
    base = int(starts[0]) if len(starts) else 0
    places = lists.flat[base:]
    running = np.zeros((len(places) + 1, 2))
    np.cumsum(weights[places ^ mask], axis=0, out=running[1:])
    return running[ends - base] - running[starts - base]


def _taken(lists: Lists, kind: int, rows: Rows) -> tuple[Rows, Rows]:
    """The places of some rows, one after the other, and for each the number of its row within `rows`."""
    starts, ends = (bound[rows] for bound in lists.bounds(kind))
    counts = ends - starts
    owners = np.repeat(np.arange(len(rows)), counts)
    at = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts - starts, counts)
    return lists.flat[at].astype(np.int64), owners
