"""Every hostile case: the collector ends by itself, loses no good page, and asks nobody it must not ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hostile.cases import CASES
from hostile.performance import Performance

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def performance(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Performance]:
    names = [
        str(item.callspec.params["name"])
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.originalname == "test_a_hostile_server_gets_nowhere"
    ]
    with Performance(names, tmp_path_factory.mktemp("hostile")) as running:
        yield running


@pytest.mark.parametrize("name", CASES)
def test_a_hostile_server_gets_nowhere(performance: Performance, name: str) -> None:
    performance.verdict(name)
