from __future__ import annotations

import subprocess
import sys

import pytest

from haenyeo.cli.app import run
from haenyeo.cli.front_page import asked_for, columns_of_terminal, front_page


@pytest.mark.parametrize("columns", [20, 52, 66, 80, 97, 102, 240])
def test_the_page_is_the_one_that_click_writes(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert columns_of_terminal() == columns
    assert run(["--help"]) == 0
    assert front_page(columns) + "\n" == capsys.readouterr().out


def test_no_library_is_loaded_to_print_it() -> None:
    code = (
        "import sys; before = set(sys.modules); from haenyeo.cli import main; sys.argv = ['haenyeo', '--help'];"
        "main(); print(*sorted(set(sys.modules) - before))"
    )
    out = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = out.splitlines()[-1].split()
    assert not {"click", "logging", "typing", "re"} & set(loaded)
    assert out.startswith("Usage: haenyeo [OPTIONS] COMMAND")


@pytest.mark.parametrize("columns", ["", "0", "wide"])
def test_a_width_that_says_nothing_is_not_used(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert columns_of_terminal() > 0


def test_only_the_bare_question_is_answered_by_it() -> None:
    assert asked_for(["-h"])
    assert not asked_for(["crawl", "--help"])
    assert not asked_for([])
