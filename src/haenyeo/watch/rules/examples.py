"""Learning a rule from example records.

Every group of like elements is a candidate for the records, every column in it for a field. The best group has the
examples together, one to a record, and its columns hold many more values like theirs and few unlike. A field that is
not inside the records may stand before them and hold for several, as a date above a day's news.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from haenyeo.watch.rules.fit import Fit, fitted_rule, shared_column
from haenyeo.watch.rules.places.columns import ValueColumn, columns
from haenyeo.watch.rules.places.groups import Group, Labels, in_navigation, record_groups, same_places
from haenyeo.watch.rules.places.tree import Element, Tree
from haenyeo.watch.rules.profile import Profile, alike, profile_of
from haenyeo.watch.rules.rule import Rule, is_of_kind
from haenyeo.watch.rules.values import comparable, file_suffix, is_dated

Example = Mapping[str, str]

SOURCES = ("href", "", "src", "datetime", "content", "title", "alt")
"""Where values are looked for: the text (empty) and attributes, the first wins among equals."""

_LEAST_ALIKE = 0.2
_FOUND, _LIKE, _UNLIKE = 3.0, 0.55, 0.5  # worth of all examples in a column, of its other values
_SHARED_COSTS = 0.8
_TOGETHER, _WHOLE = 1.6, 4.0  # worth of an example's fields in one row, and of all of them
_TOO_FEW_ROWS, _NAVIGATION = 3.0, 2.0
_SIZE = 0.05


class _Wanted(msgspec.Struct, frozen=True):
    """What the examples say of a field."""

    source: str
    values: frozenset[str]
    profile: Profile
    only: str

    def worth(self, column: ValueColumn) -> float:
        """How well a column serves the field; 0 when it has none of the examples."""
        filled = [value for value in column.values if value and is_of_kind(value, self.only)]
        different = {comparable(value, self.source): value for value in filled}
        found = len(self.values & different.keys()) / len(self.values)
        if not found:
            return 0.0
        counted = list(different.values()) if self.source else filled
        like = sum(map(self._is_like, counted))
        return _FOUND * found + _LIKE * math.log1p(like) - _UNLIKE * math.log1p(len(counted) - like)

    def _is_like(self, value: str) -> bool:
        return (
            self.only == "date"
            or comparable(value, self.source) in self.values
            or alike(self.profile, value) > _LEAST_ALIKE
        )


def learn_from_examples(tree: Tree, examples: Sequence[Example]) -> Rule | None:
    """The rule that takes the examples and their like from the page; None when the page has none of them."""
    wanted = _wanted(tree, examples)
    if not wanted:
        return None
    labels = Labels(tree)
    rows = [_comparable(example, wanted) for example in examples]
    shared = _shared_columns(tree, labels, wanted)
    best: tuple[float, Fit] | None = None
    for group in record_groups(tree, labels):
        fit = _fit(tree, labels, group, wanted, shared)
        if fit is not None:
            worth = _worth(fit, wanted, rows)
            if best is None or worth > best[0]:
                best = worth, fit
    return fitted_rule(tree, best[1]) if best else None


def _wanted(tree: Tree, examples: Sequence[Example]) -> dict[str, _Wanted]:
    """The fields whose examples are on the page, each with the source that has most of them."""
    held = _held_values(tree)
    found = {}
    for name in dict.fromkeys(name for example in examples for name in example):
        values = [example[name] for example in examples if example.get(name)]
        times = [sum(comparable(value, source) in held[source] for value in values) for source in SOURCES]
        if any(times):
            source = SOURCES[times.index(max(times))]
            cleaned = [value.strip() if source else " ".join(value.split()) for value in values]
            found[name] = _Wanted(
                source, frozenset(comparable(v, source) for v in values), profile_of(cleaned), _only(cleaned, source)
            )
    return found


def _held_values(tree: Tree) -> dict[str, set[str]]:
    held: dict[str, set[str]] = {source: set() for source in SOURCES}
    for element in tree.elements:
        if tree.holds_text(element):
            held[""].add(comparable(tree.text(element), ""))
        for source in SOURCES:
            if source and element.attributes.get(source):
                held[source].add(comparable(element.attributes[source] or "", source))
    return held


def _only(values: Sequence[str], source: str) -> str:
    """What all values have to be: dates, or files of one suffix."""
    if source:
        suffixes = {file_suffix(value) for value in values}
        return f".{suffixes.pop()}" if len(suffixes) == 1 and "" not in suffixes else ""
    return "date" if all(map(is_dated, values)) else ""


def _comparable(example: Example, wanted: Mapping[str, _Wanted]) -> dict[str, str]:
    return {name: comparable(example[name], wanted[name].source) for name in wanted if example.get(name)}


def _shared_columns(tree: Tree, labels: Labels, wanted: Mapping[str, _Wanted]) -> dict[str, tuple[float, ValueColumn]]:
    """For each field the best column of elements in like places, wherever in the page they are."""
    found: dict[str, tuple[float, ValueColumn]] = {}
    for place in same_places(tree, labels):
        for name, field in wanted.items():
            if any(_innermost(tree, element, field) for element in place):
                column = shared_column(tree, place, field.source)
                worth = field.worth(column)
                if worth and (name not in found or worth > found[name][0]):
                    found[name] = worth, column
    return found


def _innermost(tree: Tree, element: Element, field: _Wanted) -> bool:
    """Whether the element, and no child of it, has one of the examples' values."""
    if not _has(tree, element, field):
        return False
    return not any(_has(tree, child, field) for child in element.children)


