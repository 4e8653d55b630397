"""The promises of planners, for every installed one."""

from __future__ import annotations

from typing import Any

import pytest

from haenyeo import make_planner
from haenyeo.model.errors import StoreError, UnknownPartError
from haenyeo.model.registry import find_part, names
from haenyeo.promises.planners import PlannerPromises

PLANNERS = names("planners")


@pytest.fixture(scope="module", params=PLANNERS)
def part(request: pytest.FixtureRequest) -> Any:
    return find_part("planners", request.param)


class TestPlanners(PlannerPromises):
    pass


@pytest.mark.parametrize("name", PLANNERS)
def test_the_state_of_another_planner_is_refused(name: str) -> None:
    for other in PLANNERS:
        if other != name:
            with pytest.raises(StoreError):
                make_planner(name, per_day=1).load(make_planner(other, per_day=1).dump())


def test_an_unknown_planner_is_refused_with_the_known_names() -> None:
    with pytest.raises(UnknownPartError) as error:
        make_planner("tides", per_day=1)
    assert "uniform" in error.value.advice
