"""What do sitemaps and feeds say? Which pages they claim to have changed, and how far they can be believed.

Sitemaps and feeds are visited on a cycle of their own, halved when one brought something new and a fifth longer when
not. A page whose entry is dated after its last visit is *claimed*. The next visit to a claimed page shows whether that
was true, and each site earns its trust that way: some date everything with today.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from haenyeo.model.visits import Found
from haenyeo.store import PageVisit

HOUR, DAY = 3600.0, 86_400.0
FIRST_CYCLE, SHORTEST_CYCLE, LONGEST_CYCLE = DAY, HOUR, 7 * DAY
SHORTER, LONGER = 0.5, 1.2
MOST_CLAIMS = 100_000


class Listing(msgspec.Struct, array_like=True):
    """A sitemap or feed: when it was last visited, and its cycle in seconds."""

    at: float
    cycle: float = FIRST_CYCLE


class Trust(msgspec.Struct, array_like=True):
    """How many claims of a site were right and wrong, as far as visits have shown."""

    right: float = 0.0
    wrong: float = 0.0

    @property
    def chance(self) -> float:
        """The chance that a claim is right, a half while nothing is known."""
        return (self.right + 1) / (self.right + self.wrong + 2)


class SignalState(msgspec.Struct, kw_only=True):
    """All that is kept of signals; `claims` maps a page to its site."""

    listings: dict[str, Listing] = {}
    trusts: dict[str, Trust] = {}
    claims: dict[str, str] = {}


class Signals:
    """Listings with their cycles, claims that wait for a visit, and the trust each site has earned."""

    def __init__(self, state: SignalState | None = None) -> None:
        self.state = state or SignalState()

    def take_listing(self, visit: PageVisit) -> None:
        """A sitemap or feed was visited."""
        known = self.state.listings.get(visit.url)
        if visit.found is Found.GONE:
            self.state.listings.pop(visit.url, None)
        elif known is None:
            self.state.listings[visit.url] = Listing(visit.at)
        else:
            factor = SHORTER if visit.found is Found.CHANGED else LONGER
            known.at, known.cycle = visit.at, min(max(known.cycle * factor, SHORTEST_CYCLE), LONGEST_CYCLE)

    def listings_due(self, now: float, limit: int) -> list[str]:
        """The listings whose cycle has passed, the most overdue first; and those that a wrong clock visited later."""
        overdue = [
            ((now - listing.at) / listing.cycle, url)
            for url, listing in self.state.listings.items()
            if not 0 <= now - listing.at < listing.cycle
        ]
        return [url for _, url in sorted(overdue, reverse=True)[:limit]]

    def __contains__(self, url: str) -> bool:
        return url in self.state.listings

    def asked(self, url: str, now: float, *, gone: bool = False) -> None:
        """A listing was asked for, whatever came of it: its cycle begins anew, unless it is gone."""
        if gone:
            self.state.listings.pop(url, None)
        elif url in self.state.listings:
            self.state.listings[url].at = now

    def claim(self, urls: Iterable[str], site: str) -> float:
        """A listing of the site claims that these pages changed; returns the chance that it is right."""
        for url in urls:
            if len(self.state.claims) < MOST_CLAIMS:
                self.state.claims[url] = site
        return self.state.trusts.get(site, Trust()).chance

    def take_page(self, visit: PageVisit) -> None:
        """A page was visited: if it was claimed, its site's trust follows."""
        site = self.state.claims.pop(visit.url, None)
        if site is None or visit.found in (Found.NEW, Found.NOTHING):
            return
        trust = self.state.trusts.setdefault(site, Trust())
        if visit.found in (Found.CHANGED, Found.GONE):
            trust.right += 1
        else:
            trust.wrong += 1
