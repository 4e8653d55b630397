"""The promises of watchers, for every installed one."""

from __future__ import annotations

from typing import Any

import pytest

from haenyeo.model.registry import find_part, names
from haenyeo.promises.watchers import WatcherPromises


@pytest.fixture(scope="module", params=names("watchers"))
def part(request: pytest.FixtureRequest) -> Any:
    return find_part("watchers", request.param)


class TestWatchers(WatcherPromises):
    pass
