"""What is compiled, where is it, and why not? The one place that loads compiled modules.

Each module has its sources in a folder of its name and does what Python code elsewhere does, in less time. That code,
the module's twin, has a name that ends in `_in_python`; it takes over where there was no compiler, and everywhere when
the environment variable `HAENYEO_PURE` is 1.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import os
from types import ModuleType
from typing import NamedTuple

__all__ = ["MODULES", "State", "load", "state"]

MODULES = ("features", "fingerprint", "reading", "scanner", "seen", "surroundings", "weighing", "writing")

PURE_BY_WISH = "HAENYEO_PURE is set"
NOT_BUILT = "not built"


class State(NamedTuple):
    """Which modules are compiled, and for each of the others why it is not."""

    compiled: tuple[str, ...]
    missing: dict[str, str]


def load(name: str) -> ModuleType | None:
    """The compiled module of this name; None if Python has to do its work."""
    return _loaded(name)[0]


def state() -> State:
    """What is compiled and what is not; loads all modules to find out."""
    reasons = {name: _loaded(name)[1] for name in MODULES}
    return State(
        tuple(name for name, reason in reasons.items() if not reason),
        {name: reason for name, reason in reasons.items() if reason},
    )


@functools.cache
def _loaded(name: str) -> tuple[ModuleType | None, str]:
    """A compiled module, or None and the reason."""
    if name not in MODULES:
        raise ValueError(f"there is no compiled module {name!r}, only {', '.join(MODULES)}")
    if os.environ.get("HAENYEO_PURE", "") not in {"", "0"}:
        return None, PURE_BY_WISH
    full_name = f"{__name__}._{name}"
    if importlib.util.find_spec(full_name) is None:
        return None, NOT_BUILT
    try:
        return importlib.import_module(full_name), ""
    except ImportError as error:
        return None, str(error)
