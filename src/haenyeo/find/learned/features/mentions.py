"""What does one more page with links tell of the pages it links to? How often they are mentioned, and from outside."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from haenyeo import native

COMPILED = native.load("weighing")

Indexes = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


class Thrift(NamedTuple):
    """How few links are to be described: of those to a page the first `all_described` pages have, a power of two, all.

    Of the next as many every second is, then every fourth, and so on. Of links to pages that were fetched it is one in
    `rarely` times as many.
    """

    all_described: int = 8
    rarely: int = 1


def worth_describing(targets: Indexes, mentions: Indexes, relevance: Floats, thrift: Thrift) -> Indexes:
    """Which of a page's links to describe, by how many pages linked to the same target before; counts this page too.

    `mentions` and `relevance` are those of all pages.
    """
    if COMPILED is None:
        return worth_describing_in_python(targets, mentions, relevance, thrift)
    found = COMPILED.worth_describing(targets, mentions, relevance, *thrift)
    return np.frombuffer(found, np.int64)


def worth_describing_in_python(targets: Indexes, mentions: Indexes, relevance: Floats, thrift: Thrift) -> Indexes:
    """The same without compiled code."""
    counts = mentions[targets]
    mentions[targets] = counts + 1
    doubled = np.frexp(counts)[1] - thrift.all_described.bit_length() + 1  # frexp tells how many bits a number has
    steps = np.left_shift(1, np.maximum(doubled, 0, dtype=np.int64))
    steps[~np.isnan(relevance[targets])] *= thrift.rarely
    return np.flatnonzero(counts & (steps - 1) == 0)


def mark_doors(targets: Indexes, homes: Indexes, around: Indexes, doors: Flags) -> None:
    """Mark those pages as doors whose home is not among the folders around the page that links to them."""
    if COMPILED is None:
        mark_doors_in_python(targets, homes, around, doors)
    else:
        COMPILED.mark_doors(targets, homes, around, doors)


def mark_doors_in_python(targets: Indexes, homes: Indexes, around: Indexes, doors: Flags) -> None:
    """The same without compiled code."""
    inside = (homes[targets, None] == around).any(axis=1)
    doors[targets[~inside]] = True
