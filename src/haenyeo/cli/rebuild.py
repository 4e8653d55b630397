"""`haenyeo rebuild`: the database anew from the archive."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from haenyeo.cli.compiled import long_work
from haenyeo.cli.options import as_json, collection, loudness, print_json

if TYPE_CHECKING:
    from haenyeo.collect.rebuild.rebuild import Rebuilt

NOT_ARCHIVED = (
    "Addresses that gave no answer, and those that robots.txt refuses, were never in the archive: they wait again."
)


@click.command(epilog="Example:  haenyeo rebuild corals")
@collection
@click.option("--strategy", metavar="S", help="The link scorer it was crawled with; default: the one in haenyeo.toml.")
@as_json
@loudness
@long_work
def command(name: Path, strategy: str | None, as_json: bool, quiet: bool) -> None:
    """Make the database of the collection NAME anew from archive/*.warc.gz; nothing is fetched.

    Every answer is taken in again, in the order it came: pages, texts, visits, links and what waits. Verdicts, rules
    and the watchlist are taken over from the old database if it can be read, which is kept as haenyeo.db-before. Stop
    with Ctrl-C and start again to go on.
    """
    import asyncio

    from haenyeo.cli.running import fast_loop
    from haenyeo.collect.collection import Overrides
    from haenyeo.collect.rebuild.rebuild import rebuild
    from haenyeo.collect.settings_file import read_settings
    from haenyeo.store.rebuilding import RebuildingStore

    settings = Overrides(scorer=strategy).applied_to(read_settings(name))
    with (
        RebuildingStore.take_up(name) as store,
        click.progressbar(length=1, label="rebuilding", hidden=quiet or as_json) as bar,
    ):

        def tell(done: int, everything: int) -> None:
            bar.length = everything
            bar.update(done - bar.pos)

        with asyncio.Runner(loop_factory=fast_loop) as runner:
            result = runner.run(rebuild(store, settings, tell))
        store.finish()
    if as_json:
        print_json({"collection": str(name), **msgspec.to_builtins(result)})
    elif not quiet:
        _show(result)


def _show(result: Rebuilt) -> None:
    click.echo(
        f"{result.visits} visits taken in: {result.pages} pages asked for, {result.kept} kept, {result.waiting} links"
        " wait"
    )
    if result.carried is None:
        click.echo(
            "The old database cannot be read: verdicts (haenyeo judge), rules and the watchlist are lost; give them"
            " again."
        )
    else:
        click.echo(f"{result.carried} verdicts, rules, seeds and watched pages were taken over from the old database.")
    click.echo(NOT_ARCHIVED)
    if result.lost:
        click.echo(f"{result.lost} answers refer to payloads that no file of the archive has any more.")
    for place in result.unread:
        click.echo(f"not read to its end: {place}")
