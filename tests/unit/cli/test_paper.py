from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from haenyeo.cli import paper
from haenyeo.cli.app import haenyeo


def test_an_unknown_number_is_refused_with_the_known_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper, "PAPERS", {"123": ("nothing", "A paper")})
    result = CliRunner().invoke(haenyeo, ["paper", "999"])
    assert result.exit_code == 2
    assert "known: 123" in result.output


def test_help_lists_the_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper, "PAPERS", {"123": ("nothing", "A paper of note")})
    assert "A paper of note" in CliRunner().invoke(haenyeo, ["paper", "--help"]).output


def test_tables_and_figures_come_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tmp_path / "made_for_test.py"
    made.write_text(
        "from haenyeo.papers.report import Figure, Report, Table\n"
        "def repeat(data, note):\n"
        "    note('working')\n"
        "    table = Table(title='t', columns=['a'], rows=[[0.5]])\n"
        "    return Report(tables=[table], figures=[Figure(title='f', x='x', y='y', lines={'l': [(0, 1)]})])\n",
        encoding="utf-8",
    )
    from haenyeo import papers

    monkeypatch.setattr(papers, "__path__", [*papers.__path__, str(tmp_path)])
    monkeypatch.setattr(paper, "PAPERS", {"123": ("made_for_test", "A paper")})
    shown = CliRunner().invoke(haenyeo, ["paper", "123", "--out", str(tmp_path / "out")])
    assert "0.500" in shown.output
    assert (tmp_path / "out" / "paper-123-figure-1.svg").read_text(encoding="utf-8").startswith("<svg")
    told = CliRunner().invoke(haenyeo, ["paper", "123", "--out", str(tmp_path / "out"), "--json"])
    assert json.loads(told.output)["tables"][0]["rows"] == [[0.5]]
