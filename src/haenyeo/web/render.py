"""Fills the templates; everything that comes from a page is escaped."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from haenyeo.html.urls import readable

NAVIGATION = (
    ("overview", "/", "Overview"),
    ("pages", "/pages", "Pages"),
    ("frontier", "/frontier", "Frontier"),
    ("sites", "/sites", "Sites"),
    ("records", "/records", "Records"),
    ("watched", "/watched", "Watched"),
    ("refresh", "/refresh", "Refresh"),
    ("teach", "/teach", "Teach"),
)
UNITS = ((365 * 86400, "y"), (30 * 86400, "mo"), (86400, "d"), (3600, "h"), (60, "min"))


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """The page, or only its changing part (`fragment.html` of the same name) when htmx asks for it."""
    state = request.app.state
    values |= {
        "collection": state.desk.name,
        "navigation": NAVIGATION,
        "path": request.url.path,
        "form_token": state.keys.form,
        "crawl": state.crawler.condition,
        "now": datetime.now(UTC),
    }
    return HTMLResponse(environment().get_template(template).render(values), status)


def is_fragment(request: Request) -> bool:
    """Does htmx ask for a part of the page only?"""
    return "hx-request" in request.headers and "hx-history-restore-request" not in request.headers


def prepare() -> None:
    """Compile all templates, so that the first to look does not wait for it."""
    for name in environment().list_templates():
        environment().get_template(name)


@cache
def environment() -> Environment:
    """The templates and their filters, made once."""
    made = Environment(
        loader=PackageLoader("haenyeo.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"number": number, "percent": percent, "ago": ago, "size": size, "day": day, "address": readable}
    return made


def number(value: float) -> str:
    """A number with its thousands set apart."""
    return f"{value:,.0f}"


def percent(value: float) -> str:
    """A share as it is read aloud."""
    return f"{value:.0%}" if value >= 0.1 or value == 0 else f"{value:.1%}"  # noqa: PLR2004


def ago(moment: datetime | None, now: datetime) -> str:
    """How long ago, in one unit."""
    if moment is None:
        return "never"
    seconds = (now - moment).total_seconds()
    for length, unit in UNITS:
        if seconds >= length:
            return f"{seconds / length:.0f} {unit} ago"
    return "just now" if seconds > -60 else f"in {-seconds / 60:.0f} min"  # noqa: PLR2004


def day(moment: datetime | None) -> str:
    """A date and time, UTC."""
    return moment.strftime("%Y-%m-%d %H:%M") if moment else "never"


def size(value: float) -> str:
    """Bytes in a fitting unit."""
    for unit in ("B", "KB", "MB"):
        if value < 1000:  # noqa: PLR2004
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"
