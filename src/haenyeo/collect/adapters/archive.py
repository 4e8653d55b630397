"""Pages as the archive has them: the last version, that of a time, or that of a visit. Nobody else reads the archive.

What a visit brought is its own response; a visit that confirmed an earlier copy stands for that copy's response.
"""

from __future__ import annotations

from datetime import datetime

from haenyeo.fetch.bodies import unpack
from haenyeo.html.charset import decode
from haenyeo.html.mime import essence
from haenyeo.html.parse import parse_html, parse_page
from haenyeo.model.errors import MarkupError, StoreError
from haenyeo.model.pages import Markup
from haenyeo.model.visits import Found, Outcome
from haenyeo.read.markdown.pages import as_html, is_markdown
from haenyeo.store import Store, StoredPage, StoredVisit

LARGEST = 16 << 20
"""Bytes of a page that are read again; what is longer was cut there."""

_WITH_CONTENT = frozenset({Outcome.PAGE, Outcome.DUPLICATE, Outcome.UNCHANGED})
_OTHER_TEXT = frozenset({Found.NEW, Found.NEAR_TEXT, Found.CHANGED})


def archived_html(store: Store, url: str, at: datetime | None = None, *, most: int = LARGEST) -> str | None:
    """The page as it was at a time, or as it was seen last, up to `most` bytes; None if the archive has none."""
    visits = _visits(store, url)
    fitting = [visit for visit in visits if at is None or visit.at <= at] or visits[:1]
    return html_of(store, fitting[-1], most=most) if fitting else None


def html_of(store: Store, visit: StoredVisit, *, most: int = LARGEST) -> str | None:
    """The page that a visit brought or confirmed; None when it cannot be read any more."""
    found = body_of(store, visit, most=most)
    if not found:
        return None
    text = decode(*found)
    return as_html(text) if is_markdown(found[1], visit.url) else text


def body_of(store: Store, visit: StoredVisit, *, most: int = LARGEST) -> tuple[bytes, str] | None:
    """The bytes that a visit brought or confirmed, content coding undone, and their Content-Type; None if lost."""
    try:
        response = store.payload(visit)
    except StoreError:
        return None
    body = unpack(response.body, response.header("content-encoding"), most).data
    labels = [value for name, value in response.headers if name.lower() == "content-type"]
    return (body, next((label for label in reversed(labels) if essence(label)), "")) if body else None


def archived_markup(store: Store, page: StoredPage) -> Markup | None:
    """The page as it was seen last, parsed; None when the archive does not have it or it cannot be parsed."""
    visits = _visits(store, page.url)
    found = body_of(store, visits[-1]) if visits else None
    if found is None:
        return None
    if is_markdown(found[1], page.url):
        return parse_html(as_html(decode(*found)), page.url)
    try:
        return parse_page(found[0], page.url, page.content_type)
    except MarkupError:
        return None


def versions(store: Store, url: str) -> list[StoredVisit]:
    """The visits that brought another text than the one before, first to last."""
    return [visit for visit in _visits(store, url) if visit.found in _OTHER_TEXT]


def _visits(store: Store, url: str) -> list[StoredVisit]:
    """The visits that brought or confirmed content, first to last."""
    return [visit for visit in store.visits(url) if visit.outcome in _WITH_CONTENT and visit.archive]
