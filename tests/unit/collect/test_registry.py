from __future__ import annotations

from importlib.metadata import distribution

import pytest

from haenyeo.collect.registry import OWN, find_part, names
from haenyeo.model.errors import UnknownPartError
from haenyeo.read.extract import METHODS


def test_a_built_in_part_is_found_by_its_name() -> None:
    assert "bfs" in names("scorers")
    assert find_part("scorers", "bfs").__name__ == "BreadthFirst"


def test_an_unknown_part_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownPartError) as caught:
        find_part("scorers", "magic")
    assert "bfs" in caught.value.advice


def test_the_parts_known_without_looking_are_those_the_package_declares() -> None:
    declared = [point for point in distribution("haenyeo").entry_points if point.group.startswith("haenyeo.")]
    known = {(f"haenyeo.{kind}", name, value) for kind, parts in OWN.items() for name, value in parts.items()}
    known |= {("haenyeo.extractors", name, ":".join(place)) for name, place in METHODS.items()}
    assert {(point.group, point.name, point.value) for point in declared} == known
    assert all(callable(point.load()) for point in declared)
