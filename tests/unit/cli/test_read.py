from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from haenyeo.cli.app import haenyeo


def test_texts_are_derived_again_from_the_archive(divers: Path) -> None:
    told = json.loads(CliRunner().invoke(haenyeo, ["read", str(divers), "--json"]).output)
    assert (told["pages"], told["sites"], told["lost"]) == (3, 2, 0)


def test_pages_that_are_not_in_the_archive_stay_as_they_were(divers: Path) -> None:
    for file in (divers / "archive").iterdir():
        file.unlink()
    shown = CliRunner().invoke(haenyeo, ["read", str(divers)]).output
    assert "3 pages are not in the archive and stay as they were" in shown
