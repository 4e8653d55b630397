"""`haenyeo crawl`: find and keep pages."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from haenyeo.cli.compiled import long_work
from haenyeo.cli.options import as_json, collection, loudness, print_json

SAYINGS = {
    "budget": "the page budget is used",
    "requests": "too many requests brought no page",
    "time": "the time is up",
    "done": "nothing is left to ask",
    "stopped": "stopped; everything fetched is kept",
    "waiting": "the remaining sites asked us to come back later",
}


@click.command()
@collection
@click.option(
    "--pages", type=click.IntRange(min=1), help="Stop after this many pages (redirects and robots.txt not counted)."
)
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), help="Stop after this many minutes.")
@click.option("--strategy", metavar="S", help="Name of the link scorer, such as bfs; default: the one in haenyeo.toml.")
@click.option("--delay", type=click.FloatRange(min=0), help="Seconds between two requests to one site.")
@click.option("--proxy", metavar="URL", help="Ask through this HTTP proxy.")
@as_json
@loudness
@long_work
def command(
    name: Path,
    pages: int | None,
    minutes: float | None,
    strategy: str | None,
    delay: float | None,
    proxy: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Crawl for the collection NAME; stop at any time with Ctrl-C and start again to go on."""
    from haenyeo.cli.progress import CrawlTally, progress_for
    from haenyeo.cli.running import run_crawl
    from haenyeo.collect.collection import Collection, Overrides
    from haenyeo.collect.crawl.loop import Budget

    tally = CrawlTally(pages)
    budget = Budget(pages=pages, seconds=None if minutes is None else minutes * 60)
    overrides = Overrides(scorer=strategy, delay=delay, proxy=proxy)
    with Collection.open(name) as opened, progress_for(tally, quiet=quiet or as_json) as view:
        ended, code = run_crawl(opened, budget, overrides, view.note)
    if as_json:
        print_json({"collection": str(name), **msgspec.to_builtins(ended)})
    elif not quiet:
        click.echo(
            f"{ended.visited} pages asked for, {ended.kept} kept, in {ended.seconds:.1f} s: {SAYINGS[ended.why]}"
        )
        if ended.waiting:
            click.echo(f"{ended.waiting} links wait; go on with: haenyeo crawl {name}")
    return code
