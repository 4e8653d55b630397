"""Finds parts by kind and name through entry points, so that a plug-in is never second class.

The package's own parts stand in its `pyproject.toml`, under the same groups that plug-ins use, and nowhere else.
Reading what the installed packages declare takes about 20 ms, once, and only in commands that need a part.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from haenyeo.model.errors import UnknownPartError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

PartKind = Literal["scorers", "extractors", "watchers", "planners", "seeds"]
"""The kinds of parts; the entry points of each stand in the group `haenyeo.` and its name."""

_OWN = "haenyeo"


def names(kind: PartKind) -> tuple[str, ...]:
    """The names of all installed parts of this kind, sorted."""
    return tuple(sorted(_declared(kind)))


def find_part(kind: PartKind, name: str) -> Any:
    """The class registered under this name; raises `UnknownPartError` that lists the known ones."""
    point = _declared(kind).get(name)
    if point is None:
        known = ", ".join(names(kind)) or "none"
        raise UnknownPartError(f"there is no part named {name!r} among the {kind}", advice=f"installed {kind}: {known}")
    return point.load()


@cache
def _declared(kind: PartKind) -> dict[str, EntryPoint]:
    """The entry points of a kind by name; where a plug-in has taken a name of the package's own, the own part wins."""
    from importlib.metadata import entry_points

    found = entry_points(group=f"haenyeo.{kind}")
    return {point.name: point for point in sorted(found, key=_is_own)}


def _is_own(point: EntryPoint) -> bool:
    return point.dist is not None and point.dist.name == _OWN
