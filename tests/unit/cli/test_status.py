from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from haenyeo.cli.app import haenyeo


def test_one_screen_tells_what_the_collection_holds(divers: Path) -> None:
    shown = CliRunner().invoke(haenyeo, ["status", str(divers)]).output
    assert "pages kept" in shown
    assert "shop.example" in shown


def test_machines_are_told_the_same(divers: Path) -> None:
    told = json.loads(CliRunner().invoke(haenyeo, ["status", str(divers), "--json"]).output)
    assert (told["counts"]["kept"], told["counts"]["asked"], told["counts"]["visits"]) == (2, 3, 4)
    assert {site["site"]: site["kept"] for site in told["sites"]} == {"a.example": 1, "shop.example": 1}


def test_a_topic_that_is_not_there_is_refused_with_the_known_ones(divers: Path) -> None:
    failed = CliRunner().invoke(haenyeo, ["status", str(divers), "--topic", "bread"]).exception
    assert "there is no topic 'bread'" in str(failed)


def test_a_topic_shows_what_it_would_follow_next(divers: Path) -> None:
    told = json.loads(CliRunner().invoke(haenyeo, ["status", str(divers), "--topic", "divers", "--json"]).output)
    assert (told["topic"], told["words"]) == ("divers", "divers")
