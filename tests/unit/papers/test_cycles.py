from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from haenyeo.cli.app import haenyeo, run
from haenyeo.model.errors import UsageError
from haenyeo.papers.change_logs import read_log
from haenyeo.papers.wrapper_crawl import wrapper_table

WEEK = 7 * 86_400


def write_log(path: Path) -> Path:
    lines = []
    for number in range(20):
        changes = [1_000_000 + at for at in range(43_200, 6 * WEEK, 86_400 if number < 4 else 3 * WEEK)]
        page = {"url": f"https://a.example/{number}", "site": "a.example", "window": [1_000_000, 1_000_000 + 6 * WEEK]}
        lines.append(json.dumps({**page, "changes": changes, "born": 1_000_000}))
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


@pytest.mark.slow
def test_paper_004_is_repeated_on_a_change_log(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl.gz")
    done = CliRunner().invoke(haenyeo, ["paper", "004", "--data", str(log), "--out", str(tmp_path), "--json"])
    told = json.loads(done.stdout)
    fields, noted, changes, hours, visits, requests, freshness = told["tables"]
    assert requests["rows"][-1][1:5] == [1200, 644, 791.6, 147.6]
    groups = {row[0]: row[5] for row in requests["rows"]}
    assert groups == {"G14": 0, "G7": 4, "G3": 0, "G1": 16, "2G1": 0, "4G1": 0, "sum": 20}
    assert len(fields["rows"]) == 5
    assert {row[0]: row[6] for row in changes["rows"]}["u1"] == "G7"
    assert len(noted["rows"]) == 16
    assert hours["rows"][-3][2:] == [14, 2450, "day, visited at 0:00"]
    assert hours["rows"][-2][2:4] == [14, 2450], "tables 3.3 and 3.4 agree"
    assert {row[-1] for row in visits["rows"]} == {"yes"}, "table 3.5 follows from table 3.3"
    assert any("34 %" in note and "644" in note for note in told["notes"])
    stale = {row[0]: row[1] for row in freshness["rows"]}
    assert stale["default, as many requests"] < stale["every page alike, as many requests"]
    assert Path(told["figures"][0]).read_text(encoding="utf-8").startswith("<svg")


def test_a_line_that_is_no_page_is_named(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"url": "x"}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="line 1"):
        read_log(path)


def test_a_log_that_cannot_be_read_ends_with_advice(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("nonsense\n", encoding="utf-8")
    assert run(["paper", "004", "--data", str(path)]) == 2
    assert "window" in capfd.readouterr().err


@pytest.mark.slow
def test_table_4_1_lists_and_their_items_beside_every_link() -> None:
    time, data, products, accuracy = wrapper_table().rows
    assert [time[1], time[3]] == ["12 days and more", "30 hours"]
    assert [data[1], data[3]] == ["36 GB", "39 GB"]
    assert [accuracy[1], accuracy[3], accuracy[4]] == ["0.67 %", "99.98 %", "100.00 %"]
    assert float(str(accuracy[2]).split()[0]) < 50
    found, fetched = map(int, str(products[4]).split(" of "))
    assert found == fetched > 20, "every item is a product, and none is fetched twice"
