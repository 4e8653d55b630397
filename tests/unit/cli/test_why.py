from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from haenyeo.cli.app import haenyeo


def state(divers: Path, url: str) -> str:
    told = json.loads(CliRunner().invoke(haenyeo, ["why", str(divers), url, "--json"]).output)
    return str(told["state"])


def test_every_address_has_its_state(divers: Path) -> None:
    assert state(divers, "https://a.example/0") == "kept"
    assert state(divers, "https://a.example/1") == "read"
    assert state(divers, "https://b.example/0") in ("waiting", "outside")
    assert state(divers, "http://127.0.0.1/none") == "unknown"


def test_a_page_is_explained_in_words(divers: Path) -> None:
    shown = CliRunner().invoke(haenyeo, ["why", str(divers), "https://a.example/0"]).output
    assert "read and kept" in shown
    assert "Women divers" in shown
    assert "linked from 1 page" in shown
    quiet = CliRunner().invoke(haenyeo, ["why", str(divers), "https://a.example/0", "-q"]).output
    assert quiet.splitlines() == ["https://a.example/0", "  read and kept"]


def test_what_is_no_address_is_refused(divers: Path) -> None:
    assert CliRunner().invoke(haenyeo, ["why", str(divers), "ftp://a.example"]).exit_code == 2
