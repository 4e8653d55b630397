"""Server-sent events: tells an open view that something has happened; the view then fetches its changing part."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec
from starlette.requests import Request
from starlette.responses import StreamingResponse

EVERY = 1.0  # seconds between two looks
SIGN_OF_LIFE = 15  # looks without news after which a comment shows that we are there


async def live(request: Request) -> StreamingResponse:
    """The stream of one open view; ends when the view is closed or the server stops."""
    return StreamingResponse(_beats(request), media_type="text/event-stream")


async def _beats(request: Request) -> AsyncIterator[bytes]:
    state = request.app.state
    last, quiet = b"", 0
    yield b"retry: 3000\n\n"
    while not state.over.is_set() and not await request.is_disconnected():
        told = msgspec.json.encode(
            {"pulse": state.desk.pulse, "crawl": msgspec.structs.replace(state.crawler.condition, message="")}
        )
        if told != last:
            last, quiet = told, 0
            yield b"event: beat\ndata: " + told + b"\n\n"
        elif (quiet := quiet + 1) % SIGN_OF_LIFE == 0:
            yield b": here\n\n"
        await asyncio.sleep(EVERY)
