from __future__ import annotations

from datetime import UTC, datetime

import pytest

from haenyeo.cli.watch_tables import headline, show_changes, show_rows
from haenyeo.collect.adapters.watching.changes import Change, ContentChanged, LayoutChanged, PageBack, RuleBroken
from haenyeo.model.pages import Url

URL = Url("https://shop.example/list")
CONTENT = ContentChanged(
    url=URL, site="shop.example", share=0.25, lines=3, removed=("old [b]words[/b]",), added=("new words",)
)


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
        (PageBack(url=URL, status=200), "back  https://shop.example/list  200"),
    ],
)
def test_a_change_is_told_in_one_line(change: Change, words: str) -> None:
    assert headline(change) == words


def test_words_of_a_page_are_no_markup_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    show_changes([(datetime(2025, 3, 1, tzinfo=UTC), CONTENT)])
    shown = capsys.readouterr().out
    assert "- old [b]words[/b]" in shown
    assert "+ new words" in shown


def test_records_of_different_fields_share_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    show_rows([{"name": "Float"}, {"price": "3.50", "name": "x" * 100}], "goods")
    shown = capsys.readouterr().out
    assert "name" in shown
    assert "price" in shown
    assert "…" in shown
    assert "x" * 60 not in shown
