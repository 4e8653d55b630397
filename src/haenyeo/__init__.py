"""Haenyeo: a topical web collector that finds, reads, watches and refreshes the part of the web about your topic."""

from __future__ import annotations

import logging
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from haenyeo.collect.collection import Collection, Overrides
    from haenyeo.model.errors import HaenyeoError
    from haenyeo.model.pages import Document, Page

__version__ = "0.1.0"
__all__ = ["Collection", "Document", "HaenyeoError", "Overrides", "Page"]

_HOMES = {
    "Collection": "haenyeo.collect.collection",
    "Document": "haenyeo.model.pages",
    "HaenyeoError": "haenyeo.model.errors",
    "Overrides": "haenyeo.collect.collection",
    "Page": "haenyeo.model.pages",
}

logging.getLogger(__name__).addHandler(logging.NullHandler())


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `import haenyeo` costs next to nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
