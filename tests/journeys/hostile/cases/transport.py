"""Connections that stall, break, or carry bytes that belong to nothing."""

from __future__ import annotations

import gzip
import itertools
from collections.abc import Iterator

from hostile.answers import HTML, chunk, hang, head, last, page, raw, response, stream
from hostile.pages import article, prose
from hostile.server import Request, Wire
from hostile.stage import SECRET, Cases, Expected, Stage

case = Cases()


@case("slow-headers")
def slow_headers(stage: Stage) -> Expected:
    """One header byte a second."""

    def parts() -> Iterator[bytes]:
        for byte in itertools.chain(b"HTTP/1.1 200 OK\r\nX-Slow: ", itertools.repeat(ord("z"))):
            yield bytes([byte])

    stage.x(stream(parts, pause=1.0))
    return Expected(fails=("/x",))


@case("slow-body")
def slow_body(stage: Stage) -> Expected:
    """One byte of the body a second, after proper headers."""
    stage.x(stream(lambda: itertools.chain([head(HTML, "Content-Length: 100000")], itertools.repeat(b"z")), pause=1.0))
    return Expected(fails=("/x",))


@case("no-answer-many")
def no_answer_many(stage: Stage) -> Expected:
    """Sixteen links that never answer, with the good link last."""
    stage.links = (*(f"/silent/{number}" for number in range(16)), "/good")
    stage.host.on("/silent/*", hang)
    stage.host.on("/good", page(article("The good link among silent ones")))
    return Expected(read=("/good",))


@case("response-splitting")
def response_splitting(stage: Stage) -> Expected:
    """A whole second response is glued behind the first on a kept-alive connection."""
    stage.x(raw(response(article("Page with a tail")) + response(article("Glued page", text=SECRET))))
    stage.links = ("/x", "/after-1", "/after-2")
    stage.host.on("/after-1", page(article("First page after the tail")))
    stage.host.on("/after-2", page(article("Second page after the tail")))
    return Expected(read=("/after-1", "/after-2"))


@case("cl-conflict")
def cl_conflict(stage: Stage) -> Expected:
    """Two Content-Length headers that differ."""
    body = article("Page of two lengths").encode()
    stage.x(last(head(HTML, f"Content-Length: {len(body)}", "Content-Length: 7") + body))
    return Expected()


@case("cl-too-long")
def cl_too_long(stage: Stage) -> Expected:
    """The body ends before the announced length."""
    stage.x(last(head(HTML, "Content-Length: 100000") + article("Page cut short").encode()))
    return Expected(at_most={"/x": 6})


@case("cl-nonsense")
def cl_nonsense(stage: Stage) -> Expected:
    """A Content-Length that is not a number, and one that is negative."""
    stage.links = ("/minus", "/words")
    body = article("Page of no length").encode()
    stage.host.on("/minus", last(head(HTML, "Content-Length: -5") + body))
    stage.host.on("/words", last(head(HTML, "Content-Length: a fathom") + body))
    return Expected(at_most={"/minus": 6, "/words": 6})


@case("chunk-huge-size")
def chunk_huge_size(stage: Stage) -> Expected:
    """A chunk of 2^62 bytes is announced; the connection ends after a few of them."""
    body = article("Page in one huge chunk").encode()
    stage.x(last(head(HTML, "Transfer-Encoding: chunked") + b"4000000000000000\r\n" + body))
    return Expected(fails=("/x",), memory_mb=300)


@case("chunk-no-end")
def chunk_no_end(stage: Stage) -> Expected:
    """A chunked body whose last chunk never comes before the connection ends."""
    stage.x(last(head(HTML, "Transfer-Encoding: chunked") + chunk(article("Page without an end").encode())))
    return Expected(at_most={"/x": 6})


@case("chunk-bad-size")
def chunk_bad_size(stage: Stage) -> Expected:
    """A chunk whose size is no number."""
    stage.x(last(head(HTML, "Transfer-Encoding: chunked") + b"zz\r\n" + article("Page of no size").encode()))
    return Expected(fails=("/x",), at_most={"/x": 6})


