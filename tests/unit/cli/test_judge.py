from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from haenyeo.cli.app import haenyeo, run
from haenyeo.store import Store


def test_a_verdict_counts_at_once(divers: Path) -> None:
    told = json.loads(CliRunner().invoke(haenyeo, ["judge", str(divers), "https://a.example/0", "no", "--json"]).output)
    assert (told["relevant"], told["topic"], told["fetched"], told["taken_up"]) == (False, "divers", True, True)
    with Store.open(divers, writing=False) as store:
        page = store.page("https://a.example/0")
    assert page is not None
    assert not page.kept


def test_a_verdict_on_a_page_not_fetched_waits_for_a_crawl(divers: Path) -> None:
    shown = CliRunner().invoke(haenyeo, ["judge", str(divers), "https://a.example/new", "yes"]).output
    assert "it will be fetched as soon as a crawl goes on" in shown


def test_what_is_no_address_is_refused(divers: Path) -> None:
    assert CliRunner().invoke(haenyeo, ["judge", str(divers), "somewhere", "yes"]).exit_code == 2


def test_what_a_page_nobody_has_read_would_change_is_unknown(divers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["judge", str(divers), "https://a.example/new", "yes", "--dry-run"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "https://a.example/new is not in the collection" in told.err
    assert "without --dry-run" in told.err
