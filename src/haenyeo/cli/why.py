"""`haenyeo why`: why a link was taken, skipped or still waits; why a page was kept."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from haenyeo.cli.options import as_json, collection, loudness, print_json
from haenyeo.html.urls import readable

if TYPE_CHECKING:
    from haenyeo.collect.adapters.finding.explain import Explanation, Opinion, Source

SAYINGS = {
    "kept": "read and kept",
    "read": "read, not kept",
    "refused": "refused",
    "failed": "asked for in vain",
    "waiting": "waits",
    "outside": "not followed",
    "unknown": "never found",
}
_SOURCES_SHOWN = 8
_WORDS_SHOWN = 60  # characters
_LINE = 110
_NO_BREAK = "\N{NO-BREAK SPACE}"


@click.command(epilog="Example:  haenyeo why corals https://a.example/reef")
@collection
@click.argument("url")
@as_json
@loudness
def command(name: Path, url: str, as_json: bool, quiet: bool) -> None:
    """Explain what became of URL in the collection NAME, from what is stored; may run while a crawl goes on."""
    from haenyeo.collect.adapters.finding.explain import explain
    from haenyeo.collect.collection import Collection
    from haenyeo.html.urls import meant_by

    addresses = meant_by(url)
    if not addresses:
        raise click.UsageError(f"{url!r} is not an http or https address")
    with Collection.open(name, writing=False) as opened:
        answers = [explain(opened.store, opened.settings, address) for address in addresses]
    told = next((answer for answer in answers if answer.state not in ("unknown", "outside")), answers[-1])
    if as_json:
        print_json(msgspec.to_builtins(told))
    else:
        _show(told, quiet=quiet)


def _show(told: Explanation, *, quiet: bool) -> None:
    reason = f": {told.reason}" if told.reason else ""
    click.echo(f"{readable(told.url)}\n  {SAYINGS[told.state]}{reason}")
    if quiet:
        return
    if told.title:
        click.echo(f"  title   {told.title}")
    if told.place is not None:
        click.echo(f"  place   {told.place:,} of {told.waiting:,} waiting links come before it")
    if told.score is not None:
        click.echo(f"  score   {told.score:.3f}" + ("" if told.state == "waiting" else " when it was found"))
    for opinion in told.opinions:
        _show_opinion(opinion)
    if told.sources:
        count = len(told.sources)
        click.echo(f"  linked from {count} page{'' if count == 1 else 's'}")
    for source in told.sources[:_SOURCES_SHOWN]:
        _show_source(source)
    if len(told.sources) > _SOURCES_SHOWN:
        click.echo(f"    and {len(told.sources) - _SOURCES_SHOWN} more; see --json")


def _show_opinion(opinion: Opinion) -> None:
    line = f"  topic   {opinion.topic}"
    if opinion.example is not None:
        line += f", your {'good' if opinion.example else 'bad'} example"
    if opinion.relevance is not None:
        line += f", relevance {opinion.relevance:.2f}; pages from {opinion.threshold:.2f} on are kept"
    elif opinion.example is None and not opinion.reasons:
        return
    click.echo(line)
    words = [reason for reason in opinion.reasons if reason.what.startswith('"')]
    for reason in opinion.reasons:
        if reason not in words:
            click.echo(f"    {reason.weight:+7.2f}  {reason.what}")
    if words:
        said = ", ".join(f"{reason.what}{_NO_BREAK}{reason.weight:+.2f}" for reason in words)
        lines = textwrap.fill(f"words: {said}", _LINE, initial_indent=" " * 13, subsequent_indent=" " * 13)
        click.echo(lines.replace(_NO_BREAK, " "))


def _show_source(source: Source) -> None:
    relevance = max(source.relevance.values(), default=None)
    told = "" if relevance is None else f"  (relevance {relevance:.2f})"
    click.echo(f"    {source.page or 'given as a seed, or by a sitemap'}{told}")
    if source.score is not None and source.page:
        before, after = source.before[-_WORDS_SHOWN:], source.after[:_WORDS_SHOWN]
        click.echo(f"      {source.score:.3f}  … {before} [{source.anchor}] {after} …")
