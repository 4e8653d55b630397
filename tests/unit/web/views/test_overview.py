from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]


def test_the_overview_shows_the_best_and_the_newest_kept_pages(ask: Ask) -> None:
    shown = ask("/").text
    assert "Women divers" in shown
    assert "Bread" not in shown
    assert "breadth first" in shown


def test_the_buttons_fit_what_the_crawl_does(ask: Ask) -> None:
    shown = ask("/crawl").text
    assert 'value="start"' in shown
    assert 'value="pause"' not in shown
    assert ask("/crawl", {"action": "pause"}).headers["location"] == "/"
