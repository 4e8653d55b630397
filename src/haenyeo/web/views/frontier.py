"""What comes next: the links that wait, their scores and the words around them; hosts to block or to boost."""

from __future__ import annotations

import numpy as np
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from haenyeo.collect.links.steering import MOST_RULES, Course, read_course, write_course
from haenyeo.model.errors import UsageError
from haenyeo.web.desk import Desk
from haenyeo.web.render import is_fragment, page
from haenyeo.web.views.form import posted

SHOWN = 30
EXPLAINED = 20  # links shown with reasons
BINS = 20


def frontier(request: Request) -> Response:
    """The view, or its changing part."""
    desk: Desk = request.app.state.desk
    best = dict(desk.waiting.best(SHOWN))
    with desk.reading() as store:
        links = [(link, best[link.ref]) for link in store.links(list(best))]
    counts, _ = np.histogram(desk.waiting.scores, bins=BINS, range=(0.0, 1.0))
    return page(
        request,
        "parts/frontier.html" if is_fragment(request) else "frontier.html",
        view="frontier",
        links=links,
        reasons={link.ref: desk.mind.why_link(link) for link, _ in links[:EXPLAINED]},
        counted=desk.counted,
        waiting=len(desk.waiting),
        scores=counts.tolist(),
        most=int(counts.max()) if len(counts) else 0,
        course=read_course(desk.folder),
    )


async def steer(request: Request) -> Response:
    """Block or boost a host or pattern, or take that back."""
    fields = await posted(request)
    desk: Desk = request.app.state.desk
    pattern, action = fields.get("pattern", "").strip(), fields.get("action", "")
    course = read_course(desk.folder)
    try:
        write_course(desk.folder, changed(course, pattern, action))
    except UsageError as error:
        raise HTTPException(400, str(error)) from error
    return RedirectResponse("/frontier", 303)


def changed(course: Course, pattern: str, action: str) -> Course:
    """The course after this wish; raises `UsageError` when it cannot be meant."""
    if action not in ("block", "boost", "forget") or not pattern:
        raise UsageError("name a host or a pattern, and whether to block or boost it")
    if action == "forget":
        return course.without(pattern)
    if len(course.block) + len(course.boost) >= MOST_RULES:
        raise UsageError(f"there are {MOST_RULES} rules already; take one back first")
    return course.with_rule(pattern, blocks=action == "block")
