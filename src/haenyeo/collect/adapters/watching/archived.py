"""Earlier versions of pages, out of the archive."""

from __future__ import annotations

from datetime import datetime

from haenyeo.fetch.bodies import unpack
from haenyeo.html.charset import decode
from haenyeo.model.errors import StoreError
from haenyeo.model.visits import Outcome
from haenyeo.store import Store, StoredVisit

LARGEST = 3 << 20
"""Bytes of a page that are looked at for its layout."""

_WITH_CONTENT = frozenset({Outcome.PAGE, Outcome.DUPLICATE, Outcome.UNCHANGED})


def archived_html(store: Store, url: str, at: datetime | None = None) -> str | None:
    """The page as it was at a time, or as it was seen last; None when the archive does not have it."""
    visits = [visit for visit in store.visits(url) if visit.outcome in _WITH_CONTENT and visit.archive]
    fitting = [visit for visit in visits if at is None or visit.at <= at] or visits[:1]
    return html_of(store, fitting[-1]) if fitting else None


def html_of(store: Store, visit: StoredVisit) -> str | None:
    """The page that a visit brought or confirmed; None when it cannot be read any more."""
    try:
        response = store.payload(visit)
    except StoreError:
        return None
    body = unpack(response.body, response.header("content-encoding"), LARGEST).data
    return decode(body, response.header("content-type")) if body else None


def versions(store: Store, url: str) -> list[StoredVisit]:
    """The visits that brought content other than the one before, first to last."""
    brought = (visit for visit in store.visits(url) if visit.outcome in _WITH_CONTENT and visit.archive)
    return [visit for visit in brought if visit.changed is not False]
