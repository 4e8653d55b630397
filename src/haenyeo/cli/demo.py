"""`haenyeo demo`: a small web on this machine, crawled before your eyes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from haenyeo.cli.options import as_json, loudness, print_json

if TYPE_CHECKING:
    from haenyeo.collect.collection import Collection
    from haenyeo.demo import DemoWeb

PAGES = 1500
FOLDER = "haenyeo-demo"
MARK = "DEMO"


@click.command()
@click.option(
    "--pages", type=click.IntRange(min=1), default=PAGES, show_default=True, help="Stop after this many pages."
)
@click.option("--out", type=click.Path(path_type=Path), default=FOLDER, show_default=True, help="Folder to make.")
@click.option("--seed", type=int, default=7, show_default=True, help="Another number makes another web.")
@as_json
@loudness
def command(pages: int, out: Path, seed: int, as_json: bool, quiet: bool) -> int:
    """Crawl a made-up web of two thousand pages on this machine; no network is needed, and it takes seconds."""
    from haenyeo.cli.progress import Tally, progress_for
    from haenyeo.cli.running import run_crawl
    from haenyeo.cli.tables import show_overview
    from haenyeo.collect.collection import Collection, Overrides
    from haenyeo.collect.crawl import Budget
    from haenyeo.collect.overview import overview_of
    from haenyeo.demo import DemoWeb, serve_in_thread

    web = DemoWeb(seed=seed)
    with serve_in_thread(web) as address:
        folder = _fresh_collection(web, out)
        if not (quiet or as_json):
            click.echo(f"a web of {len(web.hosts)} sites is served on {address.host}:{address.port}; crawling it ...")
        tally = Tally(pages)
        with Collection.open(folder) as collection, progress_for(tally, quiet=quiet or as_json) as view:
            ended, code = run_crawl(collection, Budget(pages=pages), Overrides(delay=0.0), view.note)
            overview = overview_of(collection)
            topics = _topics_found(web, collection)
    if as_json:
        print_json({**msgspec.to_builtins(ended), "topics": topics, "overview": msgspec.to_builtins(overview)})
    elif not quiet:
        show_overview(overview)
        _show_topics(topics)
        rate = ended.visited / ended.seconds
        click.echo(
            f"{ended.visited} pages asked for, {ended.kept} kept, in {ended.seconds:.1f} s ({rate:.0f} a second)"
        )
        click.echo(f"look around:  haenyeo status {folder}    haenyeo export {folder} --to markdown")
    return code


def _fresh_collection(web: DemoWeb, out: Path) -> Path:
    """A new collection for this run; one of an earlier demo is replaced, anything else is left alone."""
    import shutil

    from haenyeo.collect.collection import create_collection
    from haenyeo.collect.settings_file import FILE_NAME
    from haenyeo.model.config import FetchSettings, TopicSettings
    from haenyeo.model.errors import UsageError

    if out.exists():
        if not (out / MARK).exists():
            raise UsageError(
                f"{out} is there already and is no demo", advice="choose another place: haenyeo demo --out PLACE"
            )
        shutil.rmtree(out)
    topic = web.topics()[0]
    settings = TopicSettings(words=topic.words, like=topic.like, unlike=topic.unlike, seeds=topic.seeds)
    create_collection(out, settings, fetch=FetchSettings(allow_private=("127.0.0.0/8", "::1/128")))
    (out / MARK).write_text(f"Made by haenyeo demo; {FILE_NAME} has its settings.\n", encoding="utf-8")
    return out


def _topics_found(web: DemoWeb, collection: Collection) -> list[dict[str, object]]:
    """How many of the pages of each topic are in the collection now."""
    kept = {str(page.url) for page in collection.store.pages(kept_only=True)}
    return [
        {
            "topic": topic.label,
            "language": topic.language,
            "pages": len(topic.relevant),
            "found": len(kept & topic.relevant),
        }
        for topic in web.topics()
    ]


def _show_topics(topics: list[dict[str, object]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("topic", "language", "pages", "found", title="what the web is about", title_justify="left")
    for topic in topics:
        table.add_row(*(str(value) for value in topic.values()))
    Console().print(table)
