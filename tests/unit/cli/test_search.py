from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from haenyeo.cli.app import haenyeo


def test_pages_with_the_words_are_shown(divers: Path) -> None:
    found = CliRunner().invoke(haenyeo, ["search", str(divers), "abalone"], standalone_mode=False)
    assert found.return_value == 0
    assert "Women divers" in found.output
    assert "1 pages" in found.output


def test_nothing_found_has_an_exit_code_of_its_own(divers: Path) -> None:
    found = CliRunner().invoke(haenyeo, ["search", str(divers), "octopus"], standalone_mode=False)
    assert found.return_value == 1
    assert "no page has: octopus" in found.output


def test_filters_and_json(divers: Path) -> None:
    def found(*options: str) -> list[str]:
        shown = CliRunner().invoke(
            haenyeo, ["search", str(divers), "abalone", "--json", *options], standalone_mode=False
        )
        return [hit["title"] for hit in json.loads(shown.output)["hits"]]

    assert found("--site", "a.example", "--language", "en") == ["Women divers"]
    assert found("--language", "ko") == []
    assert found("--since", "2025-03-05") == []
