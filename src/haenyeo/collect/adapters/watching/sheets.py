"""A visited list page, what its rules took from it, and the records that stored pages give without a request."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from haenyeo.collect.adapters.archive import archived_html
from haenyeo.collect.adapters.watching.changes import RuleChange, RuleRepaired, Selectors, stored
from haenyeo.collect.adapters.watching.saved_rules import Pending, SavedRule
from haenyeo.model.pages import Url
from haenyeo.store import NewRow, PartState, Retraction, Store
from haenyeo.watch.rules.check import Agreement, agreement, check_rule
from haenyeo.watch.rules.rule import Rule

SHOWN = 3
"""Rows in a before/after table."""
MOST_PAGES = 50
"""Pages of a list whose stored versions are read again after a repair."""


class Sheet(NamedTuple):
    """A list page that was just visited; `same_layout` when it was seen before and looked the same."""

    url: Url
    html: str
    at: datetime
    same_layout: bool = False


class Taken(NamedTuple):
    """What came of a page under its rules; `broken` says what its rules miss, None when no rule is for it."""

    rows: Sequence[NewRow] = ()
    told: Sequence[RuleChange] = ()
    states: Sequence[PartState] = ()
    broken: tuple[str, ...] | None = None
    retracted: Sequence[Retraction] = ()

    def joined(self, other: Taken) -> Taken:
        """Both together."""
        return Taken(
            [*self.rows, *other.rows],
            [*self.told, *other.told],
            [*self.states, *other.states],
            other.broken if self.broken is None else self.broken + (other.broken or ()),
            [*self.retracted, *other.retracted],
        )


def keep(store: Store, taken: Taken, now: datetime) -> None:
    """Store what came of a page that no visit brought just now."""
    for state in taken.states:
        store.put_state(state.part, state.key, state.value)
    for change in taken.told:
        store.add_event(stored(change, now))
    store.put_rows(taken.rows, now, taken.retracted)


def found_again(store: Store, saved: SavedRule, candidate: Rule, sheet: Sheet) -> Agreement:
    """How far the rows that a repair finds on a page are records that the rule took before."""
    rows = store.rows(saved.name)
    known = [row.fields for row in rows if row.page == sheet.url] or [row.fields for row in rows]
    found = [row.fields for row in saved.rows_of(candidate.extract(sheet.html), sheet.url)]
    fields = candidate.fields.items()
    return agreement(known, found, {name: field.source for name, field in fields if name in saved.rule.fields})


def rows_of_stored_pages(store: Store, saved: SavedRule, but: Sequence[Url]) -> list[NewRow]:
    """The records of the list's pages as they are stored, where the rule works; `but` some pages."""
    pages = dict.fromkeys(row.page for row in store.rows(saved.name) if row.page not in but)
    found: list[NewRow] = []
    for page in list(pages)[:MOST_PAGES]:
        html = archived_html(store, page)
        check = check_rule(saved.rule, html) if html else None
        if check is not None and check.works:
            found += saved.rows_of(check.rows, page)
    return found


def repair_told(saved: SavedRule, rule: Rule, pending: Pending, html: str, checked_on: Sequence[Url]) -> RuleRepaired:
    """What is told when a repair takes force; `html` is the page it was found on."""
    before, after = saved.rule.extract(html), rule.extract(html)
    return RuleRepaired(
        rule=saved.name,
        url=checked_on[-1],
        version=rule.version,
        confidence=rule.confidence,
        checked_on=tuple(dict.fromkeys(checked_on)),
        broken=pending.broken,
        before=tuple(before[:SHOWN]),
        after=tuple(after[:SHOWN]),
        rows_before=len(before),
        rows_after=len(after),
        old_selectors=selectors_of(saved.rule),
        new_selectors=selectors_of(rule),
        dropped=tuple(name for name in saved.rule.fields if name not in rule.fields),
    )


def selectors_of(rule: Rule) -> Selectors:
    """Where the rule finds its records and fields, as CSS."""
    return tuple((name, forms["css"]) for name, forms in rule.selectors().items())
