from __future__ import annotations

from collections.abc import Callable
from typing import Any

from haenyeo.watch.rules.learn import learn_rule


def test_examples_are_optional(make_items: Callable[..., Any], make_page: Callable[..., Any]) -> None:
    items = make_items(10)
    page = make_page(items)
    choices: tuple[list[dict[str, str]] | None, ...] = (None, [], items[:1])
    for examples in choices:
        rule = learn_rule(page, examples=examples)
        assert rule is not None
        assert rule.extract(page) == items


def test_fields_have_the_names_of_the_examples(make_items: Callable[..., Any], make_page: Callable[..., Any]) -> None:
    items = make_items(10)
    rule = learn_rule(make_page(items), examples=[{"제목": items[0]["title"]}])
    assert rule is not None
    assert list(rule.fields) == ["제목"]
