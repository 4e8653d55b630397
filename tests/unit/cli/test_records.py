from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from haenyeo.cli.app import haenyeo
from haenyeo.cli.records import _examples


def test_rules_are_listed_with_their_records(divers: Path) -> None:
    told = json.loads(CliRunner().invoke(haenyeo, ["records", str(divers), "--json"]).output)
    assert [(rule["rule"], rule["records"], rule["version"]) for rule in told["rules"]] == [("goods", 1, 1)]


def test_the_records_of_a_rule_are_shown(divers: Path) -> None:
    shown = CliRunner().invoke(haenyeo, ["records", str(divers), "--rule", "goods"]).output
    assert "1 records of rule goods" in " ".join(shown.split())
    assert "Float" in shown
    told = json.loads(CliRunner().invoke(haenyeo, ["records", str(divers), "--rule", "goods", "--json"]).output)
    assert told["records"] == [{"name": "Float"}]
    assert "css" in told["selectors"]["name"]


def test_a_rule_that_is_not_there_is_refused_with_the_known_ones(divers: Path) -> None:
    refused = CliRunner().invoke(haenyeo, ["records", str(divers), "--rule", "bads"])
    assert (refused.exit_code, "rules: goods" in refused.output) == (2, True)


def test_a_rule_of_one_version_cannot_be_reverted(divers: Path) -> None:
    refused = CliRunner().invoke(haenyeo, ["records", str(divers), "--rule", "goods", "--revert"])
    assert (refused.exit_code, "one version only" in refused.output) == (2, True)


def test_a_field_that_comes_again_begins_the_next_example() -> None:
    assert _examples(["name=Float", "price = 3.50", "name=Mask"]) == [
        {"name": "Float", "price": "3.50"},
        {"name": "Mask"},
    ]
    assert _examples([]) == []


@pytest.mark.parametrize("field", ["name", "=x", "name=", " = "])
def test_a_field_without_name_or_value_is_refused(field: str) -> None:
    with pytest.raises(click.BadParameter, match="NAME=VALUE"):
        _examples([field])
