"""The table of all questions: from it come both the routes and their description."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from haenyeo.model.errors import NotThereError, UsageError
from haenyeo.web.api import answers, changing, reading
from haenyeo.web.api.asking import Asked
from haenyeo.web.api.openapi import Endpoint, describe

LARGEST_BODY = 64 * 1024
JSON = "application/json"

ENDPOINTS = (
    Endpoint(path="/api/overview", answer=answers.CollectionOverview, handler=reading.overview),
    Endpoint(path="/api/pages", params=answers.PageSpan, answer=answers.PageList, handler=reading.pages),
    Endpoint(path="/api/pages/{number:int}", answer=answers.PageDetail, handler=reading.page),
    Endpoint(
        path="/api/pages/{number:int}/verdict",
        body=answers.VerdictWish,
        answer=answers.VerdictWish,
        handler=changing.verdict,
    ),
    Endpoint(path="/api/frontier", params=answers.LinkSpan, answer=answers.LinkList, handler=reading.frontier),
    Endpoint(path="/api/sites", params=answers.Span, answer=answers.SiteList, handler=reading.sites),
    Endpoint(path="/api/rules", answer=answers.RuleList, handler=reading.rules),
    Endpoint(path="/api/rules/{name}/records", params=answers.Span, answer=answers.RecordList, handler=reading.records),
    Endpoint(path="/api/events", params=answers.EventSpan, answer=answers.EventList, handler=reading.events),
    Endpoint(path="/api/freshness", answer=answers.Freshness, handler=reading.freshness),
    Endpoint(path="/api/steering", answer=answers.SteeringState, handler=reading.steering),
    Endpoint(
        path="/api/steering/rule", body=answers.SteeringWish, answer=answers.SteeringState, handler=changing.steer
    ),
    Endpoint(path="/api/crawl", body=answers.CrawlWish, answer=answers.CrawlState, handler=changing.crawl),
)


def _route(endpoint: Endpoint) -> Route:
    async def answer(request: Request) -> Response:
        state = request.app.state
        question = await _body(request, endpoint.body) if endpoint.body else _params(request, endpoint.params)
        asked = Asked(desk=state.desk, crawler=state.crawler, path=request.path_params, question=question)
        handler: Callable[[Any], Any] = endpoint.handler
        try:
            found = await run_in_threadpool(handler, asked)
        except NotThereError as error:
            raise HTTPException(404, str(error)) from error
        except UsageError as error:
            raise HTTPException(400, str(error)) from error
        return Response(msgspec.json.encode(found), media_type=JSON)

    return Route(endpoint.path, answer, methods=[endpoint.method])


def _params(request: Request, kind: type[msgspec.Struct] | None) -> msgspec.Struct | None:
    """The parameters of the address; raises 400 for what the description does not allow."""
    given = [(name, value) for name, value in request.query_params.multi_items() if name != "token"]
    twice = [name for name, count in Counter(name for name, _ in given).items() if count > 1]
    if twice:
        raise HTTPException(400, f"{twice[0]} was given more than once")
    if kind is None:
        if given:
            raise HTTPException(400, f"there is no parameter {given[0][0]}")
        return None
    try:
        return msgspec.convert(dict(given), kind, strict=False)
    except msgspec.ValidationError as error:
        raise HTTPException(400, str(error)) from error


async def _body(request: Request, kind: type[msgspec.Struct]) -> msgspec.Struct:
    """What was sent; raises 400, 413 or 415 for what the description does not allow."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise HTTPException(415, f"send {JSON}")
    if request.scope.get("haenyeo.form"):
        raise HTTPException(403, "a change needs the token as a bearer, or the form's token in its header")
    _params(request, None)
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise HTTPException(413, "this is too long")
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.DecodeError as error:
        raise HTTPException(400, str(error)) from error


async def _description(request: Request) -> Response:
    """The description of all of this."""
    del request
    return Response(msgspec.json.encode(describe(ENDPOINTS)), media_type=JSON)


ROUTES = [*(_route(endpoint) for endpoint in ENDPOINTS), Route("/api/openapi.json", _description)]
