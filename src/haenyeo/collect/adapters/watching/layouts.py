"""Has the layout of this kind of page changed? The archive has the pages to compare with, so visits cost nothing more.

In a first crawl only the addresses of a few pages of each kind (a template of addresses) are written down. When a page
is visited again, its earlier version and those pages that were laid out like it are the references. A layout that
another page of the kind has been seen with since is known, so a redesign is told once, not for every page.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from haenyeo.collect.adapters.archive import archived_html
from haenyeo.collect.adapters.watching.changes import Grade, LayoutChanged
from haenyeo.html.urls import site_of
from haenyeo.model.pages import Url
from haenyeo.store import PartState, Store
from haenyeo.watch.address_patterns import template_of
from haenyeo.watch.compare import Watcher
from haenyeo.watch.layout import Layout, LayoutChange, PageLayout, describe_layout

PART = "layouts"
REFERENCES = 3
"""Pages of a kind that are remembered."""
NOTICES = 8
"""Notices of a kind that are remembered, so that each is told once."""
LARGEST = 3 << 20
"""Bytes of a page that are looked at for its layout."""
KINDS_IN_MEMORY, LAYOUTS_IN_MEMORY = 5_000, 64  # a kind takes about a kilobyte


class Reference(msgspec.Struct, frozen=True, array_like=True):
    """A page as it was at a time."""

    url: Url
    at: datetime


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """What is remembered of pages with one template: some of them, the latest last, and what was told of them."""

    pages: tuple[Reference, ...] = ()
    notices: tuple[str, ...] = ()
    changes: int = 0
    changed_at: datetime | None = None


_NEW_KIND = Kind()
_encoder, _decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Kind)


class Comparison(NamedTuple):
    """What became of a page's layout: whether it `changed`, so much as to be an `alarm`, and what is worth telling."""

    changed: bool = False
    alarm: bool = False
    told: LayoutChanged | None = None
    states: Sequence[PartState] = ()


class Layouts:
    """The layouts of all kinds of pages, each told apart by its template."""

    def __init__(self, store: Store, watcher: Watcher) -> None:
        self._store, self._watcher = store, watcher
        self._kinds: dict[str, Kind] = {}
        self._described: OrderedDict[Reference, PageLayout] = OrderedDict()

    def first_visit(self, url: Url, at: datetime) -> Sequence[PartState]:
        """Remember a page that was never seen before, if its kind needs more references."""
        template = template_of(url)
        kind = self.kind(template)
        if len(kind.pages) >= REFERENCES:
            return ()
        return [self._keep(template, msgspec.structs.replace(kind, pages=(*kind.pages, Reference(url, at))))]

    def next_visit(self, url: Url, html: str, before: Reference, at: datetime) -> Comparison:
        """What changed in the layout since the page was seen before; nothing when that version is not archived."""
        template = template_of(url)
        kind = self.kind(template)
        old = self._layout(before)
        if old is None or len(html) > LARGEST:
            return Comparison()
        [new] = describe_layout([html]).pages
        change = self._compared(kind, before, old, new)
        told = _grade(change)
        if told == "alarm" and self._is_known(kind, before, new):
            told = None
        if told == "notice" and _signature(change) in kind.notices:
            told = None
        kind = _updated(kind, url, at, change if told else None)
        self._remember(Reference(url, at), new)
        event = LayoutChanged(
            url=url, site=site_of(url), template=template, grade=told or "notice", score=change.score, why=change.why
        )
        return Comparison(
            _grade(change) is not None, change.alarm, event if told else None, [self._keep(template, kind)]
        )

    def kind(self, template: str) -> Kind:
        """What is remembered of a template."""
        kind = self._kinds.get(template)
        if kind is None:
            value = self._store.state(PART, template)
            kind = _decoder.decode(value) if value else _NEW_KIND
            self._at_hand(template, kind)
        return kind

    def _compared(self, kind: Kind, before: Reference, old: PageLayout, new: PageLayout) -> LayoutChange:
        """The page against its earlier version together with pages laid out alike."""
        alike = [layout for layout in self._others(kind, before.url) if not self._alarms(old, layout)]
        return self._watcher.compare(Layout(pages=(old, *alike)), Layout(pages=(new,)))

    def _is_known(self, kind: Kind, before: Reference, new: PageLayout) -> bool:
        """Whether another page of the kind has been seen with this layout since."""
        later = [page for page in kind.pages if page.url != before.url and page.at > before.at]
        return any(not self._alarms(layout, new) for page in later if (layout := self._layout(page)))

    def _others(self, kind: Kind, url: Url) -> list[PageLayout]:
        found = [self._layout(page) for page in kind.pages if page.url != url]
        return [layout for layout in found if layout is not None]

    def _alarms(self, old: PageLayout, new: PageLayout) -> bool:
        return self._watcher.compare(Layout(pages=(old,)), Layout(pages=(new,))).alarm

    def _layout(self, page: Reference) -> PageLayout | None:
        """The page's layout at that time, described anew from the archive if it is not at hand."""
        if page in self._described:
            self._described.move_to_end(page)
            return self._described[page]
        html = archived_html(self._store, page.url, page.at, most=LARGEST)
        if html is None:
            return None
        [layout] = describe_layout([html]).pages
        self._remember(page, layout)
        return layout

    def _remember(self, page: Reference, layout: PageLayout) -> None:
        self._described[page] = layout
        while len(self._described) > LAYOUTS_IN_MEMORY:
            self._described.popitem(last=False)

    def _keep(self, template: str, kind: Kind) -> PartState:
        self._at_hand(template, kind)
        return PartState(part=PART, key=template, value=_encoder.encode(kind))

    def _at_hand(self, template: str, kind: Kind) -> None:
        if len(self._kinds) >= KINDS_IN_MEMORY:
            self._kinds.clear()
        self._kinds[template] = kind


def _grade(change: LayoutChange) -> Grade | None:
    return "alarm" if change.alarm else "notice" if change.notice else None


def _signature(change: LayoutChange) -> str:
    """What a notice is about, numbers left out."""
    finding = change.why[0] if change.why else ""
    return "".join(character for character in finding if not character.isdigit())[:120]


def _updated(kind: Kind, url: Url, at: datetime, told: LayoutChange | None) -> Kind:
    """The kind with this page as its latest, and with what was told."""
    pages = (*(page for page in kind.pages if page.url != url), Reference(url, at))[-REFERENCES:]
    if told is None:
        return msgspec.structs.replace(kind, pages=pages)
    notices = () if told.alarm else (*kind.notices, _signature(told))[-NOTICES:]
    return Kind(pages=pages, notices=notices, changes=kind.changes + 1, changed_at=at)
