"""Freshness: when pages change, how long ago they were looked at, what is due."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np
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
        **_ahead(desk),
    )


def outlook(request: Request) -> Response:
    """The coming week alone, for a view that waits for it."""
    return page(request, "parts/outlook.html", **_ahead(request.app.state.desk))


def _ahead(desk: Desk) -> dict[str, Any]:
    forecast = desk.outlook.ask(len(desk.columns.visits))
    planned = np.ceil(np.array(forecast.visits)).astype(np.int64) if forecast and forecast.pages else None
    return {
        "forecast": forecast,
        "planned": None if planned is None else heatmap(planned, "visits planned"),
        "trouble": desk.outlook.trouble,
    }
