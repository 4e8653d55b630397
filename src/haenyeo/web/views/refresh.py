"""Freshness: when pages change, how long ago they were looked at, what is due."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from haenyeo.collect.service.forecast import BUDGETS, Forecast, Heat
from haenyeo.web import figures
from haenyeo.web.desk import Desk
from haenyeo.web.plots import Curve, Heatmap, Mark, Scale, Series, curve, heatmap
from haenyeo.web.render import is_fragment, page

MARKED = {"half": "half", "whole": "now", "double": "double"}
STEP = 0.02  # of freshness: the axis begins at a multiple, with some room below the curve


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """A page that is visited next; `changes` of its visits found something new."""

    url: str
    title: str
    last_at: datetime | None
    visits: int
    changes: int


def refresh(request: Request) -> Response:
    """The view."""
    desk: Desk = request.app.state.desk
    pages, visits = desk.columns.pages, desk.columns.visits
    now = datetime.now(UTC)
    ages = figures.ages(pages, now)
    return page(
        request,
        "parts/refresh.html" if is_fragment(request) else "refresh.html",
        view="refresh",
        settings=desk.settings.refresh,
        week=heatmap(figures.week(visits), "changes seen"),
        ages=ages,
        kept=int(pages["kept"].sum()),
        revisits=int((visits["changed"] >= 0).sum()),
        changes=int((visits["changed"] == 1).sum()),
        **_ahead(desk),
    )


def _ahead(desk: Desk) -> dict[str, Any]:
    """What the planner expects: the coming week, freshness by budget, and the pages that come first."""
    outlook = desk.outlook
    forecast = outlook.ask(len(desk.columns.visits))
    known = forecast is not None and forecast.pages > 0
    return {
        "forecast": forecast,
        "planned": _heat(forecast.visits, "visits planned") if forecast and known else None,
        "expected": _heat(forecast.changes, "changes expected") if forecast and known else None,
        "budget": _budget_curve(forecast, outlook.by_budget) if forecast and outlook.by_budget else None,
        "visits": sum(map(sum, forecast.visits)) if forecast else 0.0,
        "waits": not outlook.trouble and (forecast is None or (known and outlook.by_budget is None)),
        "due": _due(desk, forecast.first) if forecast else [],
        "trouble": outlook.trouble,
    }


def _heat(hours: Heat, what: str) -> Heatmap | None:
    return heatmap(np.array(hours), what) if hours else None


def _budget_curve(forecast: Forecast, points: Sequence[tuple[float, float]]) -> Curve | None:
    """Copies up to date by requests a day, with half, the whole and double the budget marked."""
    least = max(0.0, STEP * (math.floor(min(fresh for _, fresh in points) / STEP) - 1))
    marks = [
        Mark(x=forecast.per_day * BUDGETS[name], y=fresh, label=f"{MARKED[name]}: {100 * fresh:.1f} %")
        for name, fresh in forecast.freshness.items()
    ]
    written = Scale(least=least, written=lambda share: f"{100 * share:g} %")
    return curve([Series(name="copies up to date", points=points)], marks, written)


def _due(desk: Desk, urls: Sequence[str]) -> list[Due]:
    """The pages that are visited next, with what is known of each."""
    with desk.reading() as store:
        found = [(url, store.page(url), store.visits(url)) for url in urls]
    return [
        Due(
            url=url,
            title=page.title if page else "",
            last_at=page.last_at if page else None,
            visits=len(visits),
            changes=sum(visit.changed is True for visit in visits),
        )
        for url, page, visits in found
    ]
