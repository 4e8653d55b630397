"""The `haenyeo` command: imports only the subcommand that runs, and turns errors into plain words.

Exit codes: 0 done · 1 failed · 2 wrong usage or settings · 3 another process works on the collection ·
130 stopped by Ctrl-C · 143 stopped by SIGTERM. A command that says more with its exit code documents it in its help.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence

import click

COMMANDS = {
    "new": "Make a collection: a folder with its topic, seeds and settings.",
    "add": "Add seeds to a collection.",
    "import": "Take in pages that others have collected: WARC, WACZ, JSON lines, saved pages.",
    "crawl": "Find and keep pages.",
    "why": "Why a link was taken, skipped or still waits; why a page was kept.",
    "judge": "Tell the collection whether a page is on its topic.",
    "teach": "Answer about the pages the judge is least sure of, one key each.",
    "refresh": "Revisit what is due.",
    "plan": "Show the coming week of revisits, and what half or twice the budget would do.",
    "run": "The service: crawl, refresh and watch until stopped.",
    "read": "Derive the texts again, with all that their sites have taught.",
    "rebuild": "Make a lost or damaged database anew from the archive.",
    "reshard": "Put the collection into more or fewer shards, or into one piece.",
    "status": "One screen: pages, sites, queue, errors.",
    "search": "Full text search in the collection.",
    "serve": "The dashboard: look at the collection in a browser.",
    "mcp": "Let agents search and read the collection (Model Context Protocol).",
    "export": "Write the collection as jsonl, csv, markdown, parquet, wacz or chunks.",
    "watch": "Keep pages and result lists under watch, and show how they are.",
    "records": "Take the records of a list page, found without labels or from an example.",
    "changes": "What changed: content, layouts, repaired rules.",
    "diff": "Did the layout change between saved pages?",
    "extract": "Print the main text of saved pages.",
    "paper": "Repeat the experiment of one of the papers haenyeo stands on.",
    "demo": "Show all of it on a small web on this machine, without network.",
}
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


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version and exit.",
)
def haenyeo() -> None:
    """Haenyeo collects the part of the web about your topic.

    Start with `haenyeo demo`, or:

    \b
      haenyeo new corals --topic "coral reefs" --seed https://example.org/reefs
      haenyeo crawl corals --pages 500
      haenyeo export corals --to jsonl
    """  # noqa: D301  # the mark that keeps lines apart


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
