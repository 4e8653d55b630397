"""One page: what it says and what was left out, how it was found, its versions, what the user said about it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from haenyeo.collect.adapters.archive import versions
from haenyeo.collect.adapters.finding.topics import JUDGED
from haenyeo.model.errors import NotThereError, StoreError
from haenyeo.store import Store, StoredLink, StoredPage, StoredVisit
from haenyeo.web.queries import originals

_verdicts = msgspec.msgpack.Decoder(dict[str, bool])


class PageVersions(msgspec.Struct, frozen=True, kw_only=True):
    """The texts of a page over time and a comparison of two of them."""

    visits: Sequence[StoredVisit]
    older: StoredVisit | None = None
    newer: StoredVisit | None = None
    lines: Sequence[originals.DiffLine] = ()


def page_numbered(store: Store, number: int) -> StoredPage:
    """The page of this number; raises `NotThereError` if there is none."""
    found = store.page_numbered(number)
    if found is None:
        raise NotThereError("there is no page of this number")
    return found


def page_at(store: Store, url: str) -> StoredPage:
    """The page at this address; raises `NotThereError` if there is none."""
    found = store.page(url)
    if found is None:
        raise NotThereError("there is no page of this address")
    return found


def said_of(store: Store, url: str) -> dict[str, bool]:
    """What the user said about a page, by topic."""
    value = store.state(JUDGED, url)
    return _verdicts.decode(value) if value else {}


def original_html(store: Store, page: StoredPage, visit: str = "") -> str:
    """The page as the visit of this number brought it, else as it came last; raises `StoreError` if it is lost."""
    brought = [one for one in store.visits(page.url) if one.archive and one.outcome in originals.BROUGHT]
    chosen = [one for one in brought if str(one.id) == visit] or versions(store, page.url)[-1:]
    if not chosen:
        raise StoreError("the archive has no copy of this page")
    return originals.original(store, chosen[0])


def blocks_of(store: Store, page: StoredPage) -> tuple[Sequence[originals.BlockShown], str]:
    """The page's blocks with what became of each, or why they cannot be shown."""
    if not page.visits or "html" not in page.content_type:
        return (), ""
    try:
        html = original_html(store, page)
    except StoreError as error:
        return (), str(error)
    return originals.blocks_of(store, page, html), ""


def link_followed(store: Store, visits: Sequence[StoredVisit]) -> StoredLink | None:
    """The link that led to the first of these visits that came by a link."""
    refs = [visit.ref for visit in visits if visit.ref is not None]
    if not refs:
        return None
    try:
        return store.links(refs[:1])[0]
    except StoreError:
        return None


def versions_of(store: Store, page: StoredPage, older: str = "", newer: str = "") -> PageVersions:
    """The page's versions; those of the visits `older` and `newer` are compared, else the last two."""
    visits = versions(store, page.url)
    if len(visits) < 2:  # noqa: PLR2004 - a comparison needs two
        return PageVersions(visits=visits)
    numbers = {str(visit.id): visit for visit in visits}
    after, before = numbers.get(newer, visits[-1]), numbers.get(older, visits[-2])
    try:
        lines = originals.compare(*(originals.text_of(store, page, visit) for visit in (before, after)))
    except StoreError:
        lines = []
    return PageVersions(visits=visits, older=before, newer=after, lines=lines)
