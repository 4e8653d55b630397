"""Puts the dashboard together: routes, guard, and what lives as long as the server does."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from haenyeo.model.errors import HaenyeoError, NotThereError
from haenyeo.web.api import ROUTES
from haenyeo.web.crawler import Crawler
from haenyeo.web.desk import Desk
from haenyeo.web.guard import Entrance, Guard, Keys
from haenyeo.web.render import page, prepare
from haenyeo.web.views import (
    changes,
    frontier,
    layouts,
    listing,
    metrics,
    one_page,
    overview,
    pick,
    record_search,
    records,
    refresh,
    sites,
    teach,
)
from haenyeo.web.views.live import live

STATIC = Path(__file__).parent / "static"
WORTH_PACKING = 1000  # bytes

VIEWS = [
    Route("/", overview.overview),
    Route("/crawl", overview.buttons),
    Route("/crawl", overview.steer, methods=["POST"]),
    Route("/page", one_page.by_address),
    Route("/pages", listing.pages),
    Route("/pages/{number:int}", one_page.one_page),
    Route("/pages/{number:int}/original", one_page.original),
    Route("/pages/{number:int}/inlinks", one_page.inlinks),
    Route("/pages/{number:int}/judge", one_page.judged, methods=["POST"]),
    Route("/pages/{number:int}/pick", pick.pick),
    Route("/pages/{number:int}/pick", pick.save, methods=["POST"]),
    Route("/pages/{number:int}/pick/page", pick.pickable),
    Route("/pages/{number:int}/pick/rows", pick.rows),
    Route("/frontier", frontier.frontier),
    Route("/frontier/steer", frontier.steer, methods=["POST"]),
    Route("/sites", sites.sites),
    Route("/sites/{name}", sites.one_site),
    Route("/sites/{name}/layouts/{number:int}", layouts.before_and_after),
    Route("/records", records.records),
    Route("/records/all", record_search.all_records),
    Route("/records/all.csv", record_search.download_csv),
    Route("/records/all.jsonl", record_search.download_jsonl),
    Route("/records/{name}/repair", records.repair, methods=["POST"]),
    Route("/records/{name}.csv", records.download_csv),
    Route("/records/{name}.jsonl", records.download_jsonl),
    Route("/records/{name}.parquet", records.download_parquet),
    Route("/watched", changes.watched),
    Route("/changes.atom", changes.feed),
    Route("/changes.rss", changes.rss),
    Route("/refresh", refresh.refresh),
    Route("/teach", teach.teach),
    Route("/teach", teach.answered, methods=["POST"]),
    Route("/live", live),
    Route("/metrics", metrics.metrics),
    *ROUTES,
    Mount("/static", StaticFiles(directory=STATIC)),
]


def make_app(folder: Path, keys: Keys, hosts: Iterable[str] = (), entrance: Entrance | None = None) -> Starlette:
    """The dashboard of the collection in this folder, as an ASGI application."""
    prepare()
    desk, crawler = Desk(folder), Crawler(folder)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        app.state.over.set()
        crawler.close()
        desk.close()

    app = Starlette(
        routes=VIEWS,
        middleware=[
            Middleware(Guard, keys=keys, hosts=hosts, entrance=entrance),
            Middleware(GZipMiddleware, minimum_size=WORTH_PACKING),
        ],
        exception_handlers={HTTPException: _refused, NotThereError: _not_there, HaenyeoError: _failed},
        lifespan=lifespan,
    )
    app.state.desk, app.state.crawler, app.state.keys = desk, crawler, keys
    app.state.over = threading.Event()
    return app


async def _refused(request: Request, error: Exception) -> Response:
    """What cannot be had, in words."""
    assert isinstance(error, HTTPException)
    if request.url.path.startswith("/api"):
        return JSONResponse({"detail": error.detail}, error.status_code, headers=error.headers)
    return page(request, "trouble.html", status=error.status_code, view="", title=error.detail, advice="")


async def _not_there(request: Request, error: Exception) -> Response:
    """A page, site or rule that the collection does not have."""
    return await _refused(request, HTTPException(404, str(error)))


async def _failed(request: Request, error: Exception) -> Response:
    """An error of ours, in words: the collection is busy, a file is gone."""
    assert isinstance(error, HaenyeoError)
    if request.url.path.startswith("/api"):
        return JSONResponse({"detail": str(error)}, 409)
    return page(request, "trouble.html", status=409, view="", title=str(error), advice=error.advice)
