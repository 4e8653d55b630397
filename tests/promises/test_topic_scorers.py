"""The promises of scorers of topics, for every installed one."""

from __future__ import annotations

from typing import Any

import pytest

from haenyeo.model.registry import find_part, names
from haenyeo.promises.scorers import TopicScorerPromises

SCORERS = {name: find_part("scorers", name) for name in names("scorers")}


@pytest.fixture(scope="module", params=[name for name, part in SCORERS.items() if hasattr(part, "visit")])
def part(request: pytest.FixtureRequest) -> Any:
    return SCORERS[request.param]


class TestTopicScorers(TopicScorerPromises):
    pass
