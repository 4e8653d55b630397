"""Options that several commands share, and how they speak: JSON for machines, plain words for people."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import click

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}

collection = click.argument("name", type=click.Path(path_type=Path))
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object for machines.")
on_ray = click.option(
    "--ray", metavar="ADDRESS", help="Run the shards on this Ray cluster: auto, local, or its address."
)
FOR_SHARDS = "--ray is for a collection in shards"


def loudness(command: Decorated) -> Decorated:
    """Add -q, -v and --log, which set what is logged to standard error, and how, before the command runs."""
    said = "How to log: text, or a JSON object a line."
    formal: dict[str, Any] = {"expose_value": False, "is_eager": True, "callback": _be_formal, "help": said}
    for option in (
        click.option("--log", type=click.Choice(("text", "json")), **formal),
        click.option("-v", "--verbose", count=True, expose_value=False, callback=_be_verbose, help="Log more."),
        click.option("-q", "--quiet", is_flag=True, help="Print results and errors only."),
    ):
        command = option(command)
    return command


def _be_formal(ctx: click.Context, parameter: click.Parameter, kind: str | None) -> None:
    del parameter
    ctx.meta["haenyeo.log"] = kind


def _be_verbose(ctx: click.Context, parameter: click.Parameter, count: int) -> None:
    del parameter
    formal = ctx.meta.get("haenyeo.log") == "json"
    level = (logging.CRITICAL + 1, logging.INFO, logging.DEBUG)[min(max(count, int(formal)), 2)]
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=level)
    if formal:
        for handler in logging.getLogger().handlers:
            handler.setFormatter(JsonLines())


class JsonLines(logging.Formatter):
    """Writes each record of the log as a JSON object on a line of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON."""
        import msgspec

        told = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "where": record.name,
            "said": record.getMessage(),
        }
        if record.exc_info:
            told["traceback"] = self.formatException(record.exc_info)
        return msgspec.json.encode(told).decode()


def span(value: str) -> timedelta:
    """A span of time such as 90s, 30m, 6h, 2d or 1w; a bare number means hours."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhdw]?)", value.strip().lower())
    if found is None:
        raise click.BadParameter(f"{value!r} is no span of time; write it as 90s, 30m, 6h, 2d or 1w")
    return timedelta(seconds=float(found[1]) * _SECONDS[found[2] or "h"])


def moment(value: str) -> datetime:
    """A time: a date, an ISO 8601 date and time (UTC unless it says otherwise), or a span before now such as 2d."""
    try:
        written = datetime.fromisoformat(value)
    except ValueError:
        with suppress(click.BadParameter):
            return datetime.now(UTC) - span(value)
        raise click.BadParameter(
            f"{value!r} is no time; write 2024-03-05, 2024-03-05T12:00 or 2d for two days ago"
        ) from None
    return written if written.tzinfo else written.replace(tzinfo=UTC)


def listed(values: Sequence[str]) -> tuple[str, ...]:
    """The values with every @file replaced by its lines; blank lines and # comments are left out."""
    result: list[str] = []
    for value in values:
        result += _lines(Path(value[1:])) if value.startswith("@") else [value]
    return tuple(result)


def _lines(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"@{path}: {error}") from error
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def print_json(value: object) -> None:
    """Print a value as one JSON document."""
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=1).decode())
