"""What comes next: the links that wait, their scores and the words around them; hosts to block or to boost."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from haenyeo.collect.links.steering import read_course
from haenyeo.model.errors import UsageError
from haenyeo.web import changing
from haenyeo.web.desk import Desk
from haenyeo.web.queries.frontier import best_links, links_by_score, reasons_of
from haenyeo.web.render import is_fragment, page
from haenyeo.web.views.form import posted

SHOWN = 30
EXPLAINED = 20  # links shown with reasons


def frontier(request: Request) -> Response:
    """The view, or its changing part."""
    desk: Desk = request.app.state.desk
    links = best_links(desk, SHOWN)
    scores = links_by_score(desk)
    return page(
        request,
        "parts/frontier.html" if is_fragment(request) else "frontier.html",
        view="frontier",
        links=links,
        reasons=reasons_of(desk, links[:EXPLAINED]),
        counted=desk.counted,
        waiting=len(desk.waiting),
        scores=scores,
        most=max(scores),
        course=read_course(desk.folder),
    )


async def steer(request: Request) -> Response:
    """Block or boost a host or pattern, or take that back."""
    fields = await posted(request)
    try:
        changing.steer(request.app.state.desk, fields.get("pattern", "").strip(), fields.get("action", ""))
    except UsageError as error:
        raise HTTPException(400, str(error)) from error
    return RedirectResponse("/frontier", 303)
