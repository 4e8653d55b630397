"""How the blocks of a page stand together.

Their paths are a tree of all prefixes, the elements around the blocks. Values of blocks are summed up by place and over
neighbours, and the way to marked blocks is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from haenyeo import native
from haenyeo.read.page.places import may_contain
from haenyeo.read.page.texts import Bools, Floats, Numbers

COMPILED = native.load("reading")

MAX_PREFIXES = 4_000
"""Different elements around the blocks of a page that are told apart."""

FAR = 50.0
"""The distance to a block that is nowhere near, or not on the page."""

_Integers = npt.NDArray[np.int32]
_Found = tuple[list[str], _Integers, _Integers, Bools]


class PathTree:
    """Paths and all their prefixes.

    `up[n, path]` is the number of the prefix n steps above the path's end; `ways` are the numbers of the prefixes at
    the paths' ends, and of those around each prefix.
    """

    LEVELS = 4

    def __init__(self, paths: list[str]) -> None:
        self.prefixes, self._ends, self._parents, self.may_contain = prefixes_of(paths)
        self.ways = (self._ends, self._parents)
        self.up, self.depth = rows_of(self._ends, self._parents, self.LEVELS)

    def sums(self, by_path: Sequence[Floats] | npt.NDArray[Any]) -> Floats:
        """Of each of some values per path, the sums per prefix."""
        return sums_of(self._ends, self._parents, np.concatenate(by_path).reshape(len(by_path), -1))

    def inside_of(self, prefix: int) -> Bools:
        """Which prefixes lie in another."""
        shared = shared_with(np.arange(len(self._parents), dtype=np.int32), self._parents, prefix)
        inside: Bools = shared == self.depth[prefix]
        inside[prefix] = False
        return inside

    def is_inside(self, prefix: int) -> Bools:
        """Which paths lead through a prefix."""
        inside: Bools = self.shared_depth(prefix) == self.depth[prefix]
        return inside

    def shared_depth(self, prefix: int) -> Floats:
        """For each path, how many steps it has in common with a prefix."""
        return shared_with(self._ends, self._parents, prefix)


def prefixes_of(paths: list[str]) -> _Found:
    """All prefixes of paths, the empty one first and each after its parent; the number of each path's own.

    Then the number of each prefix's parent, and whether it may be a container. When there is no room for more, a path
    has the number of its longest prefix.
    """
    if COMPILED is None:
        return prefixes_in_python(paths)
    ends, parents = np.empty(len(paths), np.int32), np.empty(MAX_PREFIXES, np.int32)
    may = np.empty(MAX_PREFIXES, np.bool_)
    prefixes = COMPILED.path_tree(paths, MAX_PREFIXES, ends, parents, may)
    return prefixes, ends, parents[: len(prefixes)], may[: len(prefixes)]


def prefixes_in_python(paths: list[str]) -> _Found:
    """The same as `prefixes_of`, without compiled code."""
    numbers, parents = {"": 0}, [0]
    ends = []
    for path in paths:
        new, known = [], path
        while known not in numbers:
            new.append(known)
            known = known.rpartition(">")[0]
        end = numbers[known]
        for prefix in reversed(new[-(MAX_PREFIXES - len(numbers)) :] if len(numbers) < MAX_PREFIXES else []):
            parents.append(end)
            end = numbers[prefix] = len(numbers)
        ends.append(end)
    may = np.array([may_contain(prefix) for prefix in numbers], np.bool_)
    return list(numbers), np.array(ends, np.int32), np.array(parents, np.int32), may


def rows_of(ends: _Integers, parents: _Integers, levels: int) -> tuple[Numbers, Floats]:
    """`up` so many levels, and the depth of each prefix; see `PathTree`."""
    if COMPILED is None:
        return rows_in_python(ends, parents, levels)
    up, depth = np.empty((levels, len(ends)), np.intp), np.empty(len(parents), np.float32)
    COMPILED.tree_rows(ends, parents, up, levels, depth)
    return up, depth


def rows_in_python(ends: _Integers, parents: _Integers, levels: int) -> tuple[Numbers, Floats]:
    """The same as `rows_of`, without compiled code."""
    around, ways = ends, [ends]
    while len(ways) < levels:
        around = parents[around]
        ways.append(around)
    depth = [0] * len(parents)
    for number, parent in enumerate(parents[1:].tolist(), 1):  # parents come before what is in them
        depth[number] = depth[parent] + 1
    return np.array(ways[:levels], np.intp).reshape(levels, len(ends)), np.array(depth, np.float32)


def sums_of(ends: _Integers, parents: _Integers, values: Floats) -> Floats:
    """Of each row of the paths' values, the sum for each prefix over the paths that lead through it."""
    if COMPILED is None:
        return sums_in_python(ends, parents, values)
    sums = np.empty((len(values), len(parents)))
    COMPILED.tree_sums(ends, parents, np.ascontiguousarray(values, np.float32), len(values), sums)
    return sums.astype(np.float32)


def sums_in_python(ends: _Integers, parents: _Integers, values: Floats) -> Floats:
    """The same as `sums_of`, without compiled code."""
    sums = np.zeros((len(parents), len(values)))
    np.add.at(sums, ends, values.T)
    for number in range(len(parents) - 1, 0, -1):
        sums[parents[number]] += sums[number]
    return np.ascontiguousarray(sums.T, np.float32)


def shared_with(ends: _Integers, parents: _Integers, prefix: int) -> Floats:
    """For each path, how many steps it has in common with a prefix."""
    if COMPILED is None:
        return shared_in_python(ends, parents, prefix)
    shared = np.empty(len(ends), np.float32)
    COMPILED.tree_shared(ends, parents, prefix, shared)
    return shared


def shared_in_python(ends: _Integers, parents: _Integers, prefix: int) -> Floats:
    """The same as `shared_with`, without compiled code."""
    shared = np.zeros(len(parents), np.float32)
    while prefix:
        shared[prefix] = 1
        prefix = int(parents[prefix])
    for number, parent in enumerate(parents[1:].tolist(), 1):
        shared[number] += shared[parent]
    return shared[ends]


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
