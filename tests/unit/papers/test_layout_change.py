from __future__ import annotations

import json
from pathlib import Path

import pytest

from haenyeo.cli.app import run

ROWS = "".join(
    f'<tr><td><a href="/{n}">Result <b>{n}</b></a></td><td>Text of {n}.<br></td></tr><!-- {n} -->' for n in range(15)
)
PAGE = (
    f"<html><head><title>x</title></head><body><h1>Results</h1><table>{ROWS}</table><script>a<b</script></body></html>"
)


@pytest.mark.slow
def test_the_experiment_runs_on_a_data_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    redesigned = PAGE.replace("table", "section").replace("<tr", "<article").replace("<td", "<div")
    for name, html in (("a", PAGE), ("b", PAGE.replace("Text", "Words")), ("c", redesigned)):
        (tmp_path / f"{name}.html").write_text(html, encoding="utf-8")
    index = {
        "pages": [{"file": "a.html"}],
        "stable": [{"a": "a.html", "b": "b.html"}],
        "groups": [{"pages": ["a.html", "b.html", "a.html"]}],
        "redesign": [{"before": "a.html", "after": "c.html", "strict": True}],
    }
    (tmp_path / "index.json").write_text(json.dumps(index), encoding="utf-8")
    assert run(["paper", "002", "--data", str(tmp_path), "--out", str(tmp_path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    examples, strategy, detected, elsewhere, stable, changed = report["tables"]
    assert {row[-1] for row in examples["rows"]} == {"yes"}, "the worked examples of section 4"
    assert [row[0] for row in strategy["rows"]] == ["Is", "I", "Ds", "D", "Us", "U"]
    assert len(detected["rows"]) == 18
    assert {tuple(row[2:7]) for row in detected["rows"]} == {(110, 100.0, 1, 100.0, 0.0)}, "printed, ours, difference"
    assert {row[8] for row in detected["rows"]} == {100.0}
    assert elsewhere["rows"][0][1:3] == [1, 18]
    assert [row[2:] for row in stable["rows"]] == [[0.0] * 4] * 2
    assert changed["rows"][0][2] == changed["rows"][0][4] == 100.0
    assert any("0 further pages" in note for note in report["notes"])
    assert (tmp_path / "paper-002-figure-1.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_folder_that_is_no_data_set_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["paper", "002", "--data", str(tmp_path)]) == 2
    assert "docs/watch.md" in capsys.readouterr().err
