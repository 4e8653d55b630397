from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from haenyeo.watch.rules.places.selector import Selector, Step, common_steps
from haenyeo.watch.rules.places.tree import Tree

HTML = """
<div class="list wide"><p>0</p><ul><li class="a">1</li><li class="a b">2 <i>3</i></li></ul></div>
<div class="list"><ul><li class="a">4</li></ul></div>
<section><div class="list"><ul><li class="a">5</li></ul></div></section>
"""
TREE = Tree(HTML)


def texts(selector: Selector) -> list[str]:
    return [TREE.text(element) for element in selector.select(TREE)]


def test_steps_lead_down_from_the_body() -> None:
    assert texts(Selector((Step("div", ("list",)), Step("ul"), Step("li")))) == ["1", "2 3", "4"]
    assert texts(Selector((Step("div", ("list",), 2), Step("ul"), Step("li")))) == ["4"]
    assert texts(Selector((Step("div"), Step("ul"), Step("li", ("b", "a"))))) == ["2 3"]
    assert Selector().select(TREE) == TREE.elements[:1]


def test_anywhere_begins_at_any_depth() -> None:
    assert texts(Selector((Step("ul"), Step("li", (), 1)), anywhere=True)) == ["1", "4", "5"]


def test_a_search_stays_inside_its_start() -> None:
    second = Selector((Step("div", (), 2),)).select(TREE)[0]
    found = Selector((Step("ul"), Step("li")), anywhere=True).select(TREE, second)
    assert [TREE.text(element) for element in found] == ["4"]
    assert Selector((Step("div"), Step("ul")), anywhere=True).select(TREE, second) == []


def test_css_and_xpath_are_for_other_tools() -> None:
    selector = Selector((Step("div", ("list",)), Step("li", (), 2)))
    assert selector.css() == ":scope > div.list > li:nth-of-type(2)"
    assert selector.xpath() == "./div[contains(concat(' ', normalize-space(@class), ' '), \" list \")]/li[2]"
    assert Selector((Step("p"),), anywhere=True).css() == "p"
    assert (Selector().css(), Selector().xpath()) == (":scope", ".")


def test_odd_class_names_are_written_so_that_css_reads_them() -> None:
    assert Step("p", ("md:w-1/2",)).css() == 'p[class~="md:w-1/2"]'
    assert "concat(" in Step("p", ("it's\"odd",)).xpath()


@pytest.mark.parametrize("positions", [False, True])
def test_common_steps_are_what_elements_share(positions: bool) -> None:
    items = Selector((Step("div"), Step("ul"), Step("li"))).select(TREE)
    steps = common_steps([item.ancestry() for item in items], positions=positions)
    assert steps == (Step("div", ("list",)), Step("ul", (), int(positions)), Step("li", ("a",)))


STEPS = st.builds(
    Step,
    st.sampled_from(["div", "ul", "li", "section"]),
    st.sampled_from([(), ("a",), ("list",), ("a", "b")]),
    st.sampled_from([0, 1, 2]),
)


@given(st.lists(STEPS, min_size=1, max_size=4))
def test_css_finds_what_we_find(steps: list[Step]) -> None:
    selector = Selector(tuple(steps), anywhere=True)
    found = LexborHTMLParser(HTML).css(selector.css())
    assert [" ".join(node.text(deep=True).split()) for node in found] == texts(selector)
