"""Freshness: when pages change, how long ago they were looked at, what is due."""

from __future__ import annotations

from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response

from haenyeo.web import figures
from haenyeo.web.desk import Desk
from haenyeo.web.plots import heatmap
from haenyeo.web.render import page


def refresh(request: Request) -> Response:
    """The view."""
    desk: Desk = request.app.state.desk
    pages, visits = desk.columns.pages, desk.columns.visits
    now = datetime.now(UTC)
    ages = figures.ages(pages, now)
    return page(
        request,
        "refresh.html",
        view="refresh",
        settings=desk.settings.refresh,
        week=heatmap(figures.week(visits), "changes seen"),
        ages=ages,
        most=max((count for _, count in ages), default=0),
        kept=int(pages["kept"].sum()),
        revisits=int((visits["changed"] >= 0).sum()),
        changes=int((visits["changed"] == 1).sum()),
    )
