from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from haenyeo.watch.rules.examples import learn_from_examples
from haenyeo.watch.rules.places.tree import Tree
from haenyeo.watch.rules.rule import Rule

Item = dict[str, str]


def learned(html: str, examples: list[Item]) -> Rule:
    rule = learn_from_examples(Tree(html), examples)
    assert rule is not None
    return rule


def only(items: list[Item], *names: str) -> list[Item]:
    return [{name: item[name] for name in names} for item in items]


@pytest.mark.parametrize("look", ["table", "cards"])
@pytest.mark.parametrize("count", [1, 2, 20])
def test_all_records_are_found_from_a_few(
    make_items: Callable[..., Any], make_page: Callable[..., Any], look: str, count: int
) -> None:
    items = make_items(20)
    page = make_page(items, look)
    assert learned(page, items[:count]).extract(page) == items


def test_examples_need_not_be_the_first_nor_complete(
    make_items: Callable[..., Any], make_page: Callable[..., Any]
) -> None:
    items = make_items(20)
    page = make_page(items, "table")
    examples = [{"title": items[7]["title"]}, {"title": items[12]["title"], "date": items[12]["date"]}]
    assert learned(page, examples).extract(page) == only(items, "title", "date")


def test_a_date_above_a_days_records_is_shared_by_them(
    make_items: Callable[..., Any], make_page: Callable[..., Any]
) -> None:
    items = sorted(make_items(20), key=lambda item: item["date"])
    page = make_page(items, "days")
    rule = learned(page, [items[0], items[-1]])
    assert rule.fields["date"].shared
    assert rule.extract(page) == only(items, "title", "link", "date")


def test_the_rule_works_on_other_pages_of_the_layout(
    make_items: Callable[..., Any], make_page: Callable[..., Any]
) -> None:
    old, new = make_items(20, 1), make_items(7, 2)
    assert learned(make_page(old), old[:2]).extract(make_page(new)) == new


def test_links_among_other_links_are_told_by_their_files(
    make_items: Callable[..., Any], make_page: Callable[..., Any]
) -> None:
    items = make_items(20)
    page = make_page(items, "days").replace("</ul>", '<li><a href="/help">Help</a></li></ul>')
    rule = learned(page, only(items[:2], "link"))
    assert {row["link"] for row in rule.extract(page)} == {item["link"] for item in items}
    assert rule.fields["link"].only == ".pdf"


def test_the_list_that_has_all_fields_together_is_preferred(
    make_items: Callable[..., Any], make_page: Callable[..., Any]
) -> None:
    items = make_items(10)
    aside = "".join(f'<li><a href="{item["link"]}">{item["title"]}</a></li>' for item in make_items(60, 5) + items)
    page = make_page(items).replace("<footer>", f"<aside><ul>{aside}</ul></aside><footer>")
    assert learned(page, items[:2]).extract(page) == items


def test_what_is_not_on_the_page_cannot_be_learned(
    make_items: Callable[..., Any], make_page: Callable[..., Any]
) -> None:
    assert learn_from_examples(Tree(make_page(make_items(5))), [{"title": "nowhere"}]) is None
    assert learn_from_examples(Tree(""), [{"title": "x"}]) is None
