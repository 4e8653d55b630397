"""What a user should know of compiled code: whether there is all of it, and what to do if not."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

import click

from haenyeo import __version__
from haenyeo.native import MODULES, NOT_BUILT, PURE_BY_WISH, State, state

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

_REBUILD = "install a C compiler and Python's headers, then install haenyeo anew"


def long_work(command: Decorated) -> Decorated:
    """Make a command say on standard error, before it begins, if compiled code is missing; not with -q or --json."""

    @functools.wraps(command)
    def telling(*arguments: Any, **options: Any) -> Any:
        warning = "" if options.get("quiet") or options.get("as_json") else slowness(state())
        if warning:
            click.echo(warning, err=True)
        return command(*arguments, **options)

    return cast("Decorated", telling)


def slowness(known: State) -> str:
    """A line that says what is missing and what to do; empty if nothing is."""
    if not known.missing:
        return ""
    advice = "unset it" if _is_wish(known) else _REBUILD
    return f"haenyeo: {_missing(known)}; this takes up to four times the CPU: {advice}"


def version_line(known: State) -> str:
    """The version, and whether all of it is compiled."""
    return f"haenyeo {__version__} ({_missing(known) if known.missing else 'compiled'})"


def _is_wish(known: State) -> bool:
    return set(known.missing.values()) == {PURE_BY_WISH}


def _missing(known: State) -> str:
    reasons = set(known.missing.values())
    if not known.compiled and len(reasons) == 1:
        return f"not compiled: {reasons.pop()}"
    named = [name if reason == NOT_BUILT else f"{name}: {reason}" for name, reason in known.missing.items()]
    return f"{len(named)} of {len(MODULES)} modules missing: {', '.join(named)}"
