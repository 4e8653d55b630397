from __future__ import annotations

import sys
import tomllib
from importlib.metadata import distribution
from inspect import signature
from pathlib import Path
from typing import get_args

import pytest

from haenyeo.model import registry
from haenyeo.model.errors import SettingsError, UnknownPartError
from haenyeo.model.registry import PartKind, check_options, configured_part, find_part, names

PROJECT = Path(__file__).parents[3] / "pyproject.toml"


def declared() -> dict[str, dict[str, str]]:
    """The entry points for parts in `pyproject.toml`, by group."""
    groups: dict[str, dict[str, str]] = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["entry-points"]
    return groups


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package with a scorer of its own and one that claims a name of ours."""
    info = tmp_path / "reefs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: reefs\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[haenyeo.scorers]\nreefs-first = reefs_plug_in:ReefsFirst\nbfs = reefs_plug_in:ReefsFirst\n", encoding="utf-8"
    )
    (tmp_path / "reefs_plug_in.py").write_text("class ReefsFirst: ...\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "reefs_plug_in", raising=False)
    for cached in ("_declared", "_installed"):
        monkeypatch.setattr(registry, cached, getattr(registry, cached).__wrapped__)
    return tmp_path


def test_a_built_in_part_is_found_by_its_name() -> None:
    assert "bfs" in names("scorers")
    assert find_part("scorers", "bfs").__name__ == "BreadthFirst"


def test_an_unknown_part_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownPartError) as caught:
        find_part("scorers", "magic")
    assert "bfs" in caught.value.advice


@pytest.mark.usefixtures("plug_in")
def test_a_plug_in_is_found_like_our_own_but_does_not_take_our_names() -> None:
    assert find_part("scorers", "reefs-first").__name__ == "ReefsFirst"
    assert {"bfs", "default", "reefs-first"} <= set(names("scorers"))
    assert find_part("scorers", "bfs").__name__ == "BreadthFirst"


def test_every_declared_part_is_installed_and_can_be_loaded() -> None:
    installed = distribution("haenyeo").entry_points
    for group, parts in declared().items():
        assert {point.name: point.value for point in installed if point.group == group} == parts
        assert all(callable(point.load()) for point in installed if point.group == group)


def test_every_kind_of_part_has_a_group_and_every_group_a_kind() -> None:
    assert {f"haenyeo.{kind}" for kind in get_args(PartKind)} == set(declared())


def test_a_part_has_the_options_of_its_table() -> None:
    wanted = {"vilo": {"times": 3}, "frequency": {"top_ranks": 1}}
    assert configured_part("watchers", "vilo", wanted)().times == 3
    assert configured_part("watchers", "vilo", {})().times == 10
    method = configured_part("extractors", "frequency", wanted)
    assert method.from_bytes(method().to_bytes()).top_ranks == 1
    assert signature(method).parameters.keys() == signature(find_part("extractors", "frequency")).parameters.keys()


@pytest.mark.parametrize(
    ("table", "path"),
    [
        ({"vlio": {"times": 3}}, "$.parts.vlio"),
        ({"vilo": {"tims": 3}}, "$.parts.vilo.tims"),
        ({"vilo": {"times": "many"}}, "$.parts.vilo.times"),
        ({"vilo": {"times": True}}, "$.parts.vilo.times"),
        ({"groups": {"per_day": 3.0}}, "$.parts.groups.per_day"),
    ],
)
def test_an_unknown_option_is_refused_with_its_path(table: dict[str, dict[str, object]], path: str) -> None:
    with pytest.raises(SettingsError) as caught:
        check_options(table)
    assert caught.value.path == path


def test_a_whole_number_will_do_for_an_option_that_is_a_number() -> None:
    check_options({"density": {"most_linked": 1}})
