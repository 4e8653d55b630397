"""Columns of a group: for each of its elements at most one value, found in the same way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

import msgspec

from haenyeo.watch.rules.places.groups import Group, Labels, step_to
from haenyeo.watch.rules.places.selector import Selector, Step, common_steps
from haenyeo.watch.rules.places.tree import Element, Tree

LEAST_FILLED = 0.2
"""Share of the group's elements that have a value in a column."""

_Steps = tuple[object, ...]
_Route = tuple[str, _Steps]


class ValueColumn(msgspec.Struct, frozen=True, eq=False):
    """Values of one source (text or an attribute) in the elements of a group.

    `nodes` hold the `values`; `roots` are the numbers of the group's elements that have one; `positions` says that the
    way to the nodes counts siblings instead of naming classes.
    """

    source: str
    nodes: Sequence[Element]
    values: Sequence[str]
    roots: Sequence[int]
    depth: int = 0
    positions: bool = False

    def selector(self, tree: Tree) -> Selector:
        """The way from a group's element to the value's node: by classes if that leads there, else by position too."""
        if not self.depth:
            return Selector()
        ancestries = [node.ancestry()[-self.depth :] for node in self.nodes]
        by_class, exact = (common_steps(ancestries, positions=positions) for positions in (False, True))
        by_position = tuple(Step(step.tag, (), step.nth) for step in exact)
        tried = [Selector(steps) for steps in (by_class, by_position, exact)]
        if self.positions:
            tried.append(tried.pop(0))
        return max(tried, key=lambda selector: self._reached(tree, selector))

    def _reached(self, tree: Tree, selector: Selector) -> int:
        """How many of the nodes are the first that the selector finds."""
        firsts = (selector.select(tree, tree.elements[root])[:1] for root in self.roots)
        return sum(first == [node] for first, node in zip(firsts, self.nodes, strict=True))


def columns(tree: Tree, labels: Labels, group: Group, sources: Collection[str]) -> list[ValueColumn]:
    """The group's columns of text and of the named attributes; of equal ones the innermost."""
    cells: defaultdict[tuple[_Route, str], dict[int, Element]] = defaultdict(dict)
    for root in group.roots:
        for element, routes in _inside(root, labels):
            for source in _sources(tree, element, sources):
                for route in routes:
                    cells[route, source].setdefault(root.number, element)
    least = max(1.0, LEAST_FILLED * len(group.roots))
    best: dict[tuple[str, tuple[str, ...]], ValueColumn] = {}
    for ((how, steps), source), nodes in cells.items():
        if len(nodes) >= least:
            column = _column(tree, source, nodes, len(steps), positions=how == "positions")
            same = best.get((source, tuple(column.values)))
            if any(column.values) and (same is None or _rank(column) > _rank(same)):
                best[source, tuple(column.values)] = column
    return list(best.values())


def _inside(root: Element, labels: Labels) -> Iterator[tuple[Element, tuple[_Route, _Route]]]:
    """The root and all in it, in document order, with the two ways there: by labels and by positions."""
    waiting: list[tuple[Element, _Steps, _Steps]] = [(root, (), ())]
    while waiting:
        element, by_label, by_position = waiting.pop()
        yield element, (("labels", by_label), ("positions", by_position))
        for child in reversed(element.children):
            step = step_to(child)
            waiting.append((child, (*by_label, labels.label[child.number]), (*by_position, (step.tag, step.nth))))


def _sources(tree: Tree, element: Element, wanted: Collection[str]) -> Iterator[str]:
    if "" in wanted and tree.holds_text(element):
        yield ""
    for source in wanted:
        if source and element.attributes.get(source):
            yield source


def _column(tree: Tree, source: str, cells: dict[int, Element], depth: int, *, positions: bool) -> ValueColumn:
    roots = sorted(cells)
    nodes = [cells[root] for root in roots]
    return ValueColumn(source, nodes, [tree.value(node, source) for node in nodes], roots, depth, positions)


def _rank(column: ValueColumn) -> tuple[int, bool]:
    return column.nodes[0].depth, not column.positions
