"""What would HTTP/2 cost a crawl? CPU of one page's request and answer in both protocols, without a network.

    python bench/http2.py [--pages 2000] [--bytes 25000]

The same page with the same headers is read by `httptools`, which our client uses, and by `h2`, the library under
Python's clients with HTTP/2, from bytes that are there already. A site is asked once at a time and not more often than
its pace allows, so what HTTP/2 does at once for many requests does nothing for a crawl.
"""

from __future__ import annotations

import argparse
import time

import h2.config
import h2.connection
import h2.events
import httptools

REQUEST = [("user-agent", "haenyeo/0.1 (+you@example.org)"), ("accept", "text/html"), ("accept-encoding", "gzip, br")]
ANSWER = [
    ("server", "bench"),
    ("date", "Mon, 06 Jan 2025 00:00:00 GMT"),
    ("content-type", "text/html; charset=utf-8"),
    ("etag", '"5f1c-1"'),
    ("last-modified", "Mon, 06 Jan 2025 00:00:00 GMT"),
    ("cache-control", "max-age=60"),
]
FRAME = 16_384


class _Reader:
    """Gathers what an HTTP/1.1 answer brings."""

    def __init__(self) -> None:
        self.fields: list[tuple[bytes, bytes]] = []
        self.body: list[bytes] = []

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header has come."""
        self.fields.append((name, value))

    def on_body(self, data: bytes) -> None:
        """A part of the body has come."""
        self.body.append(data)


def in_http1(pages: int, body: bytes) -> float:
    """CPU seconds for so many pages by HTTP/1.1."""
    fields = "".join(f"{name}: {value}\r\n" for name, value in ANSWER)
    answer = f"HTTP/1.1 200 OK\r\n{fields}Content-Length: {len(body)}\r\n\r\n".encode() + body
    parts = [answer[at : at + FRAME] for at in range(0, len(answer), FRAME)]
    began = time.process_time()
    for number in range(pages):
        lines = "".join(f"{name}: {value}\r\n" for name, value in REQUEST)
        _ = f"GET /{number} HTTP/1.1\r\nHost: a.example\r\n{lines}\r\n".encode()
        reader = _Reader()
        parser = httptools.HttpResponseParser(reader)
        for part in parts:
            parser.feed_data(part)
        assert sum(map(len, reader.body)) == len(body)
    return time.process_time() - began


def in_http2(pages: int, body: bytes) -> float:
    """CPU seconds of the client's side alone for so many pages by HTTP/2."""
    client = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True))
    server = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    client.initiate_connection()
    server.initiate_connection()
    server.receive_data(client.data_to_send())
    client.receive_data(server.data_to_send())
    spent = 0.0
    for number in range(pages):
        began = time.process_time()
        stream = client.get_next_available_stream_id()
        head = [(":method", "GET"), (":path", f"/{number}"), (":scheme", "https"), (":authority", "a.example")]
        client.send_headers(stream, head + REQUEST, end_stream=True)
        asked = client.data_to_send()
        spent += time.process_time() - began
        server.receive_data(asked)
        server.send_headers(stream, [(":status", "200"), *ANSWER, ("content-length", str(len(body)))])
        for at in range(0, len(body), FRAME):
            server.send_data(stream, body[at : at + FRAME], end_stream=at + FRAME >= len(body))
        answered = server.data_to_send()
        began = time.process_time()
        said = _taken(client, answered)
        granted = client.data_to_send()
        spent += time.process_time() - began
        assert said == len(body)
        server.receive_data(granted)
    return spent


def _taken(client: h2.connection.H2Connection, data: bytes) -> int:
    """Hand the bytes of an answer to the client, and let the server send as many again; how long its body is."""
    said = 0
    for at in range(0, len(data), FRAME):
        for event in client.receive_data(data[at : at + FRAME]):
            if isinstance(event, h2.events.DataReceived):
                said += len(event.data or b"")
                client.acknowledge_received_data(event.flow_controlled_length or 0, event.stream_id or 0)
    return said


def main() -> None:
    """Measure both, and print what a page costs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--bytes", type=int, default=25_000)
    options = parser.parse_args()
    body = b"x" * options.bytes
    one, two = (min(way(options.pages, body) for _ in range(3)) / options.pages * 1e6 for way in (in_http1, in_http2))
    print(f"HTTP/1.1 {one:.0f} us a page, HTTP/2 {two:.0f} us a page: {two / one:.0f} times")


if __name__ == "__main__":
    main()
