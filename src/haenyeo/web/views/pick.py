"""Picking fields: the page as it is stored, to be clicked in, and the rows that a rule learnt from the clicks takes."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from haenyeo.model.errors import StoreError
from haenyeo.web.changing import save_picked
from haenyeo.web.desk import Desk
from haenyeo.web.queries.one_page import original_html, page_numbered
from haenyeo.web.queries.originals import PICKABLE, harmless
from haenyeo.web.queries.picking import picked_fields, preview_of
from haenyeo.web.render import page
from haenyeo.web.views.form import posted


def pick(request: Request) -> Response:
    """The page to click in, the fields picked so far, and their rows."""
    desk: Desk = request.app.state.desk
    fields = picked_fields(request.query_params)
    with desk.reading() as store:
        shown = page_numbered(store, request.path_params["number"])
        preview = preview_of(store, shown, fields)
    return page(request, "pick.html", view="records", page=shown, fields=fields, preview=preview)


def rows(request: Request) -> Response:
    """The rows alone, asked for after every click."""
    desk: Desk = request.app.state.desk
    fields = picked_fields(request.query_params)
    with desk.reading() as store:
        preview = preview_of(store, page_numbered(store, request.path_params["number"]), fields)
    return page(request, "parts/picked_rows.html", fields=fields, preview=preview)


def pickable(request: Request) -> Response:
    """The page as it was received, where the dashboard may see what is clicked, and nothing runs or loads."""
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        shown = page_numbered(store, request.path_params["number"])
        try:
            html = original_html(store, shown)
        except StoreError as error:
            raise HTTPException(404, str(error)) from error
    return HTMLResponse(harmless(html), headers={"content-security-policy": PICKABLE})


async def save(request: Request) -> Response:
    """Make a rule of the picked fields; its records are taken from the stored page, without a request."""
    given = await posted(request)
    state = request.app.state
    with state.desk.reading() as store:
        shown = page_numbered(store, request.path_params["number"])
    save_picked(state.desk, state.crawler, shown, picked_fields(given))
    return RedirectResponse("/records", 303)
