"""A change of layout before and after: the blocks of both versions as pictures, the pages, the rule."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from haenyeo.collect.adapters.watching.archived import html_of
from haenyeo.collect.adapters.watching.changes import RuleRepaired, restored
from haenyeo.html.parse import parse_html
from haenyeo.model.errors import MarkupError
from haenyeo.model.pages import Url
from haenyeo.store import Store, StoredEvent, StoredPage, StoredVisit
from haenyeo.web.desk import Desk
from haenyeo.web.happenings import Happening, happening
from haenyeo.web.plots import Outline, outlines
from haenyeo.web.plots.outline import Piece
from haenyeo.web.render import page

LARGEST_NUMBER = 2**63 - 1
PIECES = 2000  # blocks of a page that are compared
BROUGHT = ("page", "duplicate")


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One of two versions of a page."""

    visit: StoredVisit
    outline: Outline


class BeforeAfter(msgspec.Struct, frozen=True, kw_only=True):
    """What changed; without `sides` the archive lacks one of the versions."""

    told: Happening
    page: StoredPage | None
    sides: tuple[Side, ...] = ()
    repair: RuleRepaired | None = None


def before_and_after(request: Request) -> Response:
    """The view of one change of layout, or of one repair."""
    desk: Desk = request.app.state.desk
    number = request.path_params["number"]
    with desk.reading() as store:
        shown = _compared(store, _event(store, number))
    return page(request, "before_after.html", view="sites", name=request.path_params["name"], shown=shown)


def _event(store: Store, number: int) -> StoredEvent:
    found = next(store.events(after=number - 1), None) if 0 < number <= LARGEST_NUMBER else None
    if found is None or found.id != number or found.kind not in ("layout", "repair"):
        raise HTTPException(404, "there is no change of layout of this number")
    return found


def _compared(store: Store, event: StoredEvent) -> BeforeAfter:
    change = restored(event)
    repair = change if isinstance(change, RuleRepaired) else None
    told, sides = happening(event), tuple[Side, ...]()
    for url in dict.fromkeys((event.url, *(repair.checked_on if repair else ()))):
        sides = _sides(store, _versions(store, url, event.at))
        if sides:
            told = msgspec.structs.replace(told, url=url)
            break
    return BeforeAfter(told=told, page=store.page(told.url), sides=sides, repair=repair)


def _versions(store: Store, url: str, at: datetime) -> list[StoredVisit]:
    """The last visit up to a time that brought a page, and the one before it that brought another."""
    brought = [visit for visit in store.visits(url) if visit.archive and visit.outcome in BROUGHT and visit.at <= at]
    older = [visit for visit in brought if visit.digest != brought[-1].digest]
    return [*older[-1:], *brought[-1:]]


def _sides(store: Store, visits: Sequence[StoredVisit]) -> tuple[Side, ...]:
    """Both versions as pictures; nothing when there are not two that can be read."""
    pages = [html_of(store, visit) for visit in visits]
    if len(pages) != 2 or None in pages:  # noqa: PLR2004 - before and after
        return ()
    before, after = (_pieces(html or "", visit.url) for html, visit in zip(pages, visits, strict=True))
    drawn = outlines(before, after)
    return tuple(Side(visit=visit, outline=outline) for visit, outline in zip(visits, drawn, strict=True))


def _pieces(html: str, url: str) -> list[Piece]:
    try:
        blocks = parse_html(html, Url(url)).blocks
    except MarkupError:
        return []
    return [Piece(tuple(filter(None, block.path.split(">"))), block.text) for block in blocks[:PIECES]]
