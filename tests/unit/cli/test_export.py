from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from haenyeo.cli.app import haenyeo, run


def test_kept_pages_are_written_with_a_card(divers: Path, tmp_path: Path) -> None:
    out = tmp_path / "texts.jsonl"
    told = json.loads(
        CliRunner().invoke(haenyeo, ["export", str(divers), "--to", "jsonl", "--out", str(out), "--json"]).output
    )
    assert told["pages"] == 2
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["title"] for row in rows] == ["Women divers", "Goods"]
    assert Path(told["card"]).read_text(encoding="utf-8").startswith("---")


def test_a_file_of_its_own_is_made_beside_the_collection(divers: Path) -> None:
    assert CliRunner().invoke(haenyeo, ["export", str(divers), "--to", "csv", "-q"]).output == ""
    assert divers.with_name("divers.csv").exists()


def test_a_folder_cannot_be_written_to_standard_output(divers: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["export", str(divers), "--to", "markdown", "--out", "-"]) == 2
    assert "name it with --out" in capfd.readouterr().err
    lines = CliRunner().invoke(haenyeo, ["export", str(divers), "--to", "jsonl", "--out", "-"]).output
    assert len(lines.splitlines()) == 2