@case("chunk-one-byte")
def chunk_one_byte(stage: Stage) -> Expected:
    """A page in chunks of one byte each, with an extension on every chunk."""
    body = article("Page in crumbs").encode() * 20
    crumbs = b"".join(b"1;name=value\r\n%c\r\n" % byte for byte in body)
    stage.x(raw(head(HTML, "Transfer-Encoding: chunked") + crumbs + b"0\r\n\r\n"))
    return Expected(read=("/x",))


@case("chunk-extension-endless")
def chunk_extension_endless(stage: Stage) -> Expected:
    """A chunk whose size line never ends."""
    begin = head(HTML, "Transfer-Encoding: chunked") + b"5;"
    stage.x(stream(lambda: itertools.chain([begin], itertools.repeat(b"z" * 65_536))))
    return Expected(fails=("/x",), memory_mb=400, wire_mb=128)


@case("chunk-trailer-bomb")
def chunk_trailer_bomb(stage: Stage) -> Expected:
    """100,000 trailer lines after the body."""
    trailers = b"".join(b"X-Trailer-%d: %s\r\n" % (number, b"z" * 80) for number in range(100_000))
    body = chunk(article("Page with a long trail").encode()) + b"0\r\n"
    stage.x(raw(head(HTML, "Transfer-Encoding: chunked") + body + trailers + b"\r\n"))
    return Expected()


@case("gzip-trailing-junk")
def gzip_trailing_junk(stage: Stage) -> Expected:
    """Valid gzip followed by junk."""
    packed = gzip.compress(article("Page before the junk", text=f"pearl of the deep. {prose('x')}").encode())
    stage.x(page(packed + b"\x00\xffjunk that is not gzip" * 9, HTML, "Content-Encoding: gzip"))
    return Expected(says={"/x": "pearl of the deep"})


@case("gzip-cut")
def gzip_cut(stage: Stage) -> Expected:
    """Gzip that ends in the middle, in a complete response."""
    packed = gzip.compress(article("Page in half a stream").encode())
    stage.x(page(packed[: len(packed) // 2], HTML, "Content-Encoding: gzip"))
    return Expected(at_most={"/x": 6})


@case("gzip-label-only")
def gzip_label_only(stage: Stage) -> Expected:
    """The headers say gzip, the body is plain: readers see the page or an error, never unpacked noise."""
    stage.x(page(article("Page that was never packed"), HTML, "Content-Encoding: gzip"))
    return Expected(at_most={"/x": 6})


@case("enc-unknown")
def enc_unknown(stage: Stage) -> Expected:
    """A content coding that does not exist, with binary bytes."""
    stage.x(page(bytes(range(256)) * 40, HTML, "Content-Encoding: foo"))
    return Expected(fails=("/x",))


@case("reset-at-once")
def reset_at_once(stage: Stage) -> Expected:
    """The connection is reset before any header."""
    stage.x(_reset)
    return Expected(fails=("/x",), at_most={"/x": 6})


@case("reset-in-body")
def reset_in_body(stage: Stage) -> Expected:
    """The connection is reset in the middle of the body."""

    async def half(wire: Wire, request: Request) -> None:
        await wire.send(head(HTML, "Content-Length: 100000") + article("Half a page").encode())
        await _reset(wire, request)

    stage.x(half)
    return Expected(at_most={"/x": 6})


@case("keepalive-close-race")
def keepalive_close_race(stage: Stage) -> Expected:
    """Every kept-alive connection is closed right after its answer, without saying so."""
    paths = tuple(f"/page-{number}" for number in range(10))
    stage.links = paths
    for path in paths:
        stage.host.on(path, last(response(article(f"Page {path} of ten"))))
    return Expected(read=paths)


async def _reset(wire: Wire, _: Request) -> None:
    wire.reset()
