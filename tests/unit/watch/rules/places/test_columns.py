from __future__ import annotations

from haenyeo.watch.rules.places.columns import ValueColumn, columns
from haenyeo.watch.rules.places.groups import Group, Labels
from haenyeo.watch.rules.places.tree import Tree

ROWS = "".join(
    f"<tr><td>{n}</td><td><b>name {n}</b></td><td><a href='/{n}'>open</a></td>{'<td>late</td>' if n == 3 else ''}</tr>"
    for n in range(1, 11)
)


def columns_of(html: str, *sources: str) -> tuple[Tree, list[ValueColumn]]:
    tree = Tree(html)
    rows = [element for element in tree.elements if element.tag == "tr"]
    return tree, columns(tree, Labels(tree), Group("path", rows), sources)


def test_cells_in_the_same_position_are_a_column() -> None:
    _, found = columns_of(f"<table>{ROWS}</table>", "")
    values = [tuple(column.values) for column in found]
    assert tuple(f"name {n}" for n in range(1, 11)) in values
    assert tuple(str(n) for n in range(1, 11)) in values


def test_of_equal_columns_the_innermost_is_kept() -> None:
    _, found = columns_of(f"<table>{ROWS}</table>", "")
    (names,) = [column for column in found if column.values[0] == "name 1"]
    assert names.nodes[0].tag == "b"


def test_attributes_are_columns_when_asked_for() -> None:
    _, found = columns_of(f"<table>{ROWS}</table>", "href")
    assert [tuple(column.values) for column in found] == [tuple(f"/{n}" for n in range(1, 11))]


def test_what_few_records_have_is_no_column() -> None:
    _, found = columns_of(f"<table>{ROWS}</table>", "")
    assert not any("late" in column.values for column in found)


def test_a_columns_selector_leads_to_its_nodes() -> None:
    tree, found = columns_of(f"<table>{ROWS}</table>", "", "href")
    for column in found:
        selector = column.selector(tree)
        assert [selector.select(tree, tree.elements[root])[0] for root in column.roots] == list(column.nodes)
