"""Changes for programs that read feeds."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from haenyeo.collect.exporting.feed import MEDIA_TYPE, atom_feed, latest_changes
from haenyeo.web.desk import Desk


def feed(request: Request) -> Response:
    """The latest changes of the collection as an Atom feed; `kind` in the address names the kinds to be given."""
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        changes = latest_changes(store, kinds=request.query_params.getlist("kind"))
    return Response(atom_feed(desk.folder.absolute().name, changes), media_type=MEDIA_TYPE)
