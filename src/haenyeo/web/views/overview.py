"""The collection at a glance: what was found at what price, how fast, what is wrong."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from haenyeo.web.crawler import Wish
from haenyeo.web.desk import Desk
from haenyeo.web.plots import Series, curve
from haenyeo.web.queries import figures
from haenyeo.web.queries.happenings import alarms
from haenyeo.web.render import is_fragment, page
from haenyeo.web.views.form import posted, whole
from haenyeo.web.views.listing import Row, listed

NEWEST, BEST = 8, 8
ALARMS = timedelta(days=7)
FRESH = timedelta(days=7)


def overview(request: Request) -> Response:
    """The whole view, or its changing part."""
    desk: Desk = request.app.state.desk
    pages, visits = desk.columns.pages, desk.columns.visits
    now = datetime.now(UTC)
    minutes = figures.by_minute(visits, now)
    template = "parts/overview.html" if is_fragment(request) else "overview.html"
    return page(
        request,
        template,
        view="overview",
        topics=desk.settings.topic,
        totals=figures.totals(pages),
        waiting=len(desk.waiting) if desk.counted else None,
        harvest=curve(
            [
                Series(name="as crawled", points=figures.harvest(pages)),
                Series(
                    name="breadth first",
                    points=figures.breadth_first(pages, visits, desk.first_scores, desk.first_worth),
                    kind="reference",
                ),
            ]
        ),
        minutes=minutes,
        busiest=max(minutes, default=0),
        fresh=_fresh(desk, now),
        alarms=alarms(desk.events, now - ALARMS),
        best=_some(desk, np.argsort(-pages["relevance"], kind="stable"), BEST),
        newest=_some(desk, np.argsort(-pages["first_us"], kind="stable"), NEWEST),
        outcomes=figures.outcomes(pages),
    )


def buttons(request: Request) -> Response:
    """The buttons that fit what the crawl is doing now."""
    return page(request, "parts/steer.html")


async def steer(request: Request) -> Response:
    """Start, pause, resume or stop the crawl, then show the overview again."""
    fields = await posted(request)
    crawler = request.app.state.crawler
    action = fields.get("action", "")
    if action == "start":
        crawler.start(Wish(pages=whole(fields, "pages"), minutes=whole(fields, "minutes")))
    elif action in ("pause", "resume", "stop"):
        getattr(crawler, action)()
    return RedirectResponse("/", 303)


def _fresh(desk: Desk, now: datetime) -> float | None:
    """The share of kept pages that were looked at lately; None when there are none."""
    pages = desk.columns.pages
    seen = pages["last_us"][pages["kept"]]
    if not len(seen):
        return None
    return float((seen >= (now - FRESH).timestamp() * figures.MICROSECONDS).mean())


def _some(desk: Desk, order: np.ndarray[tuple[int], np.dtype[np.int64]], count: int) -> list[Row]:
    """The first kept pages in this order, as rows to show."""
    pages = desk.columns.pages
    kept = order[pages["kept"][order]][:count]
    return listed(desk, pages["id"][kept].tolist())
