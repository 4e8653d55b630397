"""The collection in numbers, for Prometheus; numbers only, so whoever collects them needs no key."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from haenyeo.collect.service.counters import as_prometheus, counters
from haenyeo.web.desk import Desk

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def metrics(request: Request) -> Response:
    """What the collection holds and what visits found, in the text format of Prometheus."""
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        return PlainTextResponse(as_prometheus(counters(store)), headers={"content-type": CONTENT_TYPE})
