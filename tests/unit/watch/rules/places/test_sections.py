from __future__ import annotations

import pytest

from haenyeo.watch.rules.learn import learn_rule
from haenyeo.watch.rules.places.sections import Heading, section_of, words_around
from haenyeo.watch.rules.places.tree import Tree
from haenyeo.watch.rules.repair import repair_rule
from haenyeo.watch.rules.rule import Rule

SHELVES = ("Shoes for women", "Shoes for men", "Boots for women", "Boots for men")


def old_page(kind: str, whom: str) -> tuple[str, list[dict[str, str]]]:
    """A list of its own for one kind of goods; each row says which."""
    items = [{"number": f"{4100 + n * 7}", "link": f"/sheets/{4100 + n * 7}.pdf"} for n in range(8)]
    rows = "".join(
        f"<tr><td>{item['number']}</td><td>{kind} for</td><td>{whom}</td>"
        f"<td><a href='{item['link']}'>sheet</a></td></tr>"
        for item in items
    )
    return f"<h1>Our catalogue</h1><table>{rows}</table>", items


def new_page(shelves: tuple[str, ...] = SHELVES) -> tuple[str, dict[str, list[dict[str, str]]]]:
    """All lists on one page, each under its heading, by day; all goods are new."""
    parts, goods, number = ["<h1>Our catalogue</h1>"], dict[str, list[dict[str, str]]](), 5000
    for shelf in shelves:
        goods[shelf] = []
        parts.append(f"<h2>{shelf}</h2>")
        for day in (3, 10, 17):
            numbers = [number := number + 3 for _ in range(5)]
            items = [{"number": f"{each}", "link": f"/sheets/{each}.pdf"} for each in numbers]
            goods[shelf] += items
            lines = "".join(f"<li><p><a href='{item['link']}'>{item['number']}</a> - new</p></li>" for item in items)
            parts.append(f"<h3>Since: {day} May 2026</h3><ul>{lines}</ul>")
    return "".join(parts), goods


def learned(kind: str = "Boots", whom: str = "men") -> Rule:
    page, items = old_page(kind, whom)
    rule = learn_rule(page, examples=items[:2])
    assert rule is not None
    return rule


@pytest.mark.parametrize("shelf", SHELVES)
def test_of_lists_put_on_one_page_the_one_is_found_whose_heading_says_what_each_record_said(shelf: str) -> None:
    kind, _, whom = shelf.split()
    page, goods = new_page()
    repaired = repair_rule(learned(kind, whom), page)
    assert repaired is not None
    assert repaired.under == Heading("h2", shelf)
    assert repaired.extract(page) == goods[shelf]


def test_more_records_than_ever_are_not_taken_when_no_heading_tells() -> None:
    page, _ = new_page(("Sandals for children", "Slippers for children", "Clogs for everybody", "Laces"))
    assert repair_rule(learned(), page) is None


def test_two_headings_that_would_do_tell_nothing() -> None:
    page, _ = new_page(("Boots for men", "Boots for men again, for men", "Shoes for women", "Shoes"))
    tree = Tree(page)
    items = [element for element in tree.elements if element.tag == "li"]
    assert section_of(tree, items, ("boots", "men", "for", "again")) is None
    assert section_of(tree, items, ("boots", "men", "for")) == Heading("h2", "Boots for men")
    assert section_of(tree, items, ()) is None


def test_headings_of_the_records_themselves_are_no_sections() -> None:
    page = "".join(f"<div><h2>Boots {n}</h2><p class='x'>text {n}</p></div>" for n in ("one", "two", "three"))
    tree = Tree(page)
    for tag in ("div", "p"):
        assert section_of(tree, [each for each in tree.elements if each.tag == tag], ("boots", "one")) is None


def test_words_around_are_those_of_nearly_all_records_and_of_the_headings_above() -> None:
    tree = Tree("<h1>Boots</h1><h2>For men</h2><ul>" + "".join(f"<li>pair {n}x brown</li>" for n in "abcd") + "</ul>")
    items = [element for element in tree.elements if element.tag == "li"]
    assert words_around(tree, items) == ("boots", "brown", "for", "men", "pair")
    assert words_around(tree, items[:2]) == ()


def test_a_rule_under_a_heading_survives_as_json_and_is_told_to_other_tools_as_xpath() -> None:
    repaired = repair_rule(learned(), new_page()[0])
    assert repaired is not None
    assert Rule.from_json(repaired.to_json()) == repaired
    assert repaired.selectors()[""]["xpath"].endswith('[preceding::h2[1][normalize-space()="Boots for men"]]')


def test_no_records_are_found_when_the_heading_is_gone() -> None:
    page, _ = new_page()
    repaired = repair_rule(learned(), page)
    assert repaired is not None
    assert repaired.extract(page.replace("Boots for men", "Boots for all")) == []
