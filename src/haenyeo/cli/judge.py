"""`haenyeo judge`: tell a collection whether a page is on its topic."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from haenyeo.cli.options import as_json, collection, loudness, print_json
from haenyeo.html.urls import readable

if TYPE_CHECKING:
    from haenyeo.collect.adapters.correcting.preview import ChangedPage
    from haenyeo.collect.adapters.finding.handing import Correction
    from haenyeo.model.pages import Url

_SHOWN = 10


@click.command(epilog="Example:  haenyeo judge corals https://a.example/reef-tiles no")
@collection
@click.argument("url", default="")
@click.argument("verdict", type=click.Choice(["yes", "no"]), required=False)
@click.option("--topic", default="", metavar="T", help="Name of the topic, if the collection has several.")
@click.option("--dry-run", is_flag=True, help="Only show which pages would be kept then, and which no longer.")
@click.option("--undo", is_flag=True, help="Take back the last verdict, or the last one on URL.")
@click.option("--list", "as_list", is_flag=True, help="Show all verdicts, first to last.")
@as_json
@loudness
def command(
    name: Path, url: str, verdict: str | None, topic: str, dry_run: bool, undo: bool, as_list: bool,
    as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Correct the topic of NAME: the page at URL belongs to it (yes) or not (no); takes effect at once.

    Pages that were kept, or not, because of what is now known to be wrong are judged again. A crawl under way takes the
    verdict up while it goes on.
    """
    if as_list:
        _list(name, topic, as_json=as_json)
        return
    if undo:
        _tell(_undone(name, topic, url), as_json=as_json, quiet=quiet)
        return
    if not url or verdict is None:
        raise click.UsageError("say which page, and whether it is on the topic: haenyeo judge NAME URL yes|no")
    if dry_run:
        _preview(name, topic, _known(name, url), relevant=verdict == "yes", as_json=as_json)
        return
    _tell(_judged(name, _known(name, url), topic, relevant=verdict == "yes"), as_json=as_json, quiet=quiet)


def _judged(name: Path, url: Url, topic: str, *, relevant: bool) -> Correction:
    """What came of a verdict in the collection, or in all of its shards together."""
    from haenyeo.collect.adapters.correcting.judging import judge
    from haenyeo.collect.settings_file import read_settings
    from haenyeo.html.urls import site_of
    from haenyeo.store.shards.opening import homes_of

    settings = read_settings(name)
    done = [judge(home, settings, url, relevant=relevant, topic=topic) for home in homes_of(name, site_of(url))]
    return msgspec.structs.replace(
        done[0].counted(sum(each.now_kept for each in done[1:]), sum(each.no_longer_kept for each in done[1:])),
        taken_up=all(each.taken_up for each in done),
    )


def _known(name: Path, url: str) -> Url:
    """The address meant, as the collection knows it."""
    from haenyeo.html.urls import meant_by
    from haenyeo.store.shards.opening import open_store

    addresses = meant_by(url)
    if not addresses:
        raise click.UsageError(f"{url!r} is not an http or https address")
    with open_store(name, writing=False) as store:
        return next((known for known in addresses if store.page(known) is not None), addresses[-1])


def _undone(name: Path, topic: str, url: str) -> Correction:
    from haenyeo.collect.adapters.correcting.judging import undo
    from haenyeo.collect.settings_file import read_settings

    return undo(name, read_settings(name), topic=topic, url=_known(name, url) if url else "")


def _tell(done: Correction, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json(msgspec.to_builtins(done))
    elif not quiet:
        if done.undone:
            click.echo(f"taken back: {readable(done.url)} is {'' if done.relevant else 'not '}about {done.topic}")
        else:
            fetched = "" if done.fetched else "; it will be fetched as soon as a crawl goes on"
            click.echo(f"{readable(done.url)} is {'' if done.relevant else 'not '}about {done.topic}{fetched}")
        if done.taken_up:
            click.echo(f"{done.now_kept} more pages are kept now, {done.no_longer_kept} are no longer")
        else:
            click.echo("another process works on the collection; the verdict counts as soon as a crawl goes on")


def _preview(name: Path, topic: str, url: Url, *, relevant: bool, as_json: bool) -> None:
    from haenyeo.collect.adapters.correcting.judging import topic_of
    from haenyeo.collect.adapters.correcting.preview import preview
    from haenyeo.collect.adapters.finding.handing import UserVerdict
    from haenyeo.collect.settings_file import read_settings

    settings = read_settings(name)
    verdict = UserVerdict(url=url, topic=topic_of(settings, topic), relevant=relevant)
    found = preview(name, settings, verdict)
    if as_json:
        print_json(msgspec.to_builtins(found))
        return
    click.echo(
        f"{len(found.now_kept)} more pages would be kept, {len(found.no_longer_kept)} no longer; nothing is changed"
    )
    _show("+", found.now_kept)
    _show("-", found.no_longer_kept)


def _show(sign: str, pages: Sequence[ChangedPage]) -> None:
    for page in sorted(pages, key=lambda page: -page.relevance)[:_SHOWN]:
        click.echo(f"{sign} {page.relevance:.2f}  {page.title or '(no title)'}  {readable(page.url)}")
    if len(pages) > _SHOWN:
        click.echo(f"{sign} and {len(pages) - _SHOWN} more")


def _list(name: Path, topic: str, *, as_json: bool) -> None:
    from haenyeo.collect.adapters.correcting.judging import topic_of
    from haenyeo.collect.adapters.finding.said import verdicts_on
    from haenyeo.collect.settings_file import read_settings
    from haenyeo.store.shards.opening import open_store

    with open_store(name, writing=False) as store:
        spoken = verdicts_on(store, topic_of(read_settings(name), topic))
    if as_json:
        print_json({"verdicts": msgspec.to_builtins(spoken)})
        return
    for said in spoken:
        asked = " (asked)" if said.asked else ""
        click.echo(f"{said.at:%Y-%m-%d %H:%M}  {'yes' if said.relevant else 'no '}  {readable(said.url)}{asked}")
    if not spoken:
        click.echo("no verdicts yet")
