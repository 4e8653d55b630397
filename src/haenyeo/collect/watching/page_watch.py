"""What a visit tells: content changed or not, layout changed or not, records taken; all of it for one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from haenyeo.collect.watching.archived import LARGEST
from haenyeo.collect.watching.changes import Change, ContentChanged, LayoutChanged, RuleRepaired, stored
from haenyeo.collect.watching.layouts import Layouts, Reference
from haenyeo.collect.watching.shelf import Sheet, Shelf
from haenyeo.html.charset import decode
from haenyeo.html.urls import site_of
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer
from haenyeo.store import NewEvent, NewRow, PartState, Store, StoredPage
from haenyeo.watch.addresses import template_of
from haenyeo.watch.compare import Watcher
from haenyeo.watch.content import compare_texts

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


NOTHING_SEEN = Watched()


class PageWatch:
    """Looks at every page that is visited; a first visit costs next to nothing unless a rule is for the page."""

    def __init__(self, store: Store, watcher: Watcher) -> None:
        self.shelf = Shelf(store)
        self.layouts = Layouts(store, watcher)

    def look(self, answer: Answer, text: str, before: StoredPage | None) -> Watched:
        """What a page that was read tells, in the light of what was stored of it before."""
        url, at = answer.final_url, _moment(answer)
        known = before if before is not None and before.url == url and before.fetched_at else None
        if known is None:
            states = self.layouts.first_visit(url, at)
            if not self.shelf.for_page(url):
                return Watched(states=states) if states else NOTHING_SEEN
            taken = self.shelf.take(Sheet(url, _html(answer), at))
            return _watched(taken.told, [*states, *taken.states], taken.rows, at)
        return self._look_again(answer, text, known)

    def _look_again(self, answer: Answer, text: str, before: StoredPage) -> Watched:
        url, at, html = answer.final_url, _moment(answer), _html(answer)
        assert before.fetched_at is not None
        compared = self.layouts.next_visit(url, html, Reference(url, before.fetched_at), at)
        taken = self.shelf.take(Sheet(url, html, at, same_layout=not compared.changed))
        repaired = any(isinstance(change, RuleRepaired) for change in taken.told)
        layout = None if repaired else _regraded(compared.told, taken.broken, url)
        redesigned = repaired or (compared.told is not None and compared.told.grade == "alarm")
        content = _content(url, before.text, text, redesigned=redesigned)
        told = [*([content] if content else []), *([layout] if layout else []), *taken.told]
        return _watched(told, [*compared.states, *taken.states], taken.rows, at)


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


def _content(url: Url, old: str, new: str, *, redesigned: bool) -> ContentChanged | None:
    """The change of the page's text; a redesign puts other words around the same content, which is no change of it."""
    change = compare_texts(old, new)
    if not change.changed or (redesigned and _still_said(old, new)):
        return None
    return ContentChanged(
        url=url,
        site=site_of(url),
        share=change.share,
        lines=change.lines,
        added=change.added,
        removed=change.removed,
    )


def _still_said(old: str, new: str) -> bool:
    before, after = Counter(old.split()), Counter(new.split())
    return (before & after).total() >= STILL_SAID * min(before.total(), after.total())
