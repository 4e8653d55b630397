"""What a visit tells: content changed or not, layout changed or not, records taken; all of it for one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from haenyeo.collect.adapters.watching.changes import (
    Change,
    ContentChanged,
    LayoutChanged,
    ReadingRelearned,
    RuleRepaired,
    stored,
)
from haenyeo.collect.adapters.watching.coordinator import Coordinator
from haenyeo.collect.adapters.watching.layouts import LARGEST, Comparison, Layouts, Reference
from haenyeo.collect.adapters.watching.redesigns import Noted, Redesigns
from haenyeo.collect.adapters.watching.shelf import Sheet, Shelf
from haenyeo.html.charset import decode
from haenyeo.html.urls import site_of
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer
from haenyeo.store import NewEvent, NewRow, PartState, Store, StoredPage
from haenyeo.watch.address_patterns import template_of
from haenyeo.watch.compare import Watcher

if TYPE_CHECKING:
    from haenyeo.watch.content import ContentChange

STILL_SAID = 0.7
"""Share of a text's words that must be found again after a redesign for its content to be the same."""


class Watched(NamedTuple):
    """What a visit caused, for the store, and what to tell those who listen."""

    told: Sequence[Change] = ()
    events: Sequence[NewEvent] = ()
    states: Sequence[PartState] = ()
    rows: Sequence[NewRow] = ()

    @property
    def content_changed(self) -> bool:
        """Does the page say something else than before?"""
        return any(isinstance(change, ContentChanged) for change in self.told)


class Glance(NamedTuple):
    """How a page looks, before it is read; `before` is what was stored of it, None on a first visit."""

    before: StoredPage | None = None
    html: str = ""
    compared: Comparison = Comparison()
    noted: Noted = Noted()


class Reading(NamedTuple):
    """A page's text, and how to get the earlier and the present text both read with what is known now, if that can be.

    The second is asked for only when the text is not the stored one.
    """

    text: str
    alike: Callable[[], tuple[str, str] | None] = lambda: None


NOTHING_SEEN = Watched()
FIRST_GLANCE = Glance()


class PageWatch:
    """Looks at every page that is visited; a first visit costs next to nothing unless a rule is for the page."""

    def __init__(self, store: Store, watcher: Watcher) -> None:
        self.shelf = Shelf(store)
        self.layouts = Layouts(store, watcher)
        self.redesigns = Redesigns(store)
        self.coordinator = Coordinator(store, watcher)

    def glance(self, answer: Answer, before: StoredPage | None) -> Glance:
        """How a page looks before it is read, in the light of what was stored of it before."""
        url, at = answer.final_url, _moment(answer)
        if before is None or before.url != url or before.fetched_at is None:
            return FIRST_GLANCE
        html, earlier = _html(answer), Reference(url, before.fetched_at)
        compared = self.layouts.next_visit(url, html, earlier, at)
        noted = self.redesigns.note(site_of(url), Reference(url, at), earlier, alarm=compared.alarm)
        return Glance(before, html, compared, noted)

    def look(self, answer: Answer, read: Reading, glance: Glance, forgotten: tuple[str, ...] = ()) -> Watched:
        """What a page that was read tells; `forgotten` are the containers of its site that no longer hold."""
        url, at = answer.final_url, _moment(answer)
        if glance.before is None:
            states = self.layouts.first_visit(url, at)
            if not self.shelf.for_page(url):
                return Watched(states=states) if states else NOTHING_SEEN
            taken = self.shelf.take(Sheet(url, _html(answer), at))
            return _watched(taken.told, [*states, *taken.states], taken.rows, at)
        compared, first = glance.compared, glance.noted.first
        taken = self.shelf.take(Sheet(url, glance.html, at, same_layout=not compared.changed))
        repaired = any(isinstance(change, RuleRepaired) for change in taken.told)
        layout = None if repaired else _regraded(compared.told, taken.broken, url)
        content = _content(url, glance.before.text, read, redesigned=repaired or compared.alarm)
        anew = _relearned(url, first, forgotten)
        told = [change for change in (content, layout, *taken.told, anew) if change is not None]
        return _watched(told, [*compared.states, *glance.noted.states, *taken.states], taken.rows, at)


def _watched(told: Sequence[Change], states: Sequence[PartState], rows: Sequence[NewRow], at: datetime) -> Watched:
    return Watched(told, [stored(change, at) for change in told], states, rows)


def _moment(answer: Answer) -> datetime:
    return answer.hops[-1].at if answer.hops else datetime.now(UTC)


def _html(answer: Answer) -> str:
    return decode(answer.body[:LARGEST], answer.content_type)


def _regraded(layout: LayoutChanged | None, broken: tuple[str, ...] | None, url: Url) -> LayoutChanged | None:
    """The grade in the light of the page's rules: they know best whether what we take is still there."""
    if broken:
        if layout is None:
            return LayoutChanged(
                url=url, site=site_of(url), template=template_of(url), grade="alarm", score=1.0, why=broken
            )
        return msgspec.structs.replace(layout, grade="alarm", why=(*broken, *layout.why))
    if broken == () and layout is not None:
        return msgspec.structs.replace(layout, grade="notice")
    return layout


def _relearned(url: Url, first: Reference | None, forgotten: tuple[str, ...]) -> ReadingRelearned | None:
    if first is None or not forgotten:
        return None
    return ReadingRelearned(url=url, site=site_of(url), containers=forgotten, checked_on=(first.url, url))


def _content(url: Url, stored: str, read: Reading, *, redesigned: bool) -> ContentChanged | None:
    """The change of the page's text; a redesign puts other words around the same content, which is no change of it.

    Nor is it one when the two versions, read alike, say the same: then the site is only known better by now.
    """
    change = _difference(stored, read.text, redesigned=redesigned)
    alike = read.alike() if change else None
    if alike is not None:
        change = _difference(*alike, redesigned=redesigned)
    if change is None:
        return None
    return ContentChanged(
        url=url,
        site=site_of(url),
        share=change.share,
        lines=change.lines,
        added=change.added,
        removed=change.removed,
    )


def _difference(old: str, new: str, *, redesigned: bool) -> ContentChange | None:
    from haenyeo.watch.content import compare_texts  # no first visit needs it

    change = compare_texts(old, new)
    return None if not change.changed or (redesigned and _still_said(old, new)) else change


def _still_said(old: str, new: str) -> bool:
    before, after = Counter(old.split()), Counter(new.split())
    return (before & after).total() >= STILL_SAID * min(before.total(), after.total())
