"""The `haenyeo` command: imports only the subcommand that runs, and turns errors into plain words.

Exit codes: 0 done · 1 failed · 2 wrong usage or settings · 3 another process works on the collection ·
130 stopped by Ctrl-C · 143 stopped by SIGTERM. A command that says more with its exit code documents it in its help.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence

import click

from haenyeo.cli.front_page import COMMANDS, INTRODUCTION, VERSION_SAYS, WIDEST

__all__ = ["COMMANDS", "MODULES", "haenyeo", "run"]

MODULES = {"import": "importing"}
"""The file of a command that cannot have its name."""
FAILED, USAGE, BUSY, INTERRUPTED = 1, 2, 3, 130


class LazyGroup(click.Group):
    """Knows its commands by name and short help, so that `--help` imports none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order a user meets them."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the one command asked for."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"haenyeo.cli.{MODULES.get(cmd_name, cmd_name)}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _print_version(ctx: click.Context, parameter: click.Parameter, asked: bool) -> None:
    del parameter
    if asked and not ctx.resilient_parsing:
        from haenyeo.cli.compiled import version_line
        from haenyeo.native import state

        click.echo(version_line(state()))
        ctx.exit()


@click.group(
    cls=LazyGroup,
    help=INTRODUCTION,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDEST},
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help=VERSION_SAYS,
)
def haenyeo() -> None:
    """All commands; what `haenyeo --help` says of them stands in the front page."""


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; errors go to standard error in plain words."""
    try:
        code = haenyeo.main(list(arguments), prog_name="haenyeo", standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("stopped", err=True)
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except BrokenPipeError:
        return _reader_left()
    except Exception as error:  # noqa: BLE001 - around one command: every error becomes a message and an exit code
        return _explain(error)
    return code if isinstance(code, int) else 0


def _explain(error: Exception) -> int:
    """Say what went wrong; a traceback only for what we did not foresee."""
    from haenyeo.model.errors import CollectionBusyError, HaenyeoError, UsageError

    if not isinstance(error, HaenyeoError):
        import logging

        logging.getLogger("haenyeo").critical("unexpected error", exc_info=error)
        click.echo(f"haenyeo: unexpected error: {type(error).__name__}: {error}", err=True)
        click.echo("This is a defect in haenyeo; run again with -v for the traceback.", err=True)
        return FAILED
    click.echo(f"haenyeo: {error}", err=True)
    if error.advice:
        click.echo(f"  {error.advice}", err=True)
    if isinstance(error, CollectionBusyError):
        return BUSY
    return USAGE if isinstance(error, UsageError) else FAILED


def _reader_left() -> int:
    """The reader of our output has gone (`haenyeo export - | head`): end quietly."""
    import os
    import sys

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
