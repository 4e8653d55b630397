"""What is under watch, and changes for programs that read feeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from haenyeo.collect.adapters.watching.changes import Change
from haenyeo.collect.exporting.feed import MEDIA_TYPE, RSS_MEDIA_TYPE, atom_feed, latest_changes, rss_feed
from haenyeo.store import StoredEvent
from haenyeo.web.desk import Desk
from haenyeo.web.queries.watched import under_watch
from haenyeo.web.render import page

Feed = Callable[[str, Sequence[tuple[StoredEvent, Change]]], bytes]


def watched(request: Request) -> Response:
    """The pages and result lists under watch, how each is, and their latest changes."""
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        found = under_watch(store, desk.events)
    return page(request, "watched.html", view="watched", **msgspec.structs.asdict(found))


def feed(request: Request) -> Response:
    """The latest changes of the collection as an Atom feed; `kind` in the address names the kinds to be given."""
    return _feed(request, atom_feed, MEDIA_TYPE)


def rss(request: Request) -> Response:
    """The same as an RSS feed."""
    return _feed(request, rss_feed, RSS_MEDIA_TYPE)


def _feed(request: Request, write: Feed, media: str) -> Response:
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        changes = latest_changes(store, kinds=request.query_params.getlist("kind"))
    return Response(write(desk.folder.absolute().name, changes), media_type=media)
