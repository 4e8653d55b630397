from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from haenyeo.cli.app import haenyeo
from haenyeo.cli.plan import _drawn, _saved


@pytest.mark.slow
def test_the_coming_week_is_drawn(divers: Path) -> None:
    shown = CliRunner().invoke(haenyeo, ["plan", str(divers), "--budget", "48/day"]).output
    assert "2 pages, 48 requests a day" in shown
    assert "visits planned" in shown
    assert "https://a.example/0" in shown


def test_a_budget_that_is_none_is_refused(divers: Path) -> None:
    failed = CliRunner().invoke(haenyeo, ["plan", str(divers), "--budget", "many"])
    assert failed.exit_code != 0


def test_a_week_is_a_line_a_day_and_the_busiest_hour_is_darkest() -> None:
    heat = [[0.0] * 24 for _ in range(7)]
    heat[0][3], heat[6][23] = 10.0, 1.0
    title, hours, monday, *_, sunday = _drawn("visits", tuple(map(tuple, heat))).splitlines()
    assert title == "visits (11 in all, 10.0 in the busiest hour)"
    assert hours.split()[:3] == ["0", "3", "6"]
    assert monday.startswith("Mon     █")
    assert sunday.endswith("1")
    assert "Tue" in _drawn("nothing", ((0.0,) * 24,) * 7)


def test_few_changes_are_told_with_tenths() -> None:
    heat = ((0.01,) * 24,) * 7
    title, _, monday, *_ = _drawn("changes", heat).splitlines()
    assert title == "changes (1.7 in all, 0.01 in the busiest hour)"
    assert monday.endswith("0.2")


def test_a_saving_is_told_only_where_there_is_one() -> None:
    assert _saved(25.0, 100.0).endswith("100.0 requests a day for that: 75% are saved")
    assert "too little is known" in _saved(106.0, 100.0)


@pytest.mark.slow
def test_a_wanted_share_is_shown_among_what_other_requests_buy(divers: Path) -> None:
    shown = CliRunner().invoke(haenyeo, ["plan", str(divers), "--fresh", "0.97"]).output
    assert "the budget" not in shown
    assert shown.count("the plan") <= 1
