"""One world for the tests of its parts; nothing that is asked of it changes it."""

from __future__ import annotations

import pytest

from haenyeo.demo.world.world import World


@pytest.fixture(scope="session")
def world() -> World:
    return World(7)
