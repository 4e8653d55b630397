"""`haenyeo serve`: the dashboard."""

from __future__ import annotations

from pathlib import Path

import click

from haenyeo.cli.options import as_json, collection, loudness, print_json

PORT = 8620


@click.command(epilog="Example:  haenyeo serve corals")
@collection
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="Where to listen; 0 takes a free one.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on. Others than this machine's own let everyone in the network try.",
)
@as_json
@loudness
def command(name: Path, port: int, host: str, as_json: bool, quiet: bool) -> int:
    """Show the collection NAME in a browser; may run while a crawl goes on.

    The address that is printed carries a key made for this run; without it nothing is shown. Ctrl-C stops the dashboard
    and a crawl that was started from it.
    """
    from haenyeo.web.serving import listen, serve

    served = listen(name, host=host, port=port)
    if as_json:
        print_json({"collection": str(name), "url": served.url, "port": served.port})
    elif not quiet:
        click.echo(f"the dashboard of {name} is at\n\n    {served.url}\n\nCtrl-C stops it")
    else:
        click.echo(served.url)
    serve(served)
    return 0
