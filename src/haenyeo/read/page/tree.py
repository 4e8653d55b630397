"""How the paths of blocks hang together: as the tree of all their prefixes, the elements around the blocks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from haenyeo import native
from haenyeo.read.page.places import is_within, may_contain
from haenyeo.read.page.texts import Bools, Floats, Numbers

COMPILED = native.load("reading")

MAX_PREFIXES = 4_000
"""Different elements around the blocks of a page that are told apart."""

_Integers = npt.NDArray[np.int32]
_Found = tuple[list[str], _Integers, _Integers, Bools]
_Rows = tuple[Floats, Numbers, Floats]


class PathTree:
    """Paths and all their prefixes: `inside[path, prefix]` is 1 where the path leads through the prefix.

    `up[n, path]` is the number of the prefix n steps above the path's end.
    """

    LEVELS = 4

    def __init__(self, paths: list[str]) -> None:
        self.prefixes, ends, self._parents, self.may_contain = prefixes_of(paths)
        self.inside, self.up, self.depth = rows_of(ends, self._parents, self.LEVELS)

    def sums(self, by_path: Sequence[Floats]) -> Floats:
        """Of each of some values per path, the sums per prefix."""
        sums: Floats = np.stack(by_path) @ self.inside
        return sums

    def inside_of(self, prefix: int) -> Bools:
        """Which prefixes lie in another."""
        outer = self.prefixes[prefix]
        return np.array([is_within(inner, outer) and inner != outer for inner in self.prefixes], np.bool_)

    def shared_depth(self, prefix: int) -> Floats:
        """For each path, how many steps it has in common with a prefix."""
        way = []
        while prefix:
            way.append(prefix)
            prefix = int(self._parents[prefix])
        shared: Floats = self.inside[:, way].sum(axis=1)
        return shared


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


def rows_of(ends: _Integers, parents: _Integers, levels: int) -> _Rows:
    """`inside`, `up` so many levels, and the depth of each prefix; see `PathTree`."""
    if COMPILED is None:
        return rows_in_python(ends, parents, levels)
    inside = np.empty((len(ends), len(parents)), np.float32)
    up, depth = np.empty((levels, len(ends)), np.intp), np.empty(len(parents), np.float32)
    COMPILED.tree_rows(ends, parents, inside, inside.shape, up, levels, depth)
    return inside, up, depth


def rows_in_python(ends: _Integers, parents: _Integers, levels: int) -> _Rows:
    """The same as `rows_of`, without compiled code."""
    inside = np.zeros((len(ends), len(parents)), np.float32)
    rows, around, ways = np.arange(len(ends)), ends, [ends]
    while around.any():
        inside[rows, around] = 1
        around = parents[around]
        ways.append(around)
    inside[:, 0] = 1
    nowhere = np.zeros(len(ends), np.intp)
    depth = [0] * len(parents)
    for number, parent in enumerate(parents[1:].tolist(), 1):  # parents come before what is in them
        depth[number] = depth[parent] + 1
    return inside, np.array([*ways, *[nowhere] * levels][:levels], np.intp), np.array(depth, np.float32)
