"""Listens, and serves until it is told to stop."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp

from haenyeo.model.errors import UsageError
from haenyeo.web.app import make_app
from haenyeo.web.guard import Entrance, Keys

PATIENCE = 2  # seconds that open streams get when the server stops
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104 - names to be told apart from it
WORD = 0.02  # seconds between two looks at whether the server has started


class Tls(msgspec.Struct, frozen=True, kw_only=True):
    """The files of a certificate and its private key."""

    certificate: str
    key: str


class Served(msgspec.Struct, frozen=True, kw_only=True):
    """A dashboard that is about to be served; `url` has the key, `tls` certificate and private key if there are any."""

    app: Starlette
    listener: socket.socket
    port: int
    url: str
    tls: Tls | None = None


def listen(
    folder: Path,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    token: str = "",
    entrance: Entrance | None = None,
    tls: Tls | None = None,
) -> Served:
    """Open the collection and the port; requests wait until `serve` runs."""
    keys, entrance = Keys(token), entrance or Entrance()
    if tls is not None:
        entrance = msgspec.structs.replace(entrance, secure=True)
    listener = listening(host, port)
    port = listener.getsockname()[1]
    name = f"[{host}]" if ":" in host else host
    with ExitStack() as undo:
        undo.callback(listener.close)
        app = make_app(folder, keys, (name,), entrance)
        undo.pop_all()
    scheme = "https" if tls is not None else "http"
    url = f"{scheme}://{_asked_as(name, entrance)}:{port}/?token={keys.token}"
    return Served(app=app, listener=listener, port=port, url=url, tls=tls)


def _asked_as(name: str, entrance: Entrance) -> str:
    """The name under which visitors ask: where it listens on all addresses, one that is allowed, or this machine's."""
    if name not in EVERYWHERE:
        return name
    return entrance.hosts[0] if entrance.hosts else EVERYWHERE[name]


def serve(served: Served) -> None:
    """Serve until Ctrl-C or SIGTERM."""
    serve_app(served.app, served.listener, served.tls)


def serve_app(app: ASGIApp, listener: socket.socket, tls: Tls | None = None) -> None:
    """Serve an application on a port that is open, until Ctrl-C or SIGTERM."""
    _server(app, tls).run(sockets=[listener])


@contextmanager
def serving_in_thread(served: Served) -> Iterator[None]:
    """Inside, the dashboard is served by a thread of its own."""
    server = _server(served.app, served.tls)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [served.listener]}, name="haenyeo dashboard")
    thread.start()
    try:
        while not server.started and thread.is_alive():
            threading.Event().wait(WORD)
        yield
    finally:
        served.app.state.over.set()
        server.should_exit = True
        thread.join()


def _server(app: ASGIApp, tls: Tls | None) -> uvicorn.Server:
    return uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=PATIENCE,
            ws="none",
            proxy_headers=False,
            ssl_certfile=tls.certificate if tls else None,
            ssl_keyfile=tls.key if tls else None,
        )
    )


def listening(host: str, port: int) -> socket.socket:
    """A port that is open; raises `UsageError` if it cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()  # from now on visitors wait instead of being refused
    except OSError as error:
        listener.close()
        raise UsageError(
            f"cannot listen on {host}:{port}: {error.strerror or error}",
            advice="choose another: haenyeo serve NAME --port 0",
        ) from error
    return listener
