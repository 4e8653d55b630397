"""A fit: a group with a column for each field, and the rule made of it."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

import msgspec

from haenyeo.watch.rules.places.columns import ValueColumn
from haenyeo.watch.rules.places.groups import Group
from haenyeo.watch.rules.places.sections import words_around
from haenyeo.watch.rules.places.selector import Selector, common_steps
from haenyeo.watch.rules.places.tree import Element, Tree
from haenyeo.watch.rules.profile import Profile, profile_of
from haenyeo.watch.rules.rule import Field, Row, Rule, is_of_kind

MOST_VALUES = 200
"""Values of each field that a rule remembers."""

_NAMING = ("class", "id", "itemprop", "data-label", "data-title", "headers", "name")
_WORD = re.compile(r"[a-z]{2,}|[가-힣]{2,}")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NAMED_AROUND = 3
_SUFFIX_STEPS = 3


class Fit(msgspec.Struct, eq=False):
    """Which columns are the fields: those of the group's elements and those that several of them share."""

    group: Group
    own: dict[str, ValueColumn]
    shared: dict[str, ValueColumn]
    only: Mapping[str, str]
    score: float

    def rows(self) -> list[Row]:
        """The values, row by row, as the rule made of this fit would give them."""
        rows: dict[int, Row] = {}
        for name, column in self.own.items():
            for root, value in zip(column.roots, column.values, strict=True):
                if value and is_of_kind(value, self.only.get(name, "")):
                    rows.setdefault(root, {})[name] = value
        for name, column in self.shared.items():
            self._share(rows, name, column)
        return [rows[root] for root in sorted(rows)]

    def _share(self, rows: Mapping[int, Row], name: str, column: ValueColumn) -> None:
        """Give each row the last value before it, or the first of all."""
        values = [
            (node.number, value)
            for node, value in zip(column.nodes, column.values, strict=True)
            if value and is_of_kind(value, self.only.get(name, ""))
        ]
        if not values:
            return
        place = 0
        for root in sorted(rows):
            while place + 1 < len(values) and values[place + 1][0] <= root:
                place += 1
            rows[root][name] = values[place][1]

    def size(self) -> float:
        """Elements of a record, on average."""
        return sum(root.end - root.number for root in self.group.roots) / len(self.group.roots)


def shared_column(tree: Tree, place: Sequence[Element], source: str) -> ValueColumn:
    """A column of elements in like places that need not be inside records."""
    values = [tree.value(node, source) if source or tree.holds_text(node, 60) else "" for node in place]
    return ValueColumn(source, place, values, [node.number for node in place])


def fitted_rule(tree: Tree, fit: Fit, *, version: int = 1, confidence: float = 1.0) -> Rule:
    """The rule that the fit stands for, with what its fields look like on this page."""
    names = [name for name in fit.only if name in fit.own or name in fit.shared]
    bare = {name: _bare_field(tree, fit, name) for name in names}
    rule = Rule(record=fit.group.selector(tree), fields=bare, version=version, confidence=round(confidence, 3))
    return remembering(tree, rule)


def _bare_field(tree: Tree, fit: Fit, name: str) -> Field:
    shared = name in fit.shared
    column = fit.shared[name] if shared else fit.own[name]
    selector = _place_selector(column.nodes) if shared else column.selector(tree)
    return Field(source=column.source, selectors=(selector,), shared=shared, only=fit.only[name])


def _place_selector(nodes: Sequence[Element]) -> Selector:
    ancestries = [node.ancestry() for node in nodes]
    if len({len(ancestry) for ancestry in ancestries}) == 1 and len({_tags(each) for each in ancestries}) == 1:
        return Selector(common_steps(ancestries))
    return Selector(common_steps([ancestry[-_SUFFIX_STEPS:] for ancestry in ancestries]), anywhere=True)


def _tags(ancestry: Sequence[Element]) -> tuple[str, ...]:
    return tuple(element.tag for element in ancestry)


def remembering(tree: Tree, rule: Rule) -> Rule:
    """The rule with profiles and values of this page's rows; fields without values keep what they knew."""
    records = rule.records(tree)
    fields = {}
    for name, field in rule.fields.items():
        nodes = [row[name] for _, row in records if name in row]
        fields[name] = _remembering(tree, name, field, nodes) if nodes else field
    around = words_around(tree, [root for root, _ in records]) or rule.around
    return msgspec.structs.replace(rule, fields=fields, rows=len(records), around=around)


def _remembering(tree: Tree, name: str, field: Field, nodes: Sequence[Element]) -> Field:
    values = [tree.value(node, field.source) for node in nodes]
    return msgspec.structs.replace(
        field,
        profile=profile_of(values),
        values=tuple(dict.fromkeys(values))[:MOST_VALUES],
        labels=tuple(sorted(labels_of(tree, nodes[0]) | words_in(name))),
        tag=nodes[0].tag,
        linked=in_link(nodes[0]),
        anchors=profile_of([tree.text(node) for node in nodes]) if field.source == "href" else Profile(),
    )


def in_link(node: Element) -> bool:
    """Whether the element is a link or stands in one."""
    return any(element.tag == "a" for element in node.around())


@functools.lru_cache(maxsize=1 << 12)
def words_in(text: str) -> frozenset[str]:
    """The words of a name, humps and signs taken apart."""
    return frozenset(_WORD.findall(_HUMP.sub(" ", text).lower()))


def labels_of(tree: Tree, node: Element) -> set[str]:
    """The words that the markup around an element, its table column's heading and a label beside it call it by."""
    found: set[str] = set()
    for element, _ in zip(node.around(), range(_NAMED_AROUND), strict=False):
        for attribute in _NAMING:
            found |= words_in(element.attributes.get(attribute) or "")
    return found | words_in(_heading(tree, node)) | words_in(tree.label_of(node))


def _heading(tree: Tree, node: Element) -> str:
    """The text at the head of the table column that the element is in."""
    cell = next((element for element in node.around() if element.tag in ("td", "th")), None)
    table = next((element for element in cell.around() if element.tag == "table"), None) if cell else None
    if cell is None or table is None or cell.parent is None:
        return ""
    position = [each for each in cell.parent.children if each.tag in ("td", "th")].index(cell)
    row = next((each for each in tree.elements[table.number : table.end] if each.tag == "tr"), None)
    cells = [each for each in row.children if each.tag in ("td", "th")] if row else []
    return tree.text(cells[position])[:40] if position < len(cells) else ""
