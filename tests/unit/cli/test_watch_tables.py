from __future__ import annotations

from datetime import UTC, datetime

import pytest

from haenyeo.cli.watch_tables import show_changes, show_rows, show_watched
from haenyeo.collect.adapters.watching.changes import ContentChanged
from haenyeo.collect.adapters.watching.saved_rules import SavedRule
from haenyeo.collect.adapters.watching.watchlist import Standing, WatchedPage
from haenyeo.model.pages import Url
from haenyeo.model.visits import Outcome

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


@pytest.mark.parametrize(("broken", "shown"), [((), "ok"), (("no records are found",), "rule broken")])
def test_a_page_whose_rule_is_broken_is_not_ok(
    capsys: pytest.CaptureFixture[str], broken: tuple[str, ...], shown: str
) -> None:
    now = datetime(2025, 3, 1, tzinfo=UTC)
    standing = Standing(url=URL, outcome=Outcome.PAGE, status=200, at=now, since=now)
    page = WatchedPage(url=URL, added_at=now, next_at=now, standings=(standing,))
    show_watched([page], {URL: [SavedRule(name="list", url=URL, lists=(), versions=(), broken=broken)]})
    cells = [cell.strip() for cell in capsys.readouterr().out.split("│")]
    assert shown in cells
    assert ("ok" in cells) == (not broken)
