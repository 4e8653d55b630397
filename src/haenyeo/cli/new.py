"""`haenyeo new`: make a collection."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from haenyeo.cli.options import as_json, collection, listed, loudness, print_json


@click.command(
    epilog="Example:  haenyeo new corals --topic 'coral reefs' --like https://a.example/reef --seed @seeds.txt"
)
@collection
@click.option("--topic", "words", required=True, help="Words for the topic, in any language.")
@click.option(
    "--like",
    multiple=True,
    metavar="URL|FILE|@LIST",
    help="A page on the topic: URL, saved page, or @file with one per line.",
)
@click.option("--unlike", multiple=True, metavar="URL|FILE|@LIST", help="A page that is not on the topic.")
@click.option(
    "--seed", "seeds", multiple=True, metavar="URL|@LIST", help="Where to start; the --like pages if there is none."
)
@click.option("--search", metavar="URL", default="", help="A SearXNG that finds seeds if none are given.")
@click.option("--host", "hosts", multiple=True, metavar="GLOB", help="Stay on these hosts, such as '*.example.org'.")
@click.option("--language", "languages", multiple=True, metavar="LANG", help="Keep pages in this language, such as ko.")
@click.option("--contact", default="", help="Your address or page, told to site owners; asked once and remembered.")
@as_json
@loudness
def command(
    name: Path,
    words: str,
    like: tuple[str, ...],
    unlike: tuple[str, ...],
    seeds: tuple[str, ...],
    search: str,
    hosts: tuple[str, ...],
    languages: tuple[str, ...],
    contact: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Make the collection NAME: a folder with haenyeo.toml, a database and an archive."""
    from haenyeo.cli.contact import known_contact
    from haenyeo.collect.collection import create_collection
    from haenyeo.model.config import FetchSettings, SeedSettings, Topic

    if not words.strip():
        raise click.UsageError("--topic has no words; say what the pages are to be about, as in --topic 'coral reefs'")
    topic = Topic(words=words, like=listed(like), unlike=listed(unlike), seeds=listed(seeds))
    contact = contact or known_contact(ask=not quiet and not as_json)
    fetch, source = FetchSettings(contact=contact), SeedSettings(searxng=search)
    create_collection(name, topic, hosts=hosts, languages=languages, fetch=fetch, seeds=source)
    if as_json:
        print_json({"collection": str(name), "topic": words, "seeds": len(topic.seeds), "like": len(topic.like)})
    elif not quiet:
        click.echo(
            f"made {name}/ with {_counted(topic.seeds, 'seed')} and {_counted(topic.like, 'page')} to like;"
            f" settings in {name}/haenyeo.toml"
        )
        if search and not topic.seeds:
            click.echo(f"the crawl will ask {search} where to start")
        click.echo(_next(name, known=bool(topic.seeds or topic.like or search)))


def _counted(things: Sequence[str], name: str) -> str:
    return f"{len(things)} {name}{'' if len(things) == 1 else 's'}"


def _next(name: Path, *, known: bool) -> str:
    if known:
        return f"next: haenyeo crawl {name} --pages 500"
    return f"next: say where to start, with haenyeo add {name} URL, or with a source of seeds in {name}/haenyeo.toml"
