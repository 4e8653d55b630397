"""A change of layout before and after: the blocks of both versions as pictures, the pages, the rule."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from haenyeo.model.pages import Block
from haenyeo.web.desk import Desk
from haenyeo.web.plots import DrawnOutline, outlines
from haenyeo.web.plots.outline import OutlinePiece
from haenyeo.web.queries.layouts import LayoutComparison, layout_comparison
from haenyeo.web.render import page

PIECES = 2000  # blocks of a page that are compared


def before_and_after(request: Request) -> Response:
    """The view of one change of layout, or of one repair."""
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        shown = layout_comparison(store, request.path_params["number"])
    name = request.path_params["name"]
    return page(request, "before_after.html", view="sites", name=name, shown=shown, outlines=_drawn(shown))


def _drawn(shown: LayoutComparison) -> Sequence[DrawnOutline]:
    """The outlines of both versions, what is alike in both marked."""
    if not shown.versions:
        return ()
    before, after = (_pieces(version.blocks) for version in shown.versions)
    return outlines(before, after)


def _pieces(blocks: Sequence[Block]) -> list[OutlinePiece]:
    return [OutlinePiece(tuple(filter(None, block.path.split(">"))), block.text) for block in blocks[:PIECES]]
