from __future__ import annotations

from datetime import UTC, datetime

import pytest

from haenyeo.collect.adapters.watching.changes import (
    Change,
    ContentChanged,
    LayoutChanged,
    PageBack,
    RuleBroken,
    RuleProposed,
    RuleRolledBack,
    RuleWorks,
)
from haenyeo.collect.adapters.watching.wording import details, headline
from haenyeo.model.pages import Url
from haenyeo.watch.differences import LineEdit

URL = Url("https://shop.example/list")
SINCE = datetime(2025, 3, 1, 8, 30, tzinfo=UTC)
CONTENT = ContentChanged(url=URL, site="shop.example", share=0.25, lines=3)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (CONTENT, "content  https://shop.example/list  25% of the text, 3 lines"),
        (
            ContentChanged(url=URL, site="shop.example", share=0.2, lines=0, moved=("m", "n"), moves=2),
            "content  https://shop.example/list  20% of the text moved, 2 lines, and nothing else is different",
        ),
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
        (RuleWorks(rule="goods", url=URL, since=SINCE), "rule goods works again, broken since 2025-03-01 08:30"),
        (PageBack(url=URL, status=200), "back  https://shop.example/list  answers again"),
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


@pytest.mark.parametrize(
    ("share", "lines", "words"),
    [(0.0014, 1, "0.1% of the text, 1 line"), (0.00001, 2, "under 0.1% of the text, 2 lines"), (0.1, 1200, "10%")],
)
def test_a_small_change_is_not_told_as_none(share: float, lines: int, words: str) -> None:
    assert words in headline(ContentChanged(url=URL, site="shop.example", share=share, lines=lines))


def test_how_many_lines_are_not_shown_is_told() -> None:
    change = ContentChanged(url=URL, site="shop.example", share=0.2, lines=7, added=("a", "b", "c", "d", "e"))
    assert details(change) == ["+ a", "+ b", "+ c", "and 4 lines more"]
