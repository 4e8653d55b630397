"""The collection's rules at work: records taken on every visit, and rules repaired when a layout changed.

A rule that finds nothing of what it used to find is *broken*. A repair is *pending* until it works on a second page (or
on another version of the same page); then it is the new version, the old one is kept, and the records of the pages in
between are taken from the archive, so that there is no gap. When nothing is sure enough the rule stays as it was, and
the user is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from haenyeo.collect.adapters.archive import archived_html
from haenyeo.collect.adapters.watching.changes import RuleBroken, RuleRepaired, Selectors
from haenyeo.collect.adapters.watching.saved_rules import PART, Pending, SavedRule, Version, decoded
from haenyeo.html.urls import site_of
from haenyeo.model.pages import Url
from haenyeo.store import NewRow, PartState, Store
from haenyeo.watch.item_map import CategoryPatterns, ItemMap
from haenyeo.watch.rules.check import RuleCheck, check_rule
from haenyeo.watch.rules.fit import remembering
from haenyeo.watch.rules.repair import repair_rule
from haenyeo.watch.rules.rule import Rule
from haenyeo.watch.rules.tree import Tree

SHOWN = 3
"""Rows in a before/after table."""


class Sheet(NamedTuple):
    """A list page that was just visited; `same_layout` when it was seen before and looked the same."""

    url: Url
    html: str
    at: datetime
    same_layout: bool = False


class Taken(NamedTuple):
    """What came of a page under its rules; `broken` says what its rules miss, None when no rule is for it."""

    rows: Sequence[NewRow] = ()
    told: Sequence[RuleRepaired | RuleBroken] = ()
    states: Sequence[PartState] = ()
    broken: tuple[str, ...] | None = None


class Shelf:
    """All rules of a collection, by site."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rules: dict[str, dict[str, SavedRule]] = {}
        for _, value in store.states(PART):
            self._place(decoded(value))

    def __iter__(self) -> Iterator[SavedRule]:
        for rules in self._rules.values():
            yield from rules.values()

    def get(self, name: str) -> SavedRule | None:
        """The rule of this name."""
        return next((saved for saved in self if saved.name == name), None)

    def for_page(self, url: Url) -> list[SavedRule]:
        """The rules that are meant for a page."""
        rules = self._rules.get(site_of(url)) if self._rules else None
        return [saved for saved in rules.values() if saved.holds_on(url)] if rules else []

    def item_map(self) -> ItemMap:
        """A new map of the items of all lists, each rule's lists being a category; nothing is in it yet."""
        return ItemMap({saved.name: CategoryPatterns(saved.lists, saved.items) for saved in self})

    def put(self, saved: SavedRule) -> PartState:
        """Take a rule in, in place of the one of its name; the state is for the store."""
        self._place(saved)
        return PartState(part=PART, key=saved.name, value=saved.to_json())

    def take(self, sheet: Sheet) -> Taken:
        """The records of a page by all rules that are meant for it."""
        taken = Taken()
        for saved in self.for_page(sheet.url):
            taken = _joined(taken, self._take(saved, sheet))
        return taken

    def confirm(self, saved: SavedRule, sheet: Sheet) -> Taken:
        """A pending repair tried on a page of the same kind that is no page of the rule's list."""
        repaired = self._confirmed(saved, saved.pending, sheet) if saved.pending else None
        return self._commit(saved, repaired, RuleCheck(), sheet) if repaired is not None else Taken()

    def _take(self, saved: SavedRule, sheet: Sheet) -> Taken:
        check = check_rule(saved.rule, sheet.html)
        if check.works:
            return self._went_on(saved, sheet, check)
        if not check.rows and sheet.same_layout:  # a list with nothing on it today
            return Taken()
        if saved.pending is not None:
            repaired = self._confirmed(saved, saved.pending, sheet)
            if repaired is not None:
                return self._commit(saved, repaired, check, sheet)
        candidate = repair_rule(saved.rule, sheet.html)
        if candidate is None:
            return self._gave_up(saved, sheet, check)
        if candidate.version == saved.rule.version:  # other values in the old places, and they are sure enough
            return self._went_on(saved, sheet, check_rule(candidate, sheet.html))
        pending = Pending(rule=candidate, url=sheet.url, at=sheet.at, broken=check.broken)
        state = self.put(msgspec.structs.replace(saved, pending=pending))
        return Taken(states=[state], broken=check.broken)

    def _went_on(self, saved: SavedRule, sheet: Sheet, check: RuleCheck) -> Taken:
        """The rule works: what it remembers is of its first page's latest version."""
        states = []
        if sheet.url == saved.versions[-1].url or saved.pending or saved.broken:
            states = [self.put(_remembering(saved, sheet))]
        return Taken(rows=saved.rows_of(check.rows, sheet.url), states=states, broken=())

    def _gave_up(self, saved: SavedRule, sheet: Sheet, check: RuleCheck) -> Taken:
        if saved.broken:
            return Taken(broken=check.broken)
        state = self.put(msgspec.structs.replace(saved, broken=check.broken))
        told = RuleBroken(rule=saved.name, url=sheet.url, broken=check.broken)
        return Taken(told=[told], states=[state], broken=check.broken)

    def _confirmed(self, saved: SavedRule, pending: Pending, sheet: Sheet) -> Rule | None:
        """The repair that works on the pending page and on this one; None while there is none."""
        earlier = archived_html(self._store, pending.url, pending.at)
        if earlier is None or earlier == sheet.html:
            return None
        if check_rule(pending.rule, sheet.html).works:
            return pending.rule
        other = repair_rule(saved.rule, sheet.html)
        return other if other is not None and check_rule(other, earlier).works else None

    def _commit(self, saved: SavedRule, rule: Rule, check: RuleCheck, sheet: Sheet) -> Taken:
        """Put the repaired rule in force and take the records of both pages."""
        assert saved.pending is not None
        pending = saved.pending
        earlier = archived_html(self._store, pending.url, pending.at) or ""
        before, after = saved.rule.extract(earlier), rule.extract(earlier)
        repaired = saved.with_version(Version(rule=rule, at=sheet.at, url=Url(saved.versions[-1].url), why="repaired"))
        rows = repaired.rows_of(after, pending.url)
        if saved.holds_on(sheet.url):
            rows += repaired.rows_of(rule.extract(sheet.html), sheet.url)
        told = RuleRepaired(
            rule=saved.name,
            url=sheet.url,
            version=rule.version,
            confidence=rule.confidence,
            checked_on=tuple(dict.fromkeys((pending.url, sheet.url))),
            broken=pending.broken or check.broken,
            before=tuple(before[:SHOWN]),
            after=tuple(after[:SHOWN]),
            rows_before=len(before),
            rows_after=len(after),
            old_selectors=_selectors(saved.rule),
            new_selectors=_selectors(rule),
        )
        return Taken(rows=rows, told=[told], states=[self.put(repaired)], broken=check.broken)

    def _place(self, saved: SavedRule) -> None:
        self._rules.setdefault(saved.site, {})[saved.name] = saved


def _remembering(saved: SavedRule, sheet: Sheet) -> SavedRule:
    """The rule with what its fields look like now; nothing is pending or broken any more."""
    *older, last = saved.versions
    rule = remembering(Tree(sheet.html), last.rule) if sheet.url == last.url else last.rule
    version = msgspec.structs.replace(last, rule=rule)
    return msgspec.structs.replace(saved, versions=(*older, version), pending=None, broken=())


def _selectors(rule: Rule) -> Selectors:
    return tuple((name, forms["css"]) for name, forms in rule.selectors().items())


def _joined(one: Taken, other: Taken) -> Taken:
    return Taken(
        [*one.rows, *other.rows],
        [*one.told, *other.told],
        [*one.states, *other.states],
        other.broken if one.broken is None else one.broken + (other.broken or ()),
    )
