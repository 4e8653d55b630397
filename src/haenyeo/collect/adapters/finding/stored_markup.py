"""A page that was read before, parsed again from the archive."""

from __future__ import annotations

from haenyeo.fetch.bodies import unpack
from haenyeo.html.parse import parse_page
from haenyeo.model.errors import MarkupError, StoreError
from haenyeo.model.pages import Markup
from haenyeo.store import Store, StoredPage

_LARGEST = 16 * 1024 * 1024


def stored_markup(store: Store, page: StoredPage) -> Markup | None:
    """The page as the archive has it; None if it cannot be had or read."""
    try:
        visits = [visit for visit in store.visits(page.url) if visit.archive]
        response = store.response(visits[-1])
        body = unpack(response.body, response.header("content-encoding"), _LARGEST)
        return parse_page(body.data, page.url, page.content_type)
    except (IndexError, StoreError, MarkupError):
        return None
