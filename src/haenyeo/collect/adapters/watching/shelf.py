"""The collection's rules at work: records taken on every visit, and rules repaired when a layout changed.

    works -> broken      it finds nothing of what it used to find, and no other place is sure enough
    works -> proposed    a repair was found, but too few of the records known before are found again
    proposed -> probation   the next visit shows the page like this still, or another page of the list agrees
    works -> probation   the records known before are found again in the new layout: one page is enough
    probation -> works   for some visits its values were like those known before the repair
    probation -> broken  they were not: the version before is in force again, and what was taken wrongly is forgotten
    broken, proposed -> works   it finds its records again as it is
    any -> works         the layout of an earlier version is back, and so is that version

When a repair takes force, the records of the list's pages are taken from the archive, so that there is no gap.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import msgspec

from haenyeo.collect.adapters.archive import archived_html
from haenyeo.collect.adapters.watching.changes import RuleBroken, RuleProposed, RuleRolledBack, RuleWorks
from haenyeo.collect.adapters.watching.row_changes import records_changed
from haenyeo.collect.adapters.watching.saved_rules import PART, Pending, SavedRule, Version, decoded
from haenyeo.collect.adapters.watching.sheets import (
    Sheet,
    Taken,
    found_again,
    repair_told,
    rows_of_stored_pages,
    selectors_of,
)
from haenyeo.html.urls import site_of
from haenyeo.model.pages import Url
from haenyeo.store import PartState, Retraction, Store
from haenyeo.watch.item_map import CategoryPatterns, ItemMap
from haenyeo.watch.rules.check import RuleCheck, check_rule, troubles
from haenyeo.watch.rules.fit import remembering
from haenyeo.watch.rules.places.tree import Tree
from haenyeo.watch.rules.repair import repair_rule
from haenyeo.watch.rules.rule import Rule

PROBATION = 3
"""Visits on which a repaired rule is compared with what was known before the repair."""


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
            taken = taken.joined(self._take(saved, sheet))
        return taken

    def seen_again(self, url: Url, at: datetime) -> Taken:
        """What comes of a visit that found a page just as it is stored: a proposed repair may be confirmed."""
        taken = Taken()
        for saved in self.for_page(url):
            html = archived_html(self._store, url) if saved.pending is not None else None
            if html:
                taken = taken.joined(self._take(saved, Sheet(url, html, at)))
        return taken

    def confirm(self, saved: SavedRule, sheet: Sheet) -> Taken:
        """A pending repair tried on a page of the same kind that is no page of the rule's list."""
        repaired = self._confirmed(saved, saved.pending, sheet) if saved.pending else None
        if saved.pending is None or repaired is None:
            return Taken()
        return self._commit(saved, repaired, saved.pending, sheet)

    def accept(self, saved: SavedRule, at: datetime) -> Taken | None:
        """A proposed repair put in force by the user; its records are taken from the stored page. None without one."""
        pending = saved.pending
        if pending is None:
            return None
        html = archived_html(self._store, pending.url, pending.at) or ""
        sheet = Sheet(pending.url, html, at)
        return self._commit(saved, pending.rule, pending, sheet, why="repaired, accepted by the user")

    def revert(self, saved: SavedRule) -> Taken | None:
        """The version before the last one put in force again by the user; None when there is none."""
        reverted = saved.reverted()
        return None if reverted is None else Taken(states=[self.put(reverted)])

    def _take(self, saved: SavedRule, sheet: Sheet) -> Taken:
        check = check_rule(saved.rule, sheet.html)
        strange = self._strange(saved, check)
        if strange and (check.works or sheet.same_layout):
            return self._rolled_back(saved, sheet, strange)
        if check.works:
            return self._went_on(saved, sheet, check)
        unbroken = saved.pending is None and not saved.broken
        if not check.rows and sheet.same_layout and unbroken:  # a list with nothing on it today
            return Taken()
        return self._went_back(saved, sheet) or self._repaired(saved, sheet, check)

    def _strange(self, saved: SavedRule, check: RuleCheck) -> tuple[str, ...]:
        """What a rule on probation finds that is not like what was known before its repair."""
        if not saved.probation or len(saved.versions) == 1 or not check.rows:
            return ()
        before = saved.versions[-2].rule
        fields = {name: field for name, field in before.fields.items() if name in saved.rule.fields}
        return troubles(msgspec.structs.replace(before, fields=fields), check.rows)

    def _went_on(self, saved: SavedRule, sheet: Sheet, check: RuleCheck) -> Taken:
        """The rule works: what it remembers is of its first page's latest version."""
        states = []
        if sheet.url == saved.versions[-1].url or saved.condition != "works":
            states = [self.put(_remembering(saved, sheet))]
        rows = saved.rows_of(check.rows, sheet.url)
        other = records_changed(self._store, saved.name, sheet.url, rows)
        again = RuleWorks(rule=saved.name, url=sheet.url, since=saved.since) if saved.broken else None
        return Taken(rows=rows, told=[each for each in (again, other) if each], states=states, broken=())

    def _went_back(self, saved: SavedRule, sheet: Sheet) -> Taken | None:
        """Put the latest of the earlier versions in force again that works on the page; None if none does."""
        for version in reversed(saved.versions[:-1]):
            check = check_rule(version.rule, sheet.html)
            if check.works and set(version.rule.fields) >= set(saved.rule.fields):
                rule = msgspec.structs.replace(version.rule, version=saved.rule.version + 1)
                back = Version(rule=rule, at=sheet.at, url=saved.versions[-1].url, why="an earlier layout is back")
                restored = saved.with_version(back)
                told = RuleRolledBack(
                    rule=saved.name, url=sheet.url, version=version.rule.version, why=("its layout is back",)
                )
                rows = restored.rows_of(check.rows, sheet.url)
                return Taken(rows=rows, told=[told], states=[self.put(restored)], broken=())
        return None

    def _rolled_back(self, saved: SavedRule, sheet: Sheet, strange: tuple[str, ...]) -> Taken:
        """Take a repair back whose values have turned out to be other ones, with the records it has brought."""
        wrong, before = saved.versions[-1], saved.versions[-2]
        restored = saved.settled(
            versions=saved.versions[:-1],
            broken=strange,
            since=sheet.at,
            refused=(*saved.refused, _signature(wrong.rule)),
        )
        told = RuleRolledBack(rule=saved.name, url=sheet.url, version=before.rule.version, why=strange)
        gone = Retraction(rule=saved.name, since=wrong.at)
        return Taken(told=[told], states=[self.put(restored)], broken=strange, retracted=[gone])

    def _repaired(self, saved: SavedRule, sheet: Sheet, check: RuleCheck) -> Taken:
        """Look for the records elsewhere on the page; what is not sure waits, or is told as broken."""
        if saved.pending is not None:
            confirmed = self._confirmed(saved, saved.pending, sheet)
            if confirmed is not None:
                return self._commit(saved, confirmed, saved.pending, sheet)
        candidate = _candidate(saved, sheet.html)
        if candidate is None or _is_refused(candidate, saved):
            return self._gave_up(saved, sheet, check)
        if candidate.version == saved.rule.version:  # other values in the old places, and they are sure enough
            return self._went_on(saved, sheet, check_rule(candidate, sheet.html))
        seen = found_again(self._store, saved, candidate, sheet)
        found = Pending(rule=candidate, url=sheet.url, at=sheet.at, broken=check.broken, likely=seen.likely)
        if seen.sure:
            return self._commit(saved, candidate, found, sheet)
        return self._propose(saved, found)

    def _propose(self, saved: SavedRule, found: Pending) -> Taken:
        since = saved.since or found.at
        state = self.put(msgspec.structs.replace(saved, pending=found, broken=found.broken, since=since, probation=0))
        told = RuleProposed(rule=saved.name, url=found.url, broken=found.broken, confidence=found.rule.confidence)
        return Taken(told=[] if saved.pending else [told], states=[state], broken=found.broken)

    def _gave_up(self, saved: SavedRule, sheet: Sheet, check: RuleCheck) -> Taken:
        if saved.broken:
            return Taken(broken=check.broken)
        state = self.put(msgspec.structs.replace(saved, broken=check.broken, since=sheet.at))
        told = RuleBroken(rule=saved.name, url=sheet.url, broken=check.broken)
        return Taken(told=[told], states=[state], broken=check.broken)

    def _confirmed(self, saved: SavedRule, pending: Pending, sheet: Sheet) -> Rule | None:
        """The repair that works on the pending page and on this one; None while there is none.

        A page that is just the same says only that the layout has come to stay, so the repair must find known records.
        """
        earlier = archived_html(self._store, pending.url, pending.at)
        if earlier is None:
            return None
        if earlier == sheet.html:
            return pending.rule if pending.likely and sheet.at > pending.at else None
        if check_rule(pending.rule, sheet.html).works:
            return pending.rule
        other = _candidate(saved, sheet.html)
        return other if other is not None and check_rule(other, earlier).works else None

    def _commit(self, saved: SavedRule, rule: Rule, found: Pending, sheet: Sheet, why: str = "repaired") -> Taken:
        """Put a repaired rule in force, on probation, and take the records of the list's pages as they are stored."""
        earlier = sheet.html if found.url == sheet.url else archived_html(self._store, found.url, found.at) or ""
        version = Version(rule=rule, at=sheet.at, url=Url(saved.versions[-1].url), why=why)
        repaired = saved.with_version(version, probation=PROBATION, since=sheet.at)
        rows = rows_of_stored_pages(self._store, repaired, but=(found.url, sheet.url))
        rows += repaired.rows_of(rule.extract(earlier), found.url)
        if saved.holds_on(sheet.url) and sheet.url != found.url:
            rows += repaired.rows_of(rule.extract(sheet.html), sheet.url)
        told = repair_told(saved, rule, found, earlier, (found.url, sheet.url))
        return Taken(rows=rows, told=[told], states=[self.put(repaired)], broken=found.broken)

    def _place(self, saved: SavedRule) -> None:
        self._rules.setdefault(saved.site, {})[saved.name] = saved


