"""A small web of pages from memory, over real sockets."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

Pages = dict[str, tuple[dict[str, str], str]]


@pytest.fixture
def serve() -> Iterator[Callable[[Pages], str]]:
    """Serves pages from memory on a free port; other addresses are 404."""
    servers: list[ThreadingHTTPServer] = []

    def start(pages: Pages) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                headers, body = pages.get(self.path, ({"Status": "404"}, ""))
                self.send_response(int(headers.get("Status", "200")))
                for name, value in headers.items():
                    if name != "Status":
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(body.encode())))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
                """Say nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()
