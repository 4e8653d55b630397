"""`haenyeo mcp`: the collection for agents."""

from __future__ import annotations

from pathlib import Path

import click

from haenyeo.cli.options import as_json, collection, loudness, print_json

PORT = 8621


@click.command(epilog="Example:  haenyeo mcp corals")
@collection
@click.option("--allow-write", is_flag=True, help="Let agents judge pages, add seeds and crawl within a budget.")
@click.option("--http", is_flag=True, help="Listen for HTTP (streamable HTTP) in place of standard input.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="With --http; 0: any.")
@click.option(
    "--token-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="With --http: a file with the token.",
)
@as_json
@loudness
def command(
    name: Path,
    allow_write: bool,
    http: bool,
    host: str,
    port: int,
    token_file: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Let agents search and read the collection NAME by the Model Context Protocol; may run while a crawl goes on.

    Speaks on standard input and output, as agents start it. With --http it listens, and prints the address and a token
    that every request must bear.
    """
    from haenyeo.collect.settings_file import read_settings
    from haenyeo.mcp.server import make_server

    read_settings(name)
    server = make_server(name.absolute(), allow_write=allow_write)
    if not http:
        server.run("stdio")
        return
    from haenyeo.mcp.server import PATH, over_http
    from haenyeo.web.guard import Keys
    from haenyeo.web.serving import listening, serve_app

    keys = Keys(token_file.read_text(encoding="utf-8").strip() if token_file else "")
    listener = listening(host, port)
    url = f"http://{host}:{listener.getsockname()[1]}{PATH}"
    if as_json:
        print_json({"collection": str(name), "url": url, "token": keys.token})
    elif not quiet:
        click.echo(f"{url}\nAuthorization: Bearer {keys.token}")
    serve_app(over_http(server, keys, host=host), listener)
