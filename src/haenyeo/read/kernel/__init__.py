"""Compiled loops for what is done with every block of every page; `KERNEL` is None without compiled code."""

from __future__ import annotations

import importlib
from types import ModuleType

__all__ = ["KERNEL"]


def _find_kernel() -> ModuleType | None:
    try:
        return importlib.import_module("haenyeo.read._kernel")
    except ImportError:
        return None


KERNEL = _find_kernel()
