from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.watch.rules.places.tree import Tree


def test_elements_know_their_place() -> None:
    tree = Tree("<div><p>a</p><p class='x y x'>b <b>c</b></p></div><p>d</p>")
    body, div, first, second, bold, last = tree.elements
    assert [element.tag for element in tree.elements] == ["body", "div", "p", "p", "b", "p"]
    assert (first.nth, second.nth, last.nth) == (1, 2, 1)
    assert second.classes == ("x", "y")
    assert div.holds(bold)
    assert not first.holds(bold)
    assert bold.ancestry() == [div, second, bold]
    assert list(bold.around()) == [bold, second, div]
    assert body.end == len(tree.elements)


def test_text_is_of_all_inside_with_single_blanks() -> None:
    tree = Tree("<div> one <b>two\n</b><script>no</script><p>three</p></div><p>four")
    assert tree.text(tree.elements[1]) == "one two three"
    assert tree.text(tree.elements[0]) == "one two three" + "four"


def test_a_value_is_the_text_or_an_attribute_as_written() -> None:
    link = Tree("<a href=' ../x?a=1 '>go</a>").elements[1]
    tree = Tree("<a href=' ../x?a=1 '>go</a>")
    assert tree.value(link, "") == "go"
    assert tree.value(link, "href") == "../x?a=1"
    assert tree.value(link, "title") == ""


@pytest.mark.parametrize("html", ["", "<frameset><frame>"])
def test_a_page_without_a_body_may_be_empty(html: str) -> None:
    assert len(Tree(html).elements) <= 1


@given(st.text(alphabet="<>/pdivul abc=\"'", max_size=150))
def test_any_page_has_a_tree_in_document_order(html: str) -> None:
    elements = Tree(html).elements
    assert [element.number for element in elements] == list(range(len(elements)))
    assert all(element.parent is None or element.parent.holds(element) for element in elements)


@pytest.mark.parametrize(
    ("html", "label"),
    [
        ("<p>Filed: 3 May</p>", "Filed"),
        ("<b>Filed:</b> <p>3 May</p>", "Filed"),
        ("<dt>Filed on: </dt>\n<p>3 May</p>", "Filed on"),
        ("<b>Filed</b><p>3 May</p>", ""),
        ("<p>A sentence of some length that has a colon: here</p>", ""),
        ("<p></p>", ""),
    ],
)
def test_a_label_ends_in_a_colon_before_a_value(html: str, label: str) -> None:
    tree = Tree(html)
    value = next(element for element in tree.elements if element.tag == "p")
    assert tree.label_of(value) == label
