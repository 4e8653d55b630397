"""The promises of sources of seeds, for every installed one."""

from __future__ import annotations

from typing import Any

import pytest

from haenyeo.model.registry import find_part, names
from haenyeo.promises.seeds import SeedSourcePromises


@pytest.fixture(scope="module", params=names("seeds"))
def part(request: pytest.FixtureRequest) -> Any:
    return find_part("seeds", request.param)


class TestSeedSources(SeedSourcePromises):
    pass
