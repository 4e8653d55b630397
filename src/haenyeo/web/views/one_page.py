"""One page: what it says and what was left out, why it is here, its versions, who links to it."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from haenyeo.model.errors import StoreError
from haenyeo.web.changing import judge, take_back
from haenyeo.web.desk import Desk
from haenyeo.web.queries import one_page as queries
from haenyeo.web.queries.originals import SANDBOX, harmless
from haenyeo.web.render import page
from haenyeo.web.views.form import posted

MOST_INLINKS = 50
MOST_VISITS = 50


def one_page(request: Request) -> Response:
    """The whole view."""
    desk: Desk = request.app.state.desk
    asked = request.query_params
    with desk.reading() as store:
        shown = queries.page_numbered(store, request.path_params["number"])
        visits = store.visits(shown.url)
        blocks, trouble = queries.blocks_of(store, shown)
        return page(
            request,
            "page.html",
            view="pages",
            page=shown,
            visits=visits[-MOST_VISITS:],
            blocks=blocks,
            trouble=trouble,
            led_here=queries.link_followed(store, visits),
            versions=queries.versions_of(store, shown, asked.get("older", ""), asked.get("newer", "")),
            reasons=desk.mind.why_page(shown, store),
            said=queries.said_of(store, shown.url) | _said_just_now(asked),
            topics=list(desk.settings.topic),
            heard=asked.get("heard", ""),
            later="later" in asked,
            undone="undone" in asked,
            more=_number(asked.get("more", "")),
            fewer=_number(asked.get("fewer", "")),
        )


def _said_just_now(asked: Mapping[str, str]) -> dict[str, bool]:
    """The verdict that a crawl under way has yet to take up, by topic; the store does not have it before."""
    told = asked.keys() >= {"heard", "later"} and asked["later"] != "undo"
    return {asked["heard"]: asked["later"] == "yes"} if told else {}


def _number(given: str) -> int:
    return int(given) if given.isdecimal() else 0


def by_address(request: Request) -> Response:
    """Leads to the view of the page at an address."""
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        shown = queries.page_at(store, request.query_params.get("url", ""))
    return RedirectResponse(f"/pages/{shown.id}", 303)


def original(request: Request) -> Response:
    """The page as it was received, in a sandbox that runs nothing and loads nothing."""
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        shown = queries.page_numbered(store, request.path_params["number"])
        try:
            html = queries.original_html(store, shown, request.query_params.get("visit", ""))
        except StoreError as error:
            raise HTTPException(404, str(error)) from error
    return HTMLResponse(harmless(html), headers={"content-security-policy": SANDBOX})


def inlinks(request: Request) -> Response:
    """The pages that link here; looked up when the view asks, because all links must be looked through."""
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        links = store.inlinks(queries.page_numbered(store, request.path_params["number"]).url)
    return page(request, "parts/inlinks.html", links=links[:MOST_INLINKS], total=len(links))


async def judged(request: Request) -> Response:
    """The user says whether the page is on the topic; the answer leads back to the buttons, and says it was heard."""
    fields = await posted(request)
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        shown = queries.page_numbered(store, request.path_params["number"])
    topic = fields.get("topic", "")
    word = fields.get("verdict")
    if topic not in desk.settings.topic or word not in ("yes", "no", "undo"):
        raise HTTPException(400, "say yes or no to one of the collection's topics")
    done = take_back(desk, shown.url, topic) if word == "undo" else judge(desk, shown.url, topic, good=word == "yes")
    said = {"heard": topic} if done.taken_up else {"heard": topic, "later": word}
    said |= {"more": str(done.now_kept), "fewer": str(done.no_longer_kept)} if done.taken_up else {}
    said |= {"undone": "1"} if done.undone else {}
    place = list(desk.settings.topic).index(topic) + 1
    return RedirectResponse(f"/pages/{shown.id}?{urlencode(said)}#verdict-{place}", 303)
