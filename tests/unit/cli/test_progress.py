from __future__ import annotations

import io

import pytest
from msgspec import structs

from haenyeo.cli.progress import STEPS, CrawlTally, LinesOfVisits, LiveView
from haenyeo.collect.adapters.watching.changes import RuleBroken
from haenyeo.collect.events import NetworkLost, PageVisited
from haenyeo.model.pages import Url
from haenyeo.model.visits import Found, Outcome


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
    tally = CrawlTally(None)
    for number in range(40):
        tally.note(visited(number, kept=number >= 20))
    assert tally.spark == "▁▁▁▁████"


def test_the_sparkline_stays_short() -> None:
    tally = CrawlTally(None)
    for number in range(5000):
        tally.note(visited(number, kept=number % 2 == 0))
    assert 10 < len(tally.spark) <= STEPS
    assert set(tally.spark) <= set("▄▅")


def test_the_best_finds_stay() -> None:
    tally = CrawlTally(None)
    for number, relevance in enumerate([0.2, 0.9, 0.5, 0.7, 0.6, 0.1]):
        tally.note(visited(number, kept=True, relevance=relevance))
    assert [page.relevance for page in tally.best] == [0.9, 0.7, 0.6, 0.5]


def test_the_live_view_can_be_drawn_at_any_time() -> None:
    from rich.console import Console

    tally = CrawlTally(10)
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


def test_visits_again_are_counted_apart_from_the_harvest() -> None:
    tally = CrawlTally(None)
    tally.note(visited(1, kept=True, relevance=0.8))
    for found in (Found.CHANGED, Found.NOT_MODIFIED, Found.NOT_MODIFIED):
        tally.note(structs.replace(visited(2, kept=True), found=found))
    assert (tally.visited, tally.again.total()) == (1, 3)
    assert "3 visited again" in tally.line()


def test_warnings_are_shown_and_the_latest_stay() -> None:
    from rich.console import Console

    tally = CrawlTally(None)
    tally.note(NetworkLost(tried=("https://a.example",)))
    for number in range(3):
        tally.note(RuleBroken(rule=f"goods-{number}", url=Url("https://a.example/"), broken=("no records",)))
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(LiveView(tally)._draw())
    shown = console.export_text()
    assert "rule goods-2 is broken: no records" in shown
    assert "network" not in shown


def test_elsewhere_warnings_are_written_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    lines = LinesOfVisits()
    lines.note(visited(1, kept=True))
    lines.note(NetworkLost(tried=()))
    assert capsys.readouterr().out.endswith("the network is lost; waiting for it\n")
