from __future__ import annotations

import pytest

from haenyeo.model.errors import UsageError
from haenyeo.watch.rules.learn import SelectorSet, own_rule, read_selectors
from haenyeo.watch.rules.places.query import parse_query
from haenyeo.watch.rules.places.tree import Tree
from haenyeo.watch.rules.rule import Rule

PAGE = """<body><nav><ul><li class="item">Home</li></ul></nav><div id="list" class="wide goods"><ul>
<li class="item first" data-kind="a-b"><h3>Mask</h3><p><b class="price">20 €</b><a href="/p/mask">more</a></p></li>
<li class="item"><h3>Fins</h3><p><b class="price">31 €</b><a href="/p/fins">more</a></p></li>
<li class="note">Closed on Monday</li></ul></div></body>"""


def found(selector: str) -> list[str]:
    tree = Tree(PAGE)
    query = parse_query(selector)
    return [tree.value(element, query.source) for element in query.select(tree.elements[1:], tree.elements[0])]


@pytest.mark.parametrize(
    ("selector", "values"),
    [
        ("h3", ["Mask", "Fins"]),
        ("#list li.item h3", ["Mask", "Fins"]),
        ("div.goods.wide > ul > li.item > h3", ["Mask", "Fins"]),
        ("div > li", []),
        ("li.item a::attr(href)", ["/p/mask", "/p/fins"]),
        ("li[data-kind] h3::text", ["Mask"]),
        ("li[data-kind|=a] h3", ["Mask"]),
        ('a[href$="fins"]::attr(href)', ["/p/fins"]),
        ("a[href^='/p/'][href*=ask]::attr(href)", ["/p/mask"]),
        ("#list li:nth-child(2) h3", ["Fins"]),
        ("#list li:last-child", ["Closed on Monday"]),
        ("#list li:first-child h3, .note", ["Mask", "Closed on Monday"]),
        ("#list *:nth-of-type(2) b", ["31 €"]),
        ("//h3", ["Mask", "Fins"]),
        ("//div[@id='list']/ul/li[2]/h3/text()", ["Fins"]),
        (".//li[contains(@class, 'item')]//a/@href", ["/p/mask", "/p/fins"]),
        ("//li[contains(concat(' ', normalize-space(@class), ' '), ' first ')]/h3", ["Mask"]),
        ("//li[@data-kind]//b", ["20 €"]),
        ("//*[@id='list']//b", ["20 €", "31 €"]),
    ],
)
def test_a_selector_finds(selector: str, values: list[str]) -> None:
    assert found(selector) == values


@pytest.mark.parametrize("selector", ["li:hover", "li >", "//li[last()]", "//li/following::a", "li!", "a[", "h3 ~~ b"])
def test_what_is_not_known_is_refused_with_its_place(selector: str) -> None:
    with pytest.raises(UsageError, match="not known here"):
        parse_query(selector)


def test_selectors_make_a_rule_that_survives_as_json() -> None:
    wanted = SelectorSet(select="#list li.item", fields={"title": "h3", "link": "a::attr(href)", "all": ":scope"})
    rule = own_rule(PAGE, wanted)
    assert [row["title"] for row in rule.extract(PAGE)] == ["Mask", "Fins"]
    assert rule.extract(PAGE)[1] == {"title": "Fins", "link": "/p/fins", "all": "Fins31 €more"}
    assert rule.fields["title"].values == ("Mask", "Fins")
    assert Rule.from_json(rule.to_json()) == rule
    assert rule.selectors()[""] == {"css": "#list li.item", "xpath": "#list li.item"}


@pytest.mark.parametrize(
    ("select", "fields", "words"),
    [
        ("li.none", {"title": "h3"}, "finds 0 elements"),
        ("#list li.item", {"title": "h3", "size": ".size"}, "nothing for size"),
        ("#list li.item", {}, "no fields"),
    ],
)
def test_selectors_that_find_nothing_are_refused(select: str, fields: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        own_rule(PAGE, SelectorSet(select=select, fields=fields))


def test_selectors_of_another_tool_are_read() -> None:
    assert read_selectors(b'{"select": "li", "fields": {"title": "h3::text"}}').fields == {"title": "h3::text"}
    with pytest.raises(UsageError, match="cannot be read"):
        read_selectors(b'{"fields": 3}')


def test_selectors_of_a_file_may_say_their_language() -> None:
    written = b'{"select": {"css": "li"}, "fields": {"title": {"css": "h3::text"}, "link": {"xpath": "a/@href"}}}'
    chosen = read_selectors(written)
    assert chosen == SelectorSet(select="li", fields={"title": "h3::text", "link": "./a/@href"})
    with pytest.raises(UsageError, match="either css or xpath"):
        read_selectors(b'{"select": {"css": "li", "xpath": "//li"}, "fields": {"title": "h3"}}')
