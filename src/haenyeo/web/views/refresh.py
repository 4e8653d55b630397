"""Freshness: when pages change, how long ago they were looked at, what is due."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from haenyeo.collect.service.forecast import BUDGETS, Forecast, Heat
from haenyeo.web.desk import Desk
from haenyeo.web.plots import Curve, Heatmap, Mark, Scale, Series, curve, heatmap
from haenyeo.web.queries.refresh import changes_seen, due_pages, week_ahead
from haenyeo.web.render import is_fragment, page

WEEKS = 6  # whose promises are shown
MARKED = {"half": "half", "whole": "now", "double": "double"}
STEP = 0.02  # of freshness: the axis begins at a multiple, with some room below the curve


def refresh(request: Request) -> Response:
    """The view."""
    desk: Desk = request.app.state.desk
    seen = changes_seen(desk, datetime.now(UTC))
    return page(
        request,
        "parts/refresh.html" if is_fragment(request) else "refresh.html",
        view="refresh",
        settings=desk.settings.refresh,
        week=heatmap(seen.week, "changes seen"),
        ages=seen.ages,
        kept=int(desk.columns.pages["kept"].sum()),
        revisits=seen.revisits,
        promises=list(seen.promises)[-WEEKS:],
        changes=seen.changes,
        **_ahead(desk),
    )


def _ahead(desk: Desk) -> dict[str, Any]:
    """What the planner expects: the coming week, freshness by budget, and the pages that come first."""
    ahead = week_ahead(desk)
    forecast = ahead.forecast
    known = forecast is not None and forecast.pages > 0
    return {
        "forecast": forecast,
        "planned": _heat(forecast.visits, "visits planned") if forecast and known else None,
        "expected": _heat(forecast.changes, "changes expected") if forecast and known else None,
        "budget": _budget_curve(forecast, ahead.by_budget) if forecast and ahead.by_budget else None,
        "visits": sum(map(sum, forecast.visits)) if forecast else 0.0,
        "waits": not ahead.trouble and (forecast is None or (known and ahead.by_budget is None)),
        "due": due_pages(desk, forecast.first) if forecast else [],
        "trouble": ahead.trouble,
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
    if forecast.needed is not None and forecast.reached is not None:
        marks = [Mark(x=forecast.needed, y=forecast.reached, label=f"the plan: {100 * forecast.reached:.1f} %")]
    written = Scale(least=least, written=lambda share: f"{100 * share:g} %")
    return curve([Series(name="copies up to date", points=points)], marks, written)
