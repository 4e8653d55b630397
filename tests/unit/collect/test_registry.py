from __future__ import annotations

import pytest

from haenyeo.collect.registry import find_part, names
from haenyeo.model.errors import UnknownPartError


def test_a_built_in_part_is_found_by_its_name() -> None:
    assert "bfs" in names("scorers")
    assert find_part("scorers", "bfs").__name__ == "BreadthFirst"


def test_an_unknown_part_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownPartError) as caught:
        find_part("scorers", "magic")
    assert "bfs" in caught.value.advice
