from __future__ import annotations

from datetime import UTC, datetime

import pytest

from haenyeo.cli.watch_tables import show_changes, show_rows
from haenyeo.collect.adapters.watching.changes import ContentChanged
from haenyeo.model.pages import Url

URL = Url("https://shop.example/list")
CONTENT = ContentChanged(
    url=URL, site="shop.example", share=0.25, lines=3, removed=("old [b]words[/b]",), added=("new words",)
)


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
