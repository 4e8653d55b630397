"""A change of layout or content: what was told of it, the page before and after it, and the repair it caused."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from haenyeo.collect.adapters.archive import html_of
from haenyeo.collect.adapters.watching.changes import RuleRepaired, restored
from haenyeo.html.parse import parse_html
from haenyeo.model.errors import MarkupError, NotThereError
from haenyeo.model.pages import Block, Url
from haenyeo.store import Store, StoredEvent, StoredPage, StoredVisit
from haenyeo.web.queries.happenings import Happening, happening
from haenyeo.web.queries.originals import BROUGHT

COMPARED = ("layout", "repair", "content")
"""Kinds of changes whose pages can be shown before and after."""
LARGEST_NUMBER = 2**63 - 1


class VersionBlocks(msgspec.Struct, frozen=True, kw_only=True):
    """One of two versions of a page, block by block."""

    visit: StoredVisit
    blocks: Sequence[Block]


class LayoutComparison(msgspec.Struct, frozen=True, kw_only=True):
    """What changed; `versions` are the page before and after, or nothing if the archive lacks one of them."""

    told: Happening
    page: StoredPage | None
    versions: Sequence[VersionBlocks] = ()
    repair: RuleRepaired | None = None


def layout_comparison(store: Store, number: int) -> LayoutComparison:
    """The change or the repair that was told in the event of this number; raises `NotThereError`."""
    event = _event(store, number)
    change = restored(event)
    repair = change if isinstance(change, RuleRepaired) else None
    told, versions = happening(event), tuple[VersionBlocks, ...]()
    for url in dict.fromkeys((event.url, *(repair.checked_on if repair else ()))):
        versions = _blocks(store, _visits(store, url, event.at))
        if versions:
            told = msgspec.structs.replace(told, url=url)
            break
    return LayoutComparison(told=told, page=store.page(told.url), versions=versions, repair=repair)


def _event(store: Store, number: int) -> StoredEvent:
    found = next(store.events(after=number - 1), None) if 0 < number <= LARGEST_NUMBER else None
    if found is None or found.id != number or found.kind not in COMPARED:
        raise NotThereError("there is no change of this number to compare")
    return found


def _visits(store: Store, url: str, at: datetime) -> list[StoredVisit]:
    """The last visit up to a time that brought a page, and the one before it that brought another."""
    brought = [visit for visit in store.visits(url) if visit.archive and visit.outcome in BROUGHT and visit.at <= at]
    older = [visit for visit in brought if visit.digest != brought[-1].digest]
    return [*older[-1:], *brought[-1:]]


def _blocks(store: Store, visits: Sequence[StoredVisit]) -> tuple[VersionBlocks, ...]:
    """Both versions; nothing when there are not two that can be read."""
    pages = [html_of(store, visit) for visit in visits]
    if len(pages) != 2 or None in pages:  # noqa: PLR2004 - before and after
        return ()
    return tuple(
        VersionBlocks(visit=visit, blocks=_parsed(html or "", visit.url))
        for html, visit in zip(pages, visits, strict=True)
    )


def _parsed(html: str, url: str) -> Sequence[Block]:
    try:
        return parse_html(html, Url(url)).blocks
    except MarkupError:
        return ()
