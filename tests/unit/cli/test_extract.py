from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from click.testing import CliRunner

from haenyeo.cli import reading_together
from haenyeo.cli.extract import command
from haenyeo.model.errors import UsageError

SENTENCE = "The divers of the island know the tides of {}, and they know every reef and every stone by its name."

MARKED = ["--markdown", "--json"]


def _unpacked(data: bytes) -> bytes:
    return zstandard.ZstdDecompressor().stream_reader(data).read()


PACK: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}
UNPACK: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.decompress, ".zst": _unpacked}


def line(number: int, **more: str) -> str:
    html = (
        f"<title>Page {number}</title><nav><a href=/>Home</a></nav><article><p>{SENTENCE.format(number)}</p></article>"
    )
    return json.dumps({"url": f"https://reef.example/{number}", "html": html, **more})


def rows(text: str) -> list[dict[str, str]]:
    return [json.loads(row) for row in text.splitlines()]


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_lines_come_back_in_order_packed_by_suffix(tmp_path: Path, suffix: str) -> None:
    given, result = tmp_path / f"in.jsonl{suffix}", tmp_path / f"out.jsonl{suffix}"
    given.write_bytes(PACK[suffix]("\n".join(line(number) for number in range(4)).encode()))
    outcome = CliRunner().invoke(command, ["--jsonl", str(given), "--out", str(result)])
    assert outcome.exit_code == 0, outcome.output
    found = rows(UNPACK[suffix](result.read_bytes()).decode())
    assert [row["url"] for row in found] == [f"https://reef.example/{number}" for number in range(4)]
    assert [row["text"] for row in found] == [SENTENCE.format(number) for number in range(4)]
    assert list(tmp_path.glob(".*")) == []


def test_more_sites_than_fit_in_memory_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_together, "MOST_SITES", 2)
    given = tmp_path / "in.jsonl"
    given.write_text("\n".join(line(number, site=f"s{number % 5}") for number in range(20)), encoding="utf-8")
    outcome = CliRunner().invoke(command, ["--jsonl", str(given)])
    assert [row["text"] for row in rows(outcome.stdout)] == [SENTENCE.format(number) for number in range(20)]


def test_an_address_comes_back_as_it_was_given(tmp_path: Path) -> None:
    given = tmp_path / "in.jsonl"
    given.write_text(line(1).replace("https://reef.example/1", "a b#c"), encoding="utf-8")
    assert rows(CliRunner().invoke(command, ["--jsonl", str(given)]).stdout)[0]["url"] == "a b#c"


def test_a_line_that_is_no_page_is_named(tmp_path: Path) -> None:
    given = tmp_path / "in.jsonl"
    given.write_text(line(1) + "\n{}\n", encoding="utf-8")
    outcome = CliRunner().invoke(command, ["--jsonl", str(given), "--out", str(tmp_path / "out.jsonl")])
    assert isinstance(outcome.exception, UsageError)
    assert "line 2" in str(outcome.exception)
    assert not (tmp_path / "out.jsonl").exists()


def test_files_are_printed_as_text_or_json(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(json.loads(line(3))["html"], encoding="utf-8")
    assert CliRunner().invoke(command, [str(page)]).stdout == SENTENCE.format(3) + "\n"
    row = rows(CliRunner().invoke(command, [str(page), "--json"]).stdout)[0]
    assert (row["url"], row["title"], row["text"]) == (str(page), "Page 3", SENTENCE.format(3))


def test_files_and_lines_exclude_each_other(tmp_path: Path) -> None:
    assert CliRunner().invoke(command, []).exit_code == 2
    page = tmp_path / "page.html"
    page.write_text("<p>x", encoding="utf-8")
    assert CliRunner().invoke(command, [str(page), "--jsonl", str(page)]).exit_code == 2


def test_markdown_is_printed_where_it_is_asked_for(tmp_path: Path) -> None:
    saved = tmp_path / "tides.html"
    saved.write_text(f"<title>Tides</title><article><h1>Tides</h1><p>{SENTENCE.format('<em>May</em>')}</p></article>")
    plain, marked, lines = (CliRunner().invoke(command, [str(saved), *asked]) for asked in ([], ["--markdown"], MARKED))
    assert plain.stdout == f"Tides\n\n{SENTENCE.format('May')}\n"
    assert marked.stdout == f"# Tides\n\n{SENTENCE.format('*May*')}\n"
    [row] = rows(lines.stdout)
    assert (row["text"], row["markdown"]) == (plain.stdout[:-1], marked.stdout[:-1])
