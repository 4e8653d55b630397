"""Records: the tables that rules take from list pages."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from haenyeo.web.render import page


def records(request: Request) -> Response:
    """All rules and the first rows of each."""
    return page(request, "records.html", view="records", rules=[])
