from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from haenyeo.cli.app import COMMANDS, haenyeo, run


def test_help_lists_every_command_and_imports_none() -> None:
    code = "import sys; from haenyeo.cli.app import run; run(['--help']); print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    modules = out.splitlines()[-1]
    assert all(f"\n  {name} " in out for name in COMMANDS)
    assert not {"asyncio", "numpy", "rich", "aiohttp", "sqlite3"} & set(modules.split())


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_has_help_json_and_loudness(name: str) -> None:
    shown = CliRunner().invoke(haenyeo, [name, "--help"]).output
    assert "--json" in shown
    assert "--quiet" in shown
    assert "--verbose" in shown


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["crawl", "nowhere"], 1, "there is no collection at"),
        (["status", "nowhere"], 1, "haenyeo new"),
        (["new", "x", "--topic", "t", "--seed", "ftp://a.example/"], 2, "not an http or https address"),
        (["new", "x", "--topic", "t", "--like", "no-such-file"], 2, "neither an address nor a saved page"),
        (["new", "x", "--topic", "t", "--seed", "@no-such-file"], 2, "no-such-file"),
        (["fly"], 2, "No such command"),
    ],
)
def test_errors_say_what_to_do(
    arguments: list[str],
    code: int,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(arguments) == code
    shown = capsys.readouterr().err
    assert words in shown
    assert "Traceback" not in shown


def test_a_misspelt_setting_stops_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "reefs"
    run(["new", str(place), "--topic", "reefs", "--seed", "https://a.example/"])
    settings = place / "haenyeo.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("delay = 1.0", "dealy = 1.0"), encoding="utf-8")
    assert run(["crawl", str(place)]) == 2
    assert "$.pace.dealy" in capsys.readouterr().err


def test_an_unknown_strategy_is_refused_with_the_known_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "reefs"
    run(["new", str(place), "--topic", "reefs", "--seed", "https://a.example/"])
    assert run(["crawl", str(place), "--strategy", "magic"]) == 2
    assert "bfs" in capsys.readouterr().err
