"""What speaks for a link? Seven kinds of evidence, each in log-odds, and the page relevance its source has.

- hub: how relevant the pages were that its source page led to so far
- group: the same for the links at the same place of the page, such as one list
- anchor, around: whether its words and the words beside it stand on relevant pages elsewhere
- asked: words of its anchor that the topic names
- known: what links with such words, anchor pieces and address have led to
- leads: how much new such links have opened up (see `gains`)

A page's evidence is the mean over all links known to lead to it: that says far more than the best of them.
"""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.find.learned.columns import Numbers
from haenyeo.find.learned.features import AROUND, TABLE
from haenyeo.find.learned.memory import Floats, Indexes, LinkMemory
from haenyeo.find.learned.regression import Examples, Regression, log_odds

HUB, GROUP, ANCHOR, AROUND_IT, ASKED, KNOWN, LEADS, SOURCE = range(8)
KINDS = 8

_HUB_PRIOR = 3.0  # links of a page (or a place) that are taken to have led to pages as relevant as the mean
_GROUP_PRIOR = 2.0
_SOURCE_PRIOR = 3.0
_IN_AROUND, _IN_PIECES, _IN_ADDRESS, _IN_SHAPE = (
    0.3,
    0.4,
    0.4,
    0.6,
)  # values of features beside 1 for a word of the anchor


class Standards(msgspec.Struct, frozen=True):
    """What links are held against: `topic` and `asked` weigh words, `known` and `leading` weigh features."""

    topic: Numbers
    asked: Numbers
    known: Regression
    leading: Regression
    mean: float


def link_evidence(memory: LinkMemory, standards: Standards, first: int = 0) -> Floats:
    """The evidence of each link from the link `first` on, one row a link."""
    source, group = memory.source[first:], memory.group[first:]
    relevance = np.nan_to_num(memory.relevance)
    anchored = memory.anchors.lengths[first:] + 1
    evidence = np.empty((len(source), KINDS))
    evidence[:, HUB] = _share_of(source, memory, standards.mean, _HUB_PRIOR, first)
    evidence[:, GROUP] = _share_of(group, memory, standards.mean, _GROUP_PRIOR, first)
    evidence[:, ANCHOR] = memory.anchors.sums(standards.topic, first=first) / anchored
    evidence[:, AROUND_IT] = memory.arounds.sums(standards.topic, first=first) / (memory.arounds.lengths[first:] + 1)
    evidence[:, ASKED] = memory.anchors.sums(standards.asked, first=first) / np.sqrt(anchored)
    evidence[:, KNOWN] = _expected(memory, standards.known, first)
    evidence[:, LEADS] = _expected(memory, standards.leading, first)
    evidence[:, SOURCE] = relevance[source]
    return evidence


def page_evidence(sums: Floats, links: Indexes, mean: float) -> Floats:
    """The evidence of pages, out of the sums over the links that lead to each and their number."""
    count = np.maximum(links, 1)
    evidence = sums / count[:, None]
    evidence[:, SOURCE] = log_odds((sums[:, SOURCE] + _SOURCE_PRIOR * mean) / (links + _SOURCE_PRIOR))
    return evidence


def examples(memory: LinkMemory, rows: Indexes) -> Examples:
    """The features of some links, to learn from; the links to one page share its weight."""
    norms = _norms(memory)[rows]
    target = memory.target[rows]
    kinds = (
        (memory.anchors, 1.0, rows, 0),
        (memory.arounds, _IN_AROUND, rows, AROUND),
        (memory.pieces, _IN_PIECES, rows, 0),
        (memory.shapes, _IN_SHAPE, rows, 0),
        (memory.addresses, _IN_ADDRESS, target, 0),
    )
    places, values, owners = [], [], []
    for lists, value, chosen, mask in kinds:
        found, owner = lists.taken(chosen)
        places.append(found.astype(np.int64) ^ mask)
        values.append(value * norms[owner])
        owners.append(owner)
    shares = 1 / np.sqrt(np.bincount(target, minlength=memory.pages)[target])
    return Examples(np.concatenate(places), np.concatenate(values), np.concatenate(owners), shares)


def _expected(memory: LinkMemory, regression: Regression, first: int) -> Floats:
    weights = regression.weights
    target = memory.target[first:]
    if first:
        pages, place = np.unique(target, return_inverse=True)
        found, owners = memory.addresses.taken(pages)
        address: Floats = np.bincount(owners, weights[found], len(pages)).astype(np.float64)[place]
    else:
        address = memory.addresses.sums(weights)[target]
    total = memory.anchors.sums(weights, first=first) + _IN_ADDRESS * address
    total += _IN_AROUND * memory.arounds.sums(weights, first=first, mask=AROUND)
    total += _IN_PIECES * memory.pieces.sums(weights, first=first)
    total += _IN_SHAPE * memory.shapes.sums(weights, first=first)
    expected: Floats = total * _norms(memory, first) + regression.offset
    return expected


def _norms(memory: LinkMemory, first: int = 0) -> Floats:
    squares = memory.anchors.lengths[first:] + _IN_AROUND**2 * memory.arounds.lengths[first:]
    squares = squares + _IN_PIECES**2 * memory.pieces.lengths[first:]
    squares += _IN_SHAPE**2 * memory.shapes.lengths[first:]
    squares += _IN_ADDRESS**2 * memory.addresses.lengths[memory.target[first:]]
    norms: Floats = 1 / np.sqrt(squares + 1e-6)
    return norms


def _share_of(kind: Indexes, memory: LinkMemory, mean: float, prior: float, first: int) -> Floats:
    """The relevance that fetched pages had to which links of the same kind lead, as log-odds."""
    base = int(kind.min(initial=0)) if first else 0
    of = kind - base
    target = memory.target[first:]
    known = memory.fetched[target]
    size = int(of.max(initial=0)) + 1
    count = np.bincount(of[known], minlength=size)
    total = np.bincount(of[known], memory.relevance[target[known]], size)
    return log_odds((total + prior * mean) / (count + prior))[of]


def asked_words(places: Indexes, rarity: Numbers) -> npt.NDArray[np.float32]:
    """A table with the rarity of the words the topic names, and 0 for all others."""
    table = np.zeros(TABLE, np.float32)
    table[places] = rarity
    return table
