from __future__ import annotations

import json
from pathlib import Path

import pytest

from haenyeo.cli.app import COMMANDS, run

ROWS = "".join(f"<li class=row><b>{{title}} {n}</b><p>{{text}} of {n}</p></li>" for n in range(12))


@pytest.fixture(autouse=True)
def _known_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "diff", "Tell whether the layout changed.")


@pytest.fixture
def pages(tmp_path: Path) -> dict[str, str]:
    old = f"<body><h1>소식</h1><ul>{ROWS}</ul></body>"
    sources = {
        "old": old.format(title="Reef", text="A text"),
        "older": old.format(title="Tide", text="Words"),
        "same": old.format(title="Kelp", text="Other words"),
        "noticed": old.format(title="Reef", text="A text").replace("<p>", "<p><br>"),
        "redesigned": old.format(title="Reef", text="A text").replace("li", "div").replace("row", "card"),
    }
    for name, source in sources.items():
        (tmp_path / f"{name}.html").write_text(source, encoding="utf-8")
    return {name: str(tmp_path / f"{name}.html") for name in sources}


@pytest.mark.parametrize(
    ("new", "code", "grade"), [("same", 0, "same"), ("noticed", 1, "notice"), ("redesigned", 2, "alarm")]
)
def test_the_exit_code_is_the_answer(
    pages: dict[str, str], new: str, code: int, grade: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["diff", pages["old"], "--", pages[new]]) == code
    assert capsys.readouterr().out.startswith(grade)


def test_several_old_pages_and_json(pages: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "--json", pages["old"], pages["older"], "--", pages["redesigned"]]) == 2
    told = json.loads(capsys.readouterr().out)
    assert told["grade"] == "alarm"
    assert told["old"] == [pages["old"], pages["older"]]
    assert told["why"]


def test_two_files_need_no_separator(pages: dict[str, str]) -> None:
    assert run(["diff", "-q", pages["old"], pages["same"]]) == 0


def test_the_watcher_of_the_paper_can_be_asked(pages: dict[str, str]) -> None:
    assert run(["diff", "--watcher", "vilo", pages["old"], "--", pages["noticed"]]) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["diff", "no-such.html", "--", "no-such.html"], "no-such.html cannot be read"),
        (["diff", "a.html", "b.html", "c.html"], "which pages are new?"),
        (["diff", "--", "a.html"], "Missing argument"),
        (["diff", "--watcher", "magic", "a.html", "b.html"], "vilo"),
        (["diff", "--colour", "a.html", "b.html"], "--colour"),
    ],
)
def test_trouble_has_a_code_of_its_own(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 4
    assert words in capsys.readouterr().err


def test_the_patterns_of_the_paper_are_shown(pages: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "--watcher", "vilo", "--patterns", pages["old"], "--", pages["noticed"]]) == 2
    shown = capsys.readouterr().out
    assert "gone: 1" in shown
    assert "<LI>TEXT<P>TEXT</P></LI>" in shown
    assert "<LI>TEXT<P><BR>TEXT</P></LI>" in shown


def test_how_often_a_pattern_occurs_can_be_said(pages: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    sides = [pages["old"], "--", pages["noticed"]]
    assert run(["diff", "--watcher", "vilo", "--times", "50", "--patterns", "--json", *sides]) == 0
    assert json.loads(capsys.readouterr().out)["patterns"] == {"gone": [], "new": [], "the same": []}
    assert run(["diff", "--times", "3", *sides]) == 4
    assert "vilo" in capsys.readouterr().err


def test_the_printed_pseudocode_can_be_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, tag in (("old", "a"), ("new", "q")):
        rows = "".join(f"<li><{tag}>{n}</{tag}></li>" for n in range(12))
        (tmp_path / name).write_text(f"<body><ul>{rows}</ul></body>", encoding="utf-8")
    sides = [str(tmp_path / "old"), "--", str(tmp_path / "new")]
    assert run(["diff", "--watcher", "vilo-printed", "--times", "12", "-q", *sides]) == 2
    assert run(["diff", "--watcher", "vilo-printed", "--times", "11", "-q", *sides]) == 0, "one record more than K"
    assert run(["diff", "--watcher", "vilo", "--times", "11", "-q", *sides]) == 2
    assert capsys.readouterr().err == ""
