"""`haenyeo search`: full text search in a collection."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from haenyeo.cli.beside.indexing import index_all
from haenyeo.cli.options import as_json, collection, loudness, print_json
from haenyeo.html.urls import readable
from haenyeo.model.pages import KINDS

if TYPE_CHECKING:
    from rich.console import Console

    from haenyeo.store.search import Hit, Hits

NOTHING_FOUND = 1
FIRST_SECONDS = 0.3  # for taking new pages in before the answer; the rest waits, and the answer says so


@click.command(epilog='Example:  haenyeo search corals "bleaching -aquarium" --site reefs.example --language en')
@collection
@click.argument("query")
@click.option("--site", default="", metavar="SITE", help="Only pages of this site.")
@click.option("--language", default="", metavar="LANG", help="Only pages in this language, such as ko.")
@click.option("--topic", default="", metavar="TOPIC", help="Only pages judged to be about this topic.")
@click.option("--kind", type=click.Choice(KINDS), help="Only pages of this kind.")
@click.option("--since", type=click.DateTime(), help="Only pages that were new or changed since then (UTC).")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="Hits to show.")
@click.option("--wait", is_flag=True, help="Take all new pages into the index first, however long it takes.")
@as_json
@loudness
def command(
    name: Path,
    query: str,
    site: str,
    language: str,
    topic: str,
    kind: str | None,
    since: datetime | None,
    limit: int,
    wait: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Search the texts of the collection NAME; may run while a crawl goes on.

    The answer comes at once, from the pages that are indexed, and says how many are not. Words must all be there;
    "words in quotes" in this order; begin* finds beginnings; -word leaves pages out. Exit codes: 0 found, 1 nothing
    found.
    """
    from datetime import UTC

    from haenyeo.store.search import SearchQuery
    from haenyeo.store.shards.opening import open_index

    asked = SearchQuery(
        words=query,
        site=site,
        language=language,
        topic=topic,
        kind=kind or "",
        since=since.replace(tzinfo=UTC) if since else None,
        limit=limit,
    )
    with open_index(name) as index:
        if wait:
            index_all(index, quiet=quiet or as_json)
        else:
            index.update(seconds=FIRST_SECONDS)
        found = index.find(asked)
    if as_json:
        print_json({"collection": str(name), "query": query, **msgspec.to_builtins(found)})
    else:
        _show(found, query)
    return 0 if found.hits else NOTHING_FOUND


def _show(found: Hits, query: str) -> None:
    from rich.console import Console

    if found.unindexed:
        click.echo(
            f"{found.unindexed:,} pages are not indexed yet and were not searched; --wait takes them in first", err=True
        )
    console = Console(highlight=False)
    if not found.hits:
        console.print(f"no page has: {query}", markup=False)
        return
    more = "more than " if found.more else ""
    console.print(f"{more}{found.total:,} pages, {found.milliseconds:.0f} ms\n", style="dim")
    for hit in found.hits:
        _show_hit(console, hit)


def _show_hit(console: Console, hit: Hit) -> None:
    from rich.text import Text

    console.print(Text(hit.title or "(no title)", "bold"))
    console.print(Text(readable(hit.url), "cyan"), soft_wrap=True)
    snippet = Text()
    for piece, marked in hit.snippet.pieces():
        snippet.append(piece, "bold yellow" if marked else "")
    console.print(snippet)
    console.print()
