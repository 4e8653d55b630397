"""Lists of pages: newest, best, or what a search has found."""

from __future__ import annotations

from urllib.parse import urlencode

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from haenyeo.model.pages import KINDS
from haenyeo.web.desk import Desk
from haenyeo.web.queries.listing import PageQuestion, listing
from haenyeo.web.render import is_fragment, page

SHOWN = 20
LATEST_OFFSET = 10_000


def pages(request: Request) -> Response:
    """The list, or only its rows when the search box asks."""
    desk: Desk = request.app.state.desk
    question = question_in(dict(request.query_params))
    return page(
        request,
        "parts/pages.html" if is_fragment(request) else "pages.html",
        view="pages",
        asked=question,
        found=listing(desk, question),
        shown=SHOWN,
        address_at=lambda offset: address(question, offset),
        kinds=KINDS,
        languages=sorted(filter(None, desk.columns.languages)),
        topics=list(desk.settings.topic),
        behind=desk.index_behind,
    )


def question_in(given: dict[str, str]) -> PageQuestion:
    """The question in an address; what makes no sense is left out."""
    known = {
        key: value.strip()
        for key, value in given.items()
        if key in PageQuestion.__struct_fields__ and key not in ("offset", "limit")
    }
    offset = given.get("offset", "")
    return PageQuestion(**known, offset=min(int(offset), LATEST_OFFSET) if offset.isdecimal() else 0, limit=SHOWN)


def address(question: PageQuestion, offset: int) -> str:
    """The address of the same question from another place of the list on."""
    given = msgspec.structs.asdict(question) | {"offset": offset}
    return "/pages?" + urlencode({key: value for key, value in given.items() if value and key != "limit"})
