"""Haenyeo: a topical web collector that finds, reads, watches and refreshes the part of the web about your topic."""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it: typing itself is loaded when something needs it
if TYPE_CHECKING:
    from haenyeo.collect.collection import Collection, Overrides
    from haenyeo.collect.service.planners import make_planner
    from haenyeo.model.config import Topic
    from haenyeo.model.errors import HaenyeoError
    from haenyeo.model.pages import Document, Page
    from haenyeo.read.extract import extract_site
    from haenyeo.watch.compare import compare_layouts
    from haenyeo.watch.layout import describe_layout
    from haenyeo.watch.rules.learn import learn_rule
    from haenyeo.watch.rules.repair import repair_rule
    from haenyeo.watch.rules.rule import Rule

__version__ = "0.1.0"
__all__ = [
    "Collection",
    "Document",
    "HaenyeoError",
    "Overrides",
    "Page",
    "Rule",
    "Topic",
    "compare_layouts",
    "describe_layout",
    "extract_site",
    "learn_rule",
    "make_planner",
    "repair_rule",
]

_HOMES = {
    "Collection": "haenyeo.collect.collection",
    "Document": "haenyeo.model.pages",
    "HaenyeoError": "haenyeo.model.errors",
    "Overrides": "haenyeo.collect.collection",
    "Page": "haenyeo.model.pages",
    "Rule": "haenyeo.watch.rules.rule",
    "Topic": "haenyeo.model.config",
    "compare_layouts": "haenyeo.watch.compare",
    "describe_layout": "haenyeo.watch.layout",
    "extract_site": "haenyeo.read.extract",
    "learn_rule": "haenyeo.watch.rules.learn",
    "make_planner": "haenyeo.collect.service.planners",
    "repair_rule": "haenyeo.watch.rules.repair",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `import haenyeo` costs next to nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """The public names, which are imported when they are first used."""
    return sorted([*globals(), *__all__])
