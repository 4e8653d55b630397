"""Handlers that most cases are made of."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from hostile.server import Handler, Request, Wire

HTML = "Content-Type: text/html; charset=utf-8"
FILLER = b"<p>" + b"the sea is wide and this page does not end " * 1500


def head(*lines: str, status: str = "200 OK") -> bytes:
    """A response head."""
    return ("\r\n".join((f"HTTP/1.1 {status}", *lines)) + "\r\n\r\n").encode("latin-1")


def response(body: str | bytes, *lines: str, status: str = "200 OK") -> bytes:
    """A whole, correct response; HTML in UTF-8 unless the header lines name another content type."""
    data = body.encode() if isinstance(body, str) else body
    typed = any(line.lower().startswith("content-type") for line in lines)
    return head(*(lines if typed else (HTML, *lines)), f"Content-Length: {len(data)}", status=status) + data


def page(body: str | bytes, *lines: str, status: str = "200 OK") -> Handler:
    """Answer with this page."""
    return raw(response(body, *lines, status=status))


def text(body: str | bytes) -> Handler:
    """Answer with plain text, such as a robots.txt."""
    return page(body, "Content-Type: text/plain")


def redirect(location: str, *lines: str, status: str = "302 Found") -> Handler:
    """Answer with a redirect; the address is sent as it is written."""
    return page("", *lines, f"Location: {location}", status=status)


def raw(data: bytes) -> Handler:
    """Answer with exactly these bytes and keep the connection."""

    async def handler(wire: Wire, _: Request) -> None:
        await wire.send(data)

    return handler


def last(data: bytes) -> Handler:
    """Answer with exactly these bytes and close the connection."""

    async def handler(wire: Wire, _: Request) -> None:
        await wire.send(data)
        wire.open = False

    return handler


def stream(parts: Callable[[], Iterable[bytes]], pause: float = 0.0) -> Handler:
    """Answer with all parts, made while they are sent, with a pause after each; then close the connection."""

    async def handler(wire: Wire, _: Request) -> None:
        for part in parts():
            await wire.send(part)
            await asyncio.sleep(pause)
        wire.open = False

    return handler


async def hang(wire: Wire, _: Request) -> None:
    """Take the request and never answer."""
    wire.open = False
    await asyncio.sleep(3600)


def in_turn(*handlers: Handler) -> Handler:
    """Answer the first request with the first handler and so on; the last one answers all that follow."""
    waiting = list(handlers)

    async def handler(wire: Wire, request: Request) -> None:
        chosen = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        await chosen(wire, request)

    return handler


def chunk(data: bytes) -> bytes:
    """One chunk of a chunked body."""
    return b"%x\r\n%s\r\n" % (len(data), data)