def _has(tree: Tree, element: Element, field: _Wanted) -> bool:
    if not field.source and not tree.holds_text(element):
        return False
    return comparable(tree.value(element, field.source), field.source) in field.values


def _fit(
    tree: Tree,
    labels: Labels,
    group: Group,
    wanted: Mapping[str, _Wanted],
    shared: Mapping[str, tuple[float, ValueColumn]],
) -> Fit | None:
    """The best columns for the fields, inside the group or shared; None when nothing is inside."""
    own: dict[str, tuple[float, ValueColumn]] = {}
    for column in columns(tree, labels, group, {field.source for field in wanted.values()}):
        for name, field in wanted.items():
            worth = field.worth(column) if field.source == column.source else 0.0
            if worth and worth + _preference(column) > own.get(name, (0.0,))[0]:
                own[name] = worth + _preference(column), column
    if not own:
        return None
    most = max(sum(is_of_kind(v, wanted[name].only) for v in column.values) for name, (_, column) in own.items())
    fit = Fit(group, {}, {}, {name: field.only for name, field in wanted.items()}, 0.0)
    for name in wanted:
        inside, outside = own.get(name), shared.get(name)
        if outside and len(set(outside[1].values)) > most:
            outside = None  # more different values than records: it cannot be what records share
        if inside and (not outside or inside[0] >= outside[0] - _SHARED_COSTS):
            fit.own[name] = inside[1]
            fit.score += inside[0]
        elif outside:
            fit.shared[name] = outside[1]
            fit.score += outside[0] - _SHARED_COSTS
    return fit if fit.own else None


def _preference(column: ValueColumn) -> float:
    """Among equals: the way that names classes, then the innermost."""
    return (0.0 if column.positions else 0.01) + 0.001 * column.nodes[0].depth


def _worth(fit: Fit, wanted: Mapping[str, _Wanted], examples: Sequence[dict[str, str]]) -> float:
    """The worth of the fit's columns, and of having the examples' fields together in rows."""
    rows = fit.rows()
    where: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        for name, value in row.items():
            where[name, comparable(value, wanted[name].source)].append(number)
    together = 0.0
    for example in examples:
        met = Counter(number for pair in example.items() for number in where.get(pair, ()))
        share = max(met.values(), default=0) / max(len(example), 1)
        together += _TOGETHER * share + _WHOLE * (share == 1)
    worth = fit.score + together / max(len(examples), 1)
    worth -= _TOO_FEW_ROWS * (len(rows) < min(len(examples), 3))
    worth -= _NAVIGATION * in_navigation(fit.group.roots[0])
    return worth + _SIZE * math.log(fit.size())
