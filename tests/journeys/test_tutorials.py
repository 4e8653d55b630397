"""Every command of the tutorials runs as it stands there, and prints what is shown below it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tools.tutorials import TUTORIALS, Outcome, Reader, Step, matches, rewritten, steps_of

PAGES = sorted(TUTORIALS.glob("*.md"))
WITH_COMMANDS = [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")]


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.stem)
def test_every_command_prints_what_is_shown(page: Path, tmp_path: Path) -> None:
    for outcome in Reader(tmp_path).follow(page.read_text(encoding="utf-8")):
        assert outcome.code == 0, f"{outcome.step.command}\n{outcome.output}"
        assert outcome.as_shown, f"{outcome.step.command}\n{outcome.output}\nis shown as\n{outcome.step.shown}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_command_stands_where_it_is_not_run(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    shown = "".join(re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    found = sum(isinstance(step, Step) for step in steps_of(text))
    assert found == len(re.findall(r"^\$ ", shown, re.MULTILINE))
    assert not re.search(r"^(?:    )(?:\$ )?haenyeo ", text, re.MULTILINE)


def test_other_numbers_are_the_same_and_other_words_are_not() -> None:
    assert matches("12 pages in 3.5 s\n...\nend\n", "7 pages in 11 s\none\ntwo\nend\n")
    assert matches("│ a │ 1 │\n", "┏━┳━┓\n│ a  │ 12 │\n")
    assert matches("12 pages: ... changed\n", "3 pages: 2 same, 1 changed\n")
    assert not matches("12 pages\n", "12 pages\nand more\n")
    assert not matches("12 pages\n", "12 sites\n")
    assert matches("12 pages\n", "7 of 12 pages · 3 kept · 0.7/s\n12 pages\n")


def test_what_differs_is_written_anew_and_what_does_not_stays() -> None:
    text = "```console\n$ first\n1 page\n$ second \\\n    more\nold\n```\n"
    one, two = (step for step in steps_of(text) if isinstance(step, Step))
    assert (one.command, two.shown) == ("first", "old\n")
    new = rewritten(text, [Outcome(one, "2 page\n", 0), Outcome(two, "new\n", 0)])
    assert new == "```console\n$ first\n1 page\n$ second \\\n    more\nnew\n```\n"
