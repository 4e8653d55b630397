from __future__ import annotations

from collections.abc import Callable
from typing import Any

from haenyeo.watch.rules.check import check_rule
from haenyeo.watch.rules.learn import learn_rule
from haenyeo.watch.rules.rule import Rule


def rule_of(items: list[dict[str, str]], page: str) -> Rule:
    rule = learn_rule(page, examples=items[:2])
    assert rule is not None
    return rule


def test_other_content_is_as_good_as_the_old(make_items: Callable[..., Any], make_page: Callable[..., Any]) -> None:
    items, others = make_items(10, 1), make_items(10, 2)
    check = check_rule(rule_of(items, make_page(items)), make_page(others))
    assert check.works
    assert list(check.rows) == others


def test_lost_records_are_told(make_items: Callable[..., Any], make_page: Callable[..., Any]) -> None:
    items = make_items(10)
    check = check_rule(rule_of(items, make_page(items)), make_page(items, "table"))
    assert check.broken == ("no records are found",)


def test_a_lost_field_is_told(make_items: Callable[..., Any], make_page: Callable[..., Any]) -> None:
    items = make_items(10)
    page = make_page(items)
    check = check_rule(rule_of(items, page), page.replace("<time>", "<span>").replace("</time>", "</span>"))
    assert check.broken == ("date is in 0 of 10 records",)


def test_values_of_another_kind_are_told(make_items: Callable[..., Any], make_page: Callable[..., Any]) -> None:
    items = make_items(10)
    swapped = [item | {"title": str(number)} for number, item in enumerate(items)]
    check = check_rule(rule_of(items, make_page(items)), make_page(swapped))
    assert check.broken == ("title has values of another kind, such as '0'",)
