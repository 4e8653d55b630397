from __future__ import annotations

import io

from haenyeo.cli.progress import STEPS, LiveView, Tally
from haenyeo.collect.events import PageVisited
from haenyeo.model.pages import Url
from haenyeo.model.visits import Outcome


def visited(number: int, *, kept: bool, relevance: float | None = None) -> PageVisited:
    return PageVisited(
        url=Url(f"https://a.example/{number}"),
        site="a.example",
        outcome=Outcome.PAGE,
        title=f"Page {number}",
        kept=kept,
        relevance=relevance,
        reason="" if kept else "off topic",
    )


def test_the_sparkline_follows_the_harvest() -> None:
    tally = Tally(None)
    for number in range(40):
        tally.note(visited(number, kept=number >= 20))
    assert tally.spark == "▁▁▁▁████"


def test_the_sparkline_stays_short() -> None:
    tally = Tally(None)
    for number in range(5000):
        tally.note(visited(number, kept=number % 2 == 0))
    assert 10 < len(tally.spark) <= STEPS
    assert set(tally.spark) <= set("▄▅")


def test_the_best_finds_stay() -> None:
    tally = Tally(None)
    for number, relevance in enumerate([0.2, 0.9, 0.5, 0.7, 0.6, 0.1]):
        tally.note(visited(number, kept=True, relevance=relevance))
    assert [page.relevance for page in tally.best] == [0.9, 0.7, 0.6, 0.5]


def test_the_live_view_can_be_drawn_at_any_time() -> None:
    from rich.console import Console

    tally = Tally(10)
    view = LiveView(tally)
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(view._draw())
    tally.note(visited(1, kept=True, relevance=0.8))
    tally.note(visited(2, kept=False))
    console.print(view._draw())
    shown = console.export_text()
    assert "harvest" in shown
    assert "50% kept" in shown
    assert "0.80 Page 1" in shown
    assert "off topic 1" in shown
