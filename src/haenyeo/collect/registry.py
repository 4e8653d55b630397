"""Finds parts by kind and name through entry points, so that a plug-in is never second class."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoints, PackageNotFoundError, distribution, entry_points
from typing import Any, Literal

from haenyeo.model.errors import UnknownPartError

Kind = Literal["scorers", "judges", "extractors", "watchers", "planners", "seeds", "fetchers", "stores"]


@cache
def names(kind: Kind) -> tuple[str, ...]:
    """The names of all installed parts of this kind, sorted."""
    return tuple(sorted(point.name for point in entry_points(group=f"haenyeo.{kind}")))


def find_part(kind: Kind, name: str) -> Any:
    """The class or function registered under this name; raises `UnknownPartError` that lists the known ones."""
    group = f"haenyeo.{kind}"
    for point in _own().select(group=group, name=name) or entry_points(group=group, name=name):
        return point.load()
    known = ", ".join(names(kind)) or "none"
    raise UnknownPartError(f"there is no part named {name!r} among the {kind}", advice=f"installed {kind}: {known}")


@cache
def _own() -> EntryPoints:
    """The parts that come with the package; to look through all packages takes twenty times as long."""
    try:
        return distribution("haenyeo").entry_points
    except PackageNotFoundError:
        return EntryPoints()
