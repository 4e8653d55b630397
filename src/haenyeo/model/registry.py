"""Finds parts by kind and name through entry points, so that a plug-in is never second class.

The package's own parts stand in its `pyproject.toml`, under the same groups that plug-ins use, and nowhere else.
Reading what the installed packages declare takes about 20 ms, once, and only in commands that need a part of others.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial, partialmethod
from inspect import Parameter, signature
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from haenyeo.model.errors import SettingsError, UnknownPartError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

PartKind = Literal["scorers", "extractors", "watchers", "planners", "seeds"]
"""The kinds of parts; the entry points of each stand in the group `haenyeo.` and its name."""

Options = Mapping[str, Mapping[str, object]]
"""The tables `[parts.NAME]` of the settings: the options of each part by its name."""

NO_OPTIONS: Options = MappingProxyType({})

_OWN = "haenyeo"
_GIVEN = frozenset(
    ("per_day", "goal", "max_age", "settings", "words", "examples", "counterexamples", "ontology", "backlinks")
)
"""What parts are given by those who use them, and no option of theirs."""
_KINDS: tuple[PartKind, ...] = ("scorers", "extractors", "watchers", "planners", "seeds")


def names(kind: PartKind) -> tuple[str, ...]:
    """The names of all installed parts of this kind, sorted."""
    return tuple(sorted(_declared(kind)))


def find_part(kind: PartKind, name: str) -> Any:
    """The class registered under this name; raises `UnknownPartError` that lists the known ones."""
    point = _own(kind).get(name) or _declared(kind).get(name)
    if point is None:
        known = ", ".join(names(kind)) or "none"
        raise UnknownPartError(f"there is no part named {name!r} among the {kind}", advice=f"installed {kind}: {known}")
    return point.load()


def configured_part(kind: PartKind, name: str, options: Options) -> Any:
    """The class registered under this name, whose options are by default as the settings want them.

    Raises `UnknownPartError` that lists the known parts if there is none of this name.
    """
    part = find_part(kind, name)
    known = options_of(part)
    wanted = {option: value for option, value in options.get(name, {}).items() if option in known}
    if not wanted:
        return part
    if not isinstance(part, type):
        return partial(part, **wanted)
    return type(part.__name__, (part,), {"__init__": partialmethod(part.__init__, **wanted)})  # type: ignore[misc]


def options_of(part: Any) -> dict[str, object]:
    """The options of a part with their defaults: the keywords that its maker may leave out."""
    return {
        name: parameter.default
        for name, parameter in signature(part).parameters.items()
        if parameter.kind is Parameter.KEYWORD_ONLY and parameter.default is not Parameter.empty and name not in _GIVEN
    }


def check_options(options: Options) -> None:
    """Raise `SettingsError` if there is no part of such a name, or it has no such option, or one of another type."""
    for name, wanted in options.items():
        parts = [find_part(kind, name) for kind in _KINDS if name in _declared(kind)]
        if not parts:
            raise SettingsError(
                f"haenyeo.toml: $.parts.{name} is the table of no installed part",
                path=f"$.parts.{name}",
                advice="name it as under [strategy]",
            )
        known = {option: default for part in parts for option, default in options_of(part).items()}
        for option, value in wanted.items():
            _check_option(f"$.parts.{name}.{option}", value, option, known)


def _check_option(path: str, value: object, option: str, known: Mapping[str, object]) -> None:
    if option not in known:
        raise SettingsError(
            f"haenyeo.toml: unknown setting {path}", path=path, advice=f"options: {', '.join(known) or 'none'}"
        )
    default = known[option]
    fitting = (int, float) if isinstance(default, float) else type(default)
    if default is not None and (not isinstance(value, fitting) or isinstance(value, bool) != isinstance(default, bool)):
        raise SettingsError(
            f"haenyeo.toml: {path} is {value!r}; it must be like {default!r}",
            path=path,
            advice="correct the value in haenyeo.toml",
        )


@cache
def _declared(kind: PartKind) -> dict[str, EntryPoint]:
    """The entry points of a kind by name; where a plug-in has taken a name of the package's own, the own part wins."""
    points = list(_installed().select(group=f"haenyeo.{kind}"))
    declared = {point.name: point for point in points}
    if len(declared) < len(points):  # who declares a part is only asked where that matters: it is read from a file
        declared = {point.name: point for point in sorted(points, key=_is_own)}
    return declared


@cache
def _own(kind: PartKind) -> dict[str, EntryPoint]:
    """The entry points of the package's own parts of a kind; none where the package is not installed."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        points = distribution(_OWN).entry_points
    except PackageNotFoundError:
        return {}
    return {point.name: point for point in points if point.group == f"haenyeo.{kind}"}


@cache
def _installed() -> Any:
    """The entry points of all that is installed, whatever type this Python gives them; read once for all kinds."""
    from importlib.metadata import entry_points

    return entry_points()


def _is_own(point: EntryPoint) -> bool:
    return point.dist is not None and point.dist.name == _OWN
