"""Maximal repeats of a sequence: what occurs at least so often, and no longer sequence around it does.

A suffix array by prefix doubling (Manber & Myers 1993) and common prefixes of neighbours (Kasai et al. 2001), so that
a page of n tokens costs n log² n whatever it repeats; a trie of all repeats can take n².
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]


def maximal_repeats(sequence: Sequence[int], times: int) -> Iterator[tuple[int, int]]:
    """The first place and the length of each sequence found at least `times` times and part of no longer such one.

    Occurrences may overlap.

    >>> list(maximal_repeats([7, 1, 2, 3, 1, 2, 3, 1, 2], times=2))
    [(1, 5)]
    """
    values = np.unique(np.asarray(sequence, dtype=np.int64), return_inverse=True)[1].astype(np.int64)
    if len(values) < max(times, 1):
        return
    if times <= 1:
        yield 0, len(values)
        return
    suffixes = _suffix_array(values)
    common = _common_prefixes(values, suffixes)
    lengths = _repeated_lengths(common, times)
    longest = np.zeros(len(values) + 1, dtype=np.int64)
    longest[suffixes] = lengths  # by place; the last, for the place before the first, stays 0
    for start, end in _runs(lengths, common):
        length = int(lengths[start])
        apart = common[start] < length and (end == len(lengths) or common[end] < length)
        if length and apart and int(longest[suffixes[start:end] - 1].max()) <= length:
            yield int(suffixes[start:end].min()), length


def _suffix_array(values: Numbers) -> Numbers:
    """The places of the sequence, ordered by what follows from there."""
    rank = values
    step = 1
    while True:
        following = np.full(len(rank), -1, dtype=np.int64)
        following[:-step] = rank[step:]
        order = np.lexsort((following, rank))
        new = np.empty_like(rank)
        differs = (np.diff(rank[order]) != 0) | (np.diff(following[order]) != 0)
        new[order] = np.concatenate(([0], np.cumsum(differs)))
        rank = new
        step *= 2
        if rank.max() == len(rank) - 1 or step >= len(rank):
            return order


def _common_prefixes(values: Numbers, suffixes: Numbers) -> Numbers:
    """How many values each suffix has in common with the one before it in order; 0 for the first."""
    sequence = values.tolist()
    order = suffixes.tolist()
    size = len(order)
    rank = np.empty(size, dtype=np.int64)
    rank[suffixes] = np.arange(size)
    common = np.zeros(size, dtype=np.int64)
    length = 0
    for place, position in enumerate(rank.tolist()):
        if not position:
            length = 0
            continue
        other = order[position - 1]
        limit = size - max(place, other)
        while length < limit and sequence[place + length] == sequence[other + length]:
            length += 1
        common[position] = length
        length = max(length - 1, 0)
    return common


def _repeated_lengths(common: Numbers, times: int) -> Numbers:
    """For each suffix in order, the length of its longest beginning that occurs at least `times` times."""
    shared = np.lib.stride_tricks.sliding_window_view(common[1:], times - 1).min(axis=1)
    edge = np.zeros(times - 1, dtype=np.int64)
    padded = np.concatenate((edge, shared, edge))
    lengths: Numbers = np.lib.stride_tricks.sliding_window_view(padded, times).max(axis=1)
    return lengths


def _runs(lengths: Numbers, common: Numbers) -> Iterator[tuple[int, int]]:
    """Stretches of suffixes that have the same repeated beginning."""
    breaks = np.flatnonzero((np.diff(lengths) != 0) | (common[1:] < lengths[1:])) + 1
    edges = np.concatenate(([0], breaks, [len(lengths)])).tolist()
    yield from pairwise(edges)