def _remembering(saved: SavedRule, sheet: Sheet) -> SavedRule:
    """The rule with what its fields look like now; nothing is pending or broken any more."""
    *older, last = saved.versions
    rule = remembering(Tree(sheet.html), last.rule) if sheet.url == last.url else last.rule
    left = max(saved.probation - 1, 0)
    versions = (*older, msgspec.structs.replace(last, rule=rule))
    return saved.settled(versions=versions, probation=left, since=saved.since if left else None)


def _candidate(saved: SavedRule, html: str) -> Rule | None:
    """The repaired rule, with fields that an earlier repair had to leave out where they are found again."""
    candidate = repair_rule(saved.rule, html)
    if candidate is None or len(saved.remembered.fields) == len(saved.rule.fields):
        return candidate
    wider = repair_rule(saved.remembered, html)
    return wider if wider is not None and set(wider.fields) > set(candidate.fields) else candidate


def _is_refused(candidate: Rule, saved: SavedRule) -> bool:
    """Whether a repair finds nothing that one which was rolled back did not find in the same places."""
    return any(all(place in refused for place in _places(candidate)) for refused in saved.refused)


def _signature(rule: Rule) -> str:
    """What tells a repair apart: where it finds records and fields."""
    return " ".join(_places(rule))


def _places(rule: Rule) -> list[str]:
    return [f"{name}={css}" for name, css in selectors_of(rule)]
