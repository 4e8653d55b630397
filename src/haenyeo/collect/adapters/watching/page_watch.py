"""What a visit tells: content changed or not, layout changed or not, records taken; all of it for one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from haenyeo.collect.adapters.watching.changes import (
    Change,
    ContentChanged,
    LayoutChanged,
    ReadingRelearned,
    RuleRepaired,
    TitleChanged,
    stored,
)
from haenyeo.collect.adapters.watching.coordinator import Coordinator
from haenyeo.collect.adapters.watching.layouts import LARGEST, Comparison, Layouts, Reference
from haenyeo.collect.adapters.watching.noise import Noise
from haenyeo.collect.adapters.watching.redesigns import Noted, Redesigns
from haenyeo.collect.adapters.watching.sheets import Sheet, Taken
from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.html.charset import decode
from haenyeo.html.urls import site_of
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer
from haenyeo.store import NewEvent, NewRow, PartState, Retraction, Store, StoredPage
from haenyeo.watch.address_patterns import template_of
from haenyeo.watch.compare import Watcher
from haenyeo.watch.content import ContentChange, TwoVersions, compare_versions, is_other

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
    retracted: Sequence[Retraction] = ()

    @property
    def content_changed(self) -> bool:
        """Does the page say something else than before? The same in another order is nothing else."""
        return any(isinstance(change, ContentChanged) and change.lines for change in self.told)


class Glance(NamedTuple):
    """How a page looks, before it is read; `before` is what was stored of it, None on a first visit."""

    before: StoredPage | None = None
    html: str = ""
    compared: Comparison = Comparison()
    noted: Noted = Noted()


NOTHING_SEEN = Watched()
FIRST_GLANCE = Glance()


class PageWatch:
    """Looks at every page that is visited; a first visit costs next to nothing unless a rule is for the page."""

    def __init__(self, store: Store, watcher: Watcher) -> None:
        self.shelf = Shelf(store)
        self.layouts = Layouts(store, watcher)
        self.redesigns = Redesigns(store)
        self.noise = Noise(store)
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

    def look(
        self, answer: Answer, page: TwoVersions, glance: Glance, title: str = "", forgotten: tuple[str, ...] = ()
    ) -> Watched:
        """What a page that was read tells; `forgotten` are the containers of its site that no longer hold."""
        url, at = answer.final_url, _moment(answer)
        if glance.before is None:
            return self._first_look(answer, at)
        compared, first = glance.compared, glance.noted.first
        taken = self.shelf.take(Sheet(url, glance.html, at, same_layout=not compared.changed))
        repaired = any(isinstance(change, RuleRepaired) for change in taken.told)
        layout = self._layout_told(glance, taken)
        content, learnt = self._content(url, page, redesigned=repaired or compared.alarm)
        titled, anew = _titled(glance.before, title), _relearned(url, first, forgotten)
        told = [change for change in (content, titled, layout, *taken.told, anew) if change is not None]
        return _watched(told, [*compared.states, *glance.noted.states, *taken.states, *learnt], taken, at)

    def seen_again(self, answer: Answer) -> Watched:
        """What a visit tells that found the page just as it is stored."""
        url, at = answer.final_url, _moment(answer)
        if not self.shelf.for_page(url):
            return NOTHING_SEEN
        taken = self.shelf.seen_again(url, at)
        return _watched(taken.told, taken.states, taken, at)

    def _content(
        self, url: Url, page: TwoVersions, *, redesigned: bool
    ) -> tuple[ContentChanged | None, Sequence[PartState]]:
        """The change of the page's text; a redesign puts other words around the same content, which is no change."""
        if page.old == page.new:
            return None, ()
        change = compare_versions(page, self.noise.ignored(url))
        if not (change.changed or change.moves) or (redesigned and _still_said(page.old, page.new)):
            return None, ()
        learnt = self.noise.learn(url, change)
        return (None if self.noise.too_little(url, change) else _content_changed(url, change)), learnt

    def _layout_told(self, glance: Glance, taken: Taken) -> LayoutChanged | None:
        """What to tell of the layout in the light of the page's rules: once, with the page that showed it first."""
        assert glance.before is not None
        url, told = glance.before.url, glance.compared.told
        repairs = [change for change in taken.told if isinstance(change, RuleRepaired)]
        if repairs:
            return told if all(repair.checked_on[0] == url for repair in repairs) else None
        if taken.broken and not taken.told:  # a rule that has been broken before is no news
            return told
        return None if self._is_followed(glance.before, taken) else _regraded(told, taken.broken, url)

    def _is_followed(self, before: StoredPage, taken: Taken) -> bool:
        """Whether the page's rule was repaired since its last visit and works here too."""
        repaired = [rule.versions[-1].at for rule in self.shelf.for_page(before.url) if rule.probation]
        return taken.broken == () and any(before.fetched_at and before.fetched_at < at for at in repaired)

    def _first_look(self, answer: Answer, at: datetime) -> Watched:
        """A page that was never seen at its address; rules for the address that led to it have a say too."""
        states = self.layouts.first_visit(answer.final_url, at)
        url = answer.final_url if self.shelf.for_page(answer.final_url) else answer.url
        if not self.shelf.for_page(url):
            return Watched(states=states) if states else NOTHING_SEEN
        taken = self.shelf.take(Sheet(url, _html(answer), at))
        return _watched(taken.told, [*states, *taken.states], taken, at)


def _watched(told: Sequence[Change], states: Sequence[PartState], taken: Taken, at: datetime) -> Watched:
    return Watched(told, [stored(change, at) for change in told], states, taken.rows, taken.retracted)


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


def _content_changed(url: Url, change: ContentChange) -> ContentChanged:
    return ContentChanged(
        url=url,
        site=site_of(url),
        share=change.share,
        lines=change.lines,
        added=change.added,
        removed=change.removed,
        edited=change.edited,
        moved=change.moved,
        moves=change.moves,
    )


def _titled(before: StoredPage, title: str) -> TitleChanged | None:
    """The change of the page's title, unless it has none now or had none before."""
    if not title or not before.title or not is_other(before.title, title):
        return None
    return TitleChanged(url=before.url, site=site_of(before.url), before=before.title, after=title)


def _still_said(old: str, new: str) -> bool:
    before, after = Counter(old.split()), Counter(new.split())
    return (before & after).total() >= STILL_SAID * min(before.total(), after.total())
