"""Options that several commands share, and how they speak: JSON for machines, plain words for people."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

collection = click.argument("name", type=click.Path(path_type=Path))
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object for machines.")


def loudness(command: Decorated) -> Decorated:
    """Add -q and -v, which set what is logged to standard error before the command runs."""
    command = click.option("-v", "--verbose", count=True, expose_value=False, callback=_be_verbose, help="Log more.")(
        command
    )
    return click.option("-q", "--quiet", is_flag=True, help="Print results and errors only.")(command)


def _be_verbose(ctx: click.Context, parameter: click.Parameter, count: int) -> None:
    del ctx, parameter
    level = (logging.CRITICAL + 1, logging.INFO, logging.DEBUG)[min(count, 2)]
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=level)


def print_json(value: object) -> None:
    """Print a value as one JSON document."""
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=1).decode())
