from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from haenyeo.watch.rules.places.groups import Labels, in_navigation, record_groups, same_places
from haenyeo.watch.rules.places.tree import Tree


def groups_of(html: str) -> dict[str, list[list[str]]]:
    tree = Tree(html)
    found: dict[str, list[list[str]]] = {}
    for group in record_groups(tree, Labels(tree)):
        found.setdefault(group.how, []).append([tree.text(root) for root in group.roots])
    return found


def test_like_elements_are_a_group() -> None:
    assert ["1", "2", "3"] in groups_of("<ul><li>1<li class='odd'>2<li>3</ul><p>x")["path"]


def test_a_class_that_only_some_have_does_not_part_them() -> None:
    html = "<div><p class='card'>1</p><p class='card new'>2</p><p class='card post-7'>3</p></div>"
    assert groups_of(html)["path"] == [["1", "2", "3"]]


def test_rows_of_two_classes_are_also_one_group() -> None:
    html = "<table><tr class='row'><td>1</td><tr class='altrow'><td>2</td><tr class='row'><td>3</td></table>"
    assert ["1", "2", "3"] in groups_of(html)["tag"]


def test_several_lists_are_groups_by_themselves_and_together() -> None:
    html = "<ul><li>1<li>2<li>3</ul><ul><li>4<li>5<li>6</ul>"
    found = groups_of(html)
    assert found["place"] == [["1", "2", "3"], ["4", "5", "6"]]
    assert ["1", "2", "3", "4", "5", "6"] in found["path"]


def test_like_ends_at_different_depths_are_a_group() -> None:
    html = "<div><table><tr><td>1</table></div><div><div><table><tr><td>2</table></div></div>"
    assert ["1", "2"] in groups_of(html)["suffix"]


def test_what_has_no_text_is_no_record() -> None:
    assert groups_of("<p><img></p><p><img></p>") == {}


def test_single_elements_have_places_too() -> None:
    tree = Tree("<h1>a</h1><p>b</p>")
    assert [[tree.text(element) for element in place] for place in same_places(tree, Labels(tree))] == [["a"], ["b"]]


@pytest.mark.parametrize("look", ["table", "cards", "days"])
def test_a_groups_selector_finds_the_group(
    make_items: Callable[..., Any], make_page: Callable[..., Any], look: str
) -> None:
    tree = Tree(make_page(make_items(12), look))
    for group in record_groups(tree, Labels(tree)):
        found = group.selector(tree).select(tree)
        assert {root.number for root in group.roots} <= {element.number for element in found}


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<nav><a>x</a></nav>", True),
        ("<div class='main-menu'><a>x</a></div>", True),
        ("<div id='sidebar'><a>x</a></div>", True),
        ("<div class='documentation'><a>x</a></div>", False),
    ],
)
def test_menus_are_navigation(html: str, expected: bool) -> None:
    assert in_navigation(Tree(html).elements[-1]) == expected
