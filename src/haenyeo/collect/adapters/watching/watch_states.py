"""How what is under watch is: the same words in the terminal, in the dashboard and for programs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec

from haenyeo.collect.adapters.watching.saved_rules import SavedRule
from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.collect.adapters.watching.watchlist import Standing, WatchedPage
from haenyeo.model.pages import Url


class WatchedAddress(msgspec.Struct, frozen=True, kw_only=True):
    """One address under watch and how it is, in a few words; `alarm` if something must be done.

    `since` is when that began, `last_at` the last visit; both are None before the first one.
    """

    url: str
    state: str
    alarm: bool = False
    since: datetime | None = None
    last_at: datetime | None = None
    next_at: datetime
    rules: tuple[SavedRule, ...] = ()

    @property
    def rule_states(self) -> tuple[str, ...]:
        """How the rules for the address are, a line each."""
        return tuple(f"rule {rule.name}: {rule.state}" for rule in self.rules)


def watched_addresses(pages: Iterable[WatchedPage], shelf: Shelf) -> list[WatchedAddress]:
    """Every address of these pages and result lists; one that was not visited yet says so."""
    found = []
    for page in pages:
        if not page.standings:
            rules = tuple(rule for url in page.addresses for rule in shelf.for_page(url))
            found.append(WatchedAddress(url=page.url, state="not visited yet", next_at=page.next_at, rules=rules))
        found += [_address(page, standing, tuple(shelf.for_page(Url(standing.url)))) for standing in page.standings]
    return found


def _address(page: WatchedPage, standing: Standing, rules: tuple[SavedRule, ...]) -> WatchedAddress:
    state = _state(standing, rules)
    return WatchedAddress(
        url=standing.url,
        state=state,
        alarm=state != "ok",
        since=_since(standing, rules),
        last_at=standing.at,
        next_at=page.next_at,
        rules=rules,
    )


def _since(standing: Standing, rules: tuple[SavedRule, ...]) -> datetime:
    """When the page began to be like this: with a broken rule, when that broke."""
    broken = [rule.since for rule in rules if rule.broken and rule.since]
    return min(broken) if standing.fine and broken else standing.since


def _state(standing: Standing, rules: tuple[SavedRule, ...]) -> str:
    """How a page is in a few words: one that answers is not ok as long as a rule finds nothing on it."""
    if not standing.fine:
        return standing.reason or standing.outcome.value
    conditions = {rule.condition for rule in rules}
    if "broken" in conditions:
        return "rule broken"
    return "rule broken, repair proposed" if "proposed" in conditions else "ok"
