"""Compiled modules are loaded here whatever the environment says: what they do is what is tested."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType

import pytest

from haenyeo.find.learned.features import words
from haenyeo.html import quick
from haenyeo.read.page import places, texts


@pytest.fixture(scope="session")
def compiled() -> Callable[[str], ModuleType]:
    """A compiled module by its name, told all it needs to know."""
    for name, configure in (
        ("features", words.configure),
        ("scanner", quick.configured),
        ("reading", texts.configure),
        ("reading", places.configure),
    ):
        configure(importlib.import_module(f"haenyeo.native._{name}"))
    return lambda name: importlib.import_module(f"haenyeo.native._{name}")
