"""The promises of extractors, for every installed one."""

from __future__ import annotations

from typing import Any

import pytest

from haenyeo.model.registry import find_part, names
from haenyeo.promises.extractors import ExtractorPromises


@pytest.fixture(scope="module", params=names("extractors"))
def part(request: pytest.FixtureRequest) -> Any:
    return find_part("extractors", request.param)


class TestExtractors(ExtractorPromises):
    pass
