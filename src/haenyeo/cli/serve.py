"""`haenyeo serve`: the dashboard."""

from __future__ import annotations

from pathlib import Path

import click

from haenyeo.cli.options import as_json, collection, loudness, print_json

PORT = 8620
SHORTEST_TOKEN = 16
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


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
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="A name it may be asked under; repeat.")
@click.option("--token-file", type=_FILE, help="A file with the key; default: a key made for this run.")
@click.option("--behind-proxy", is_flag=True, help="A proxy before it speaks https, and names visitors in headers.")
@click.option("--read-only", is_flag=True, help="For guests: nothing can be changed.")
@click.option("--tls-cert", type=_FILE, help="Speak https with this certificate (PEM).")
@click.option("--tls-key", type=_FILE, help="The certificate's private key (PEM).")
@as_json
@loudness
def command(
    name: Path,
    port: int,
    host: str,
    hosts: tuple[str, ...],
    token_file: Path | None,
    behind_proxy: bool,
    read_only: bool,
    tls_cert: Path | None,
    tls_key: Path | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Show the collection NAME in a browser; may run while a crawl goes on.

    The address that is printed carries a key made for this run; without it nothing is shown. Ctrl-C stops the dashboard
    and a crawl that was started from it.
    """
    from haenyeo.web.guard import Entrance
    from haenyeo.web.serving import Tls, listen, serve

    if (tls_cert is None) != (tls_key is None):
        raise click.UsageError("--tls-cert and --tls-key belong together")
    served = listen(
        name,
        host=host,
        port=port,
        token=_token(token_file),
        entrance=Entrance(hosts=hosts, secure=behind_proxy, behind_proxy=behind_proxy, read_only=read_only),
        tls=Tls(certificate=str(tls_cert), key=str(tls_key)) if tls_cert else None,
    )
    url = served.url if token_file is None else f"{served.url.partition('=')[0]}=KEY"
    if as_json:
        print_json({"collection": str(name), "url": url, "port": served.port})
    elif not quiet:
        key = "" if token_file is None else f"with the key that stands in {token_file} in place of KEY. "
        click.echo(f"the dashboard of {name} is at\n\n    {url}\n\n{key}Ctrl-C stops it")
    else:
        click.echo(url)
    serve(served)
    return 0


def _token(file: Path | None) -> str:
    """The key in a file, which must be long enough to be one."""
    if file is None:
        return ""
    token = file.read_text(encoding="utf-8").strip()
    if len(token) < SHORTEST_TOKEN:
        raise click.UsageError(f"the key in {file} is shorter than {SHORTEST_TOKEN} characters")
    return token
