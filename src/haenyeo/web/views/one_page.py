"""One page: what it says and what was left out, why it is here, its versions, who links to it."""

from __future__ import annotations

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from haenyeo.model.errors import StoreError
from haenyeo.store import Inlink, Store, StoredLink, StoredPage, StoredVisit
from haenyeo.web.changing import judge, said_of
from haenyeo.web.desk import Desk
from haenyeo.web.queries import originals
from haenyeo.web.render import page
from haenyeo.web.views.form import posted

MOST_INLINKS = 50
MOST_VISITS = 50


class Versions(msgspec.Struct, frozen=True, kw_only=True):
    """The texts of a page over time and a comparison of two of them."""

    visits: list[StoredVisit]
    older: StoredVisit | None = None
    newer: StoredVisit | None = None
    lines: list[originals.DiffLine] = []


def one_page(request: Request) -> Response:
    """The whole view."""
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        shown = found(store, request)
        visits = store.visits(shown.url)
        blocks, trouble = _blocks(store, shown, visits)
        return page(
            request,
            "page.html",
            view="pages",
            page=shown,
            visits=visits[-MOST_VISITS:],
            blocks=blocks,
            trouble=trouble,
            led_here=_led_here(store, visits),
            versions=_versions(store, shown, request),
            reasons=desk.mind.why_page(shown),
            said=said_of(store, shown.url),
            topics=list(desk.settings.topic),
        )


def by_address(request: Request) -> Response:
    """Leads to the view of the page at an address."""
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        shown = store.page(request.query_params.get("url", ""))
    if shown is None:
        raise HTTPException(404, "there is no page of this address")
    return RedirectResponse(f"/pages/{shown.id}", 303)


def original(request: Request) -> Response:
    """The page as it was received, in a sandbox that runs nothing and loads nothing."""
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        shown = found(store, request)
        try:
            html = originals.html_of(store, _visit_asked(store, shown, request.query_params.get("visit", "")))
        except StoreError as error:
            raise HTTPException(404, str(error)) from error
    return HTMLResponse(originals.harmless(html), headers={"content-security-policy": originals.SANDBOX})


def inlinks(request: Request) -> Response:
    """The pages that link here; looked up when the view asks, because all links must be looked through."""
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        shown = found(store, request)
        links: list[Inlink] = store.inlinks(shown.url)
    return page(request, "parts/inlinks.html", links=links[:MOST_INLINKS], total=len(links))


async def judged(request: Request) -> Response:
    """The user says whether the page is on the topic."""
    fields = await posted(request)
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        shown = found(store, request)
    topic = fields.get("topic", "")
    if topic not in desk.settings.topic or fields.get("verdict") not in ("yes", "no"):
        raise HTTPException(400, "say yes or no to one of the collection's topics")
    judge(desk, shown.url, topic, good=fields["verdict"] == "yes")
    return RedirectResponse(f"/pages/{shown.id}", 303)


def found(store: Store, request: Request) -> StoredPage:
    """The page of the number in the address; raises 404 if there is none."""
    shown = store.page_numbered(request.path_params["number"])
    if shown is None:
        raise HTTPException(404, "there is no page of this number")
    return shown


def _visit_asked(store: Store, shown: StoredPage, number: str) -> StoredVisit:
    brought = [visit for visit in store.visits(shown.url) if visit.archive and visit.outcome in ("page", "duplicate")]
    chosen = [visit for visit in brought if str(visit.id) == number] or originals.versions(store, shown.url)[-1:]
    if not chosen:
        raise StoreError("the archive has no copy of this page")
    return chosen[0]


def _blocks(store: Store, shown: StoredPage, visits: list[StoredVisit]) -> tuple[list[originals.BlockShown], str]:
    """The page's blocks, or why they cannot be shown."""
    if not visits or "html" not in shown.content_type:
        return [], ""
    try:
        html = originals.html_of(store, _visit_asked(store, shown, ""))
    except StoreError as error:
        return [], str(error)
    return originals.blocks_of(store, shown, html), ""


def _led_here(store: Store, visits: list[StoredVisit]) -> StoredLink | None:
    """The link that was followed to this page first."""
    refs = [visit.ref for visit in visits if visit.ref is not None]
    if not refs:
        return None
    try:
        return store.links(refs[:1])[0]
    except StoreError:
        return None


def _versions(store: Store, shown: StoredPage, request: Request) -> Versions:
    visits = originals.versions(store, shown.url)
    if len(visits) < 2:  # noqa: PLR2004 - a comparison needs two
        return Versions(visits=visits)
    numbers = {str(visit.id): visit for visit in visits}
    newer = numbers.get(request.query_params.get("newer", ""), visits[-1])
    older = numbers.get(request.query_params.get("older", ""), visits[-2])
    try:
        lines = originals.compare(*(originals.text_of(store, shown, visit) for visit in (older, newer)))
    except StoreError:
        lines = []
    return Versions(visits=visits, older=older, newer=newer, lines=lines)
