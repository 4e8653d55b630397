from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from haenyeo import papers
from haenyeo.cli.app import haenyeo, run


def test_an_unknown_number_is_refused_with_the_known_ones(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["paper", "999"]) == 2
    said = capfd.readouterr().err
    assert "'999'" in said
    assert all(number in said for number in papers.PAPERS)


def test_help_lists_the_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(papers, "PAPERS", {"123": ("nothing", "A paper of note")})
    assert "A paper of note" in CliRunner().invoke(haenyeo, ["paper", "--help"]).output


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for figures; paper 123 is one that takes no time."""
    (tmp_path / "made_for_test.py").write_text(
        "from haenyeo.papers.report import Figure, Report, Table\n"
        "def repeat(data, note):\n"
        "    note('working')\n"
        "    table = Table(title='recall', columns=['crawler', '20'], rows=[['bfs', 0.5], ['pfc', 3]])\n"
        "    figure = Figure(title='f', x='x', y='y', lines={'l': [(0, 1)]})\n"
        "    return Report(tables=[table], figures=[figure], notes=['on the demo web'])\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(papers, "__path__", [*papers.__path__, str(tmp_path)])
    monkeypatch.setattr(papers, "PAPERS", {"123": ("made_for_test", "A paper")})
    return tmp_path / "out"


def test_tables_and_notes_are_printed_and_figures_saved(made: Path) -> None:
    shown = CliRunner().invoke(haenyeo, ["paper", "123", "--out", str(made)])
    assert "0.5" in shown.stdout
    assert "on the demo web" in shown.stdout
    assert "working" in shown.stderr
    assert (made / "paper-123-figure-1.svg").read_text(encoding="utf-8").startswith("<svg")


def test_json_has_the_tables_and_nothing_else_is_printed(made: Path) -> None:
    told = CliRunner().invoke(haenyeo, ["paper", "123", "--out", str(made), "--json"])
    assert json.loads(told.stdout)["tables"][0]["rows"] == [["bfs", 0.5], ["pfc", 3]]
    assert told.stderr == ""
