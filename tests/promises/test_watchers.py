"""The promises of watchers, for every installed one but `vilo-printed`, which breaks one of them."""

from __future__ import annotations

from typing import Any

import pytest

from haenyeo.model.registry import find_part, names
from haenyeo.promises.watchers import WatcherPromises


@pytest.fixture(scope="module", params=[name for name in names("watchers") if name != "vilo-printed"])
def part(request: pytest.FixtureRequest) -> Any:
    return find_part("watchers", request.param)


class TestWatchers(WatcherPromises):
    pass
