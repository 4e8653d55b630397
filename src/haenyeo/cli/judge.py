"""`haenyeo judge`: tell a collection whether a page is on its topic."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from haenyeo.cli.options import as_json, collection, loudness, print_json
from haenyeo.html.urls import readable


@click.command(epilog="Example:  haenyeo judge corals https://a.example/reef-tiles no")
@collection
@click.argument("url")
@click.argument("verdict", type=click.Choice(["yes", "no"]))
@click.option("--topic", default="", metavar="T", help="Name of the topic, if the collection has several.")
@as_json
@loudness
def command(name: Path, url: str, verdict: str, topic: str, as_json: bool, quiet: bool) -> None:
    """Correct the topic of NAME: the page at URL belongs to it (yes) or not (no); takes effect at once.

    Pages that were kept, or not, because of what is now known to be wrong are judged again. A crawl under way takes the
    verdict up while it goes on.
    """
    from haenyeo.collect.adapters.finding.judging import judge
    from haenyeo.collect.settings_file import read_settings
    from haenyeo.html.urls import meant_by
    from haenyeo.store import Store

    addresses = meant_by(url)
    if not addresses:
        raise click.UsageError(f"{url!r} is not an http or https address")
    with Store.open(name, writing=False) as store:
        address = next((known for known in addresses if store.page(known) is not None), addresses[-1])
    done = judge(name, read_settings(name), address, relevant=verdict == "yes", topic=topic)
    if as_json:
        print_json(msgspec.to_builtins(done))
    elif not quiet:
        fetched = "" if done.fetched else "; it will be fetched as soon as a crawl goes on"
        click.echo(f"{readable(done.url)} is {'' if done.relevant else 'not '}about {done.topic}{fetched}")
        if done.taken_up:
            click.echo(f"{done.now_kept} more pages are kept now, {done.no_longer_kept} are no longer")
        else:
            click.echo("another process works on the collection; the verdict counts as soon as a crawl goes on")
