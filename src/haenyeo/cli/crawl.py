"""`haenyeo crawl`: find and keep pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from haenyeo.cli.compiled import long_work
from haenyeo.cli.options import as_json, collection, loudness, on_ray, print_json

if TYPE_CHECKING:
    from haenyeo.collect.events import Cause, CrawlEnded

FAILED = 1
CAUSES_SHOWN = 6
SAYINGS = {
    "budget": "the page budget is used",
    "requests": "so many links brought no page that the request budget is used (requests_per_page in [pace])",
    "time": "the time is up",
    "done": "nothing is left to ask",
    "stopped": "stopped; everything fetched is kept",
    "waiting": "what is left waits for servers that need time or cannot be reached",
    "network": "nothing answers any more: is this machine online?",
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
@click.option("--index/--no-index", default=True, help="Index pages for search while servers are waited for.")
@click.option("--shards", type=click.IntRange(1, 4096), help="Crawl with so many processes, each for its own sites.")
@on_ray
@click.option("--retry", is_flag=True, help="Ask again for what failed or was refused.")
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
    index: bool,
    shards: int | None,
    ray: str | None,
    retry: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Crawl for the collection NAME; stop at any time with Ctrl-C and start again to go on.

    The exit code is 1 if no seed could be read.
    """
    from haenyeo.cli.beside.indexing import index_rest, indexing
    from haenyeo.cli.beside.moving import moving
    from haenyeo.cli.progress import CrawlTally, progress_for
    from haenyeo.cli.running import run_crawl
    from haenyeo.collect.collection import Collection, Overrides
    from haenyeo.collect.crawl.loop import Budget
    from haenyeo.store.shards.catalogue import is_sharded

    if ray is not None and shards is None and not is_sharded(name):
        raise click.UsageError("say how many shards there shall be: --shards N")
    if shards is not None or is_sharded(name):
        from haenyeo.cli.in_shards import ShardsWish, crawl_in_shards
        from haenyeo.cluster.messages import ClusterRun

        wish = ClusterRun(id="", began=0.0, pages=pages, scorer=strategy, delay=delay, proxy=proxy)
        where = ShardsWish(shards=shards, minutes=minutes, ray=ray)
        asked_again = _reopened(name) if retry and is_sharded(name) else {}
        ended, code = crawl_in_shards(name, wish, where, quiet=quiet or as_json)
        failed = _tell_of(name, ended, asked_again, as_json=as_json, quiet=quiet)
        return code or failed
    tally = CrawlTally(pages)
    budget = Budget(pages=pages, seconds=None if minutes is None else minutes * 60)
    overrides = Overrides(scorer=strategy, delay=delay, proxy=proxy)
    with Collection.open(name) as opened, progress_for(tally, quiet=quiet or as_json) as view:
        again = opened.retry() if retry else None
        with indexing(name, wanted=index), moving(name, opened.settings.storage, quiet=quiet or as_json):
            ended, code = run_crawl(opened, budget, overrides, view.note)
    if index and not code:
        index_rest(name)
    asked_again = {} if again is None else {"asked_again": again}
    failed = _tell_of(name, ended, asked_again, as_json=as_json, quiet=quiet)
    return code or failed


def _reopened(name: Path) -> dict[str, int]:
    """Let the shards ask again for what failed; returns for how many addresses."""
    from haenyeo.collect.collection import Collection

    with Collection.open(name, writing=False) as opened:
        return {"asked_again": opened.retry()}


def _tell_of(name: Path, ended: CrawlEnded, more: dict[str, int], *, as_json: bool, quiet: bool) -> int:
    """Print how a crawl ended; returns the exit code that says so."""
    if as_json:
        print_json({"collection": str(name), **more, **msgspec.to_builtins(ended)})
    elif ended.seeds_lost or not quiet:
        for line in ending(name, ended):
            click.echo(line, err=ended.seeds_lost)
    return FAILED if ended.seeds_lost else 0


def ending(name: Path, ended: CrawlEnded) -> list[str]:
    """How a crawl ended, in plain words: what it brought, why it brought no more, and what to do."""
    why = "no seed could be read" if ended.seeds_lost else SAYINGS[ended.why]
    more = f" ({ended.gained:+d})" if ended.gained != ended.kept else ""
    asked = f"{ended.visited} page{'' if ended.visited == 1 else 's'}"
    lines = [f"{asked} asked for, {ended.kept} kept{more}, in {ended.seconds:.1f} s: {why}"]
    lines += [f"  {told(cause)}" for cause in ended.causes[:CAUSES_SHOWN]]
    if len(ended.causes) > CAUSES_SHOWN:
        lines.append(f"  and {len(ended.causes) - CAUSES_SHOWN} more reasons; see: haenyeo status {name}")
    if ended.visited and not ended.kept and not ended.seeds_lost:
        lines.append(f"nothing seems to be about the topic; if a page is, say so: haenyeo judge {name} URL yes")
    if ended.waiting:
        waiting = "1 link waits" if ended.waiting == 1 else f"{ended.waiting} links wait"
        lines.append(f"{waiting}; go on with: haenyeo crawl {name}")
    if any(cause.seeds or cause.given for cause in ended.causes):
        lines.append(f"when that is put right, ask again with: haenyeo crawl {name} --retry")
    return lines


def told(cause: Cause) -> str:
    """One reason for which links brought no page, with an example and what can be done."""
    counts = ((cause.seeds, "seed"), (cause.given, "example page"), (cause.links, "link"))
    count, what = next((each for each in counts if each[0]), counts[-1])
    waits = " (to be asked again)" if cause.waiting else ""
    advice = f"; {cause.advice}" if cause.advice else ""
    return f"{count} {what}{'' if count == 1 else 's'}: {cause.reason}{waits}, as {cause.example}{advice}"
