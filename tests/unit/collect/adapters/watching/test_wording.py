from __future__ import annotations

import pytest

from haenyeo.collect.adapters.watching.changes import (
    Change,
    ContentChanged,
    LayoutChanged,
    PageBack,
    RuleBroken,
    RuleProposed,
    RuleRolledBack,
)
from haenyeo.collect.adapters.watching.wording import details, headline
from haenyeo.model.pages import Url
from haenyeo.watch.differences import LineEdit

URL = Url("https://shop.example/list")
CONTENT = ContentChanged(url=URL, site="shop.example", share=0.25, lines=3)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (CONTENT, "content  https://shop.example/list  25% of the text, 3 lines"),
        (
            LayoutChanged(url=URL, site="shop.example", template="t", grade="alarm", score=0.5, why=()),
            "layout alarm  https://shop.example/list  50% of the layout is gone",
        ),
        (
            RuleBroken(rule="goods", url=URL, broken=("price",)),
            "rule goods is broken and could not be repaired for sure: price",
        ),
        (
            RuleProposed(rule="goods", url=URL, broken=("price",), confidence=0.5),
            "rule goods is broken, repair proposed: price",
        ),
        (
            RuleRolledBack(rule="goods", url=URL, version=2, why=("its layout is back",)),
            "rule goods rolled back to version 2: its layout is back",
        ),
        (PageBack(url=URL, status=200), "back  https://shop.example/list  200"),
    ],
)
def test_a_change_is_told_in_one_line(change: Change, words: str) -> None:
    assert headline(change) == words


def test_an_edit_is_shown_from_a_little_before_its_first_mark() -> None:
    before, after = f"{'deep water ' * 30}in May", f"{'deep water ' * 30}in June"
    edit = LineEdit(before=before, after=after, marked=f"{'deep water ' * 30}in [-May-]{{+June+}}")
    change = ContentChanged(
        url=URL, site="shop.example", share=0.1, lines=1, edited=(edit,), added=("new",), removed=("old",), moved=("m",)
    )
    marked, *others = details(change)
    assert marked.startswith("~ …")
    assert marked.endswith("in [-May-]{+June+}")
    assert others == ["- old", "+ new", "> m"]
