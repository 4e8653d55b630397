from __future__ import annotations

from datetime import UTC, datetime

import pytest

from haenyeo.cli.watch_tables import show_changes, show_rows, show_watched
from haenyeo.collect.adapters.watching.changes import ContentChanged
from haenyeo.collect.adapters.watching.watch_states import WatchedAddress
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


def test_watched_addresses_are_shown_with_their_state(capsys: pytest.CaptureFixture[str]) -> None:
    now = datetime(2025, 3, 1, tzinfo=UTC)
    show_watched(
        [
            WatchedAddress(url=URL, state="rule broken", alarm=True, since=now, last_at=now, next_at=now),
            WatchedAddress(url="https://shop.example/new", state="not visited yet", next_at=now),
        ]
    )
    cells = [cell.strip() for cell in capsys.readouterr().out.split("│")]
    assert {"rule broken", "not visited yet"} <= set(cells)
    assert cells.count("03-01 00:00") == 4
