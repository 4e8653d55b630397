"""The sites: how the crawl is spread over them, and what is known of each."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from haenyeo.web.desk import Desk
from haenyeo.web.plots import treemap
from haenyeo.web.plots.treemap import NARROW, WIDE
from haenyeo.web.queries import sites as queries
from haenyeo.web.render import page

BOXES, ROWS = 60, 100
ROOMS = {"wide": WIDE, "narrow": NARROW}


def sites(request: Request) -> Response:
    """All sites: a tree map and a table."""
    found = queries.all_sites(request.app.state.desk)
    largest = sorted((site for site in found if site.fetched), key=lambda site: -site.fetched)[:BOXES]
    return page(
        request,
        "sites.html",
        view="sites",
        sites=found[:ROWS],
        total=len(found),
        largest=largest,
        trees=[(name, room, treemap([site.fetched for site in largest], room)) for name, room in ROOMS.items()],
    )


def one_site(request: Request) -> Response:
    """One site: pace, robots.txt, errors, what was learnt of its layout."""
    desk: Desk = request.app.state.desk
    account = queries.one_site(desk, request.path_params["name"])
    return page(request, "site.html", view="sites", **msgspec.structs.asdict(account))
