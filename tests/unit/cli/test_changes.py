from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from haenyeo.cli.app import haenyeo


def changes(divers: Path, *options: str) -> dict[str, Any]:
    shown = CliRunner().invoke(haenyeo, ["changes", str(divers), "--json", *options])
    told: dict[str, Any] = json.loads(shown.output)
    return told


def test_changes_are_told_by_kind_and_time(divers: Path) -> None:
    [change] = changes(divers)["changes"]
    assert (change["kind"], change["grade"], change["url"]) == ("layout", "alarm", "https://shop.example/list")
    assert changes(divers, "--kind", "content")["changes"] == []
    assert changes(divers, "--since", "2025-03-05")["changes"] == []


def test_no_change_is_said_in_words(divers: Path) -> None:
    shown = CliRunner().invoke(haenyeo, ["changes", str(divers), "--since", "2025-03-05"]).output
    assert shown == "nothing changed since 2025-03-05 00:00\n"
    assert "layout alarm" in CliRunner().invoke(haenyeo, ["changes", str(divers)]).output


def test_versions_of_a_text_are_compared(divers: Path) -> None:
    told = changes(divers, "--diff", "https://a.example/0")
    assert told["versions"] == 2
    [diff] = told["diffs"]
    lines = diff["diff"]
    assert "-The haenyeo dive for abalone without tanks." in lines
    assert "+The haenyeo dive for abalone and sing." in lines


def test_a_page_of_one_version_says_so(divers: Path) -> None:
    shown = CliRunner().invoke(haenyeo, ["changes", str(divers), "--diff", "https://a.example/1"]).output
    assert shown == "one version is stored, of 2025-03-03 12:00\n"


def test_a_page_that_is_not_there_is_refused(divers: Path) -> None:
    refused = CliRunner().invoke(haenyeo, ["changes", str(divers), "--diff", "https://a.example/none"])
    assert refused.exit_code == 2
    assert "is not in the collection" in refused.output
