"""Compiled code says what the Python code it stands for says, whatever it is given: the targets of `bench/fuzz`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from bench.fuzz.honest import HONEST
from bench.fuzz.hostile import configure, try_one
from bench.fuzz.twins import TWINS, USERS
from hypothesis import example, given, settings
from hypothesis import strategies as st

from haenyeo import native
from haenyeo.native import MODULES


@pytest.fixture(scope="module", autouse=True)
def _compiled_for_all(compiled: Callable[[str], ModuleType]) -> Iterator[None]:
    """Who may call compiled code does so, even where it is left out by wish."""
    with pytest.MonkeyPatch.context() as patch:
        for name, users in USERS.items():
            for user in users:
                patch.setattr(user, "COMPILED", compiled(name))
        yield


@pytest.mark.parametrize("name", TWINS)
@settings(deadline=None)
@given(st.integers(0, 2**32))
def test_twins_say_the_same(name: str, seed: int) -> None:
    TWINS[name](Random(seed))


@pytest.mark.parametrize("name", HONEST)
@settings(deadline=None)
@given(st.integers(0, 2**32))
@example(0)
def test_hostile_arguments_do_no_harm(name: str, seed: int) -> None:
    try_one(name, Random(seed))


def test_everybody_who_calls_compiled_code_is_known() -> None:
    sources = Path(native.__file__).parent.parent.rglob("*.py")
    calling = {str(path) for path in sources if "COMPILED = " in path.read_text(encoding="utf-8")}
    assert calling == {user.__file__ for users in USERS.values() for user in users}


def test_every_entry_point_is_tried() -> None:
    configure()
    entries = {
        f"{name}.{function}"
        for name in MODULES
        for function in dir(importlib.import_module(f"haenyeo.native._{name}"))
        if not function.startswith("_")
    }
    told = {name for name in entries if "configure" in name}
    assert set(HONEST) == entries
    assert set(TWINS) == entries - told
