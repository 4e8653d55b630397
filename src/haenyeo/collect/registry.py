"""Finds parts by kind and name through entry points, so that a plug-in is never second class.

The parts that come with the package are known without looking through the installed packages: to read what these
declare takes some ten milliseconds, which every command would pay. The package's extractors are known to `read`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Literal

from haenyeo.model.errors import UnknownPartError

Kind = Literal["scorers", "judges", "extractors", "watchers", "planners", "seeds", "fetchers", "stores"]

OWN = {
    "scorers": {
        "bfs": "haenyeo.find.bfs:BreadthFirst",
        "default": "haenyeo.find.learned.strategy:Learned",
        "fc": "haenyeo.find.faithful.classic:ClassicFocused",
        "pfc": "haenyeo.find.faithful.cosine:CosinePriority",
        "segment": "haenyeo.find.faithful.segment:SegmentedContext",
        "segment-backlinks": "haenyeo.find.faithful.segment:SegmentedBacklinks",
        "spfc": "haenyeo.find.faithful.semantic:SemanticPriority",
    },
    "watchers": {
        "default": "haenyeo.watch.default:DefaultWatcher",
        "vilo": "haenyeo.watch.vilo:Vilo",
    },
    "planners": {
        "adaptive": "haenyeo.refresh.adaptive:Adaptive",
        "default": "haenyeo.refresh.tide.planner:Tide",
        "groups": "haenyeo.refresh.groups.planner:Groups",
        "nutch": "haenyeo.refresh.adaptive:Nutch",
        "poisson": "haenyeo.refresh.poisson:Poisson",
        "uniform": "haenyeo.refresh.uniform:Uniform",
    },
    "seeds": {
        "feeds": "haenyeo.collect.crawl.seeding.feeds:OwnFeeds",
        "file": "haenyeo.collect.crawl.seeding.listed:ListedSeeds",
        "searxng": "haenyeo.collect.crawl.seeding.searxng:SearxNG",
    },
}
"""What the package declares as entry points, by kind and name."""


@cache
def names(kind: Kind) -> tuple[str, ...]:
    """The names of all installed parts of this kind, sorted."""
    from importlib.metadata import entry_points

    return tuple(sorted({*OWN.get(kind, ()), *(point.name for point in entry_points(group=f"haenyeo.{kind}"))}))


def find_part(kind: Kind, name: str) -> Any:
    """The class or function registered under this name; raises `UnknownPartError` that lists the known ones."""
    if own := OWN.get(kind, {}).get(name):
        module, _, attribute = own.partition(":")
        return getattr(import_module(module), attribute)
    return _plugged_in(kind, name)


def _plugged_in(kind: Kind, name: str) -> Any:
    from importlib.metadata import entry_points

    for point in entry_points(group=f"haenyeo.{kind}", name=name):
        return point.load()
    known = ", ".join(names(kind)) or "none"
    raise UnknownPartError(f"there is no part named {name!r} among the {kind}", advice=f"installed {kind}: {known}")
