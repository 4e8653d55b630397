"""The collection at a glance: what was found at what price, how fast, what is wrong."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from haenyeo.cluster.standing import standing
from haenyeo.web.crawler import Wish
from haenyeo.web.desk import Desk
from haenyeo.web.plots import Series, curve
from haenyeo.web.queries import figures
from haenyeo.web.queries.happenings import alarms
from haenyeo.web.queries.overview import best_pages, crawl_progress, newest_pages, reasons, share_seen_lately
from haenyeo.web.render import is_fragment, page
from haenyeo.web.views.form import posted, whole

NEWEST, BEST = 8, 8
ALARMS = timedelta(days=7)
REASONS = 8  # for which pages were not read


def overview(request: Request) -> Response:
    """The whole view, or its changing part."""
    desk: Desk = request.app.state.desk
    now = datetime.now(UTC)
    progress = crawl_progress(desk, now)
    return page(
        request,
        "parts/overview.html" if is_fragment(request) else "overview.html",
        view="overview",
        topics=desk.settings.topic,
        totals=progress.totals,
        waiting=progress.waiting,
        harvest=curve(
            [
                Series(name="as crawled", points=progress.harvest),
                Series(name="breadth first", points=progress.breadth_first, kind="reference"),
            ]
        ),
        minutes=progress.by_minute,
        busiest=max(progress.by_minute, default=0),
        fresh=share_seen_lately(desk, now),
        alarms=alarms(desk.events, now - ALARMS),
        best=best_pages(desk, BEST),
        newest=newest_pages(desk, NEWEST),
        outcomes=figures.outcomes(desk.columns.pages),
        reasons=reasons(desk, REASONS),
        harvests=desk.harvests,
        shards=standing(desk.folder),
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
