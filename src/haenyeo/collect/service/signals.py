"""What do sitemaps, feeds and lists say? Which pages they claim to have changed, and how far they can be believed.

Sitemaps and feeds are visited on a cycle of their own, halved when one brought something new and a fifth longer when
not. A page whose entry is dated after its last visit is *claimed*. The next visit to a claimed page shows whether that
was true, and each site earns its trust that way: some date everything with today.

Lists among the pages claim by what they say of their items (`sentinels`). They earn trust by their kind, which is the
form of their address, since a page that is no list has siblings that are none either. What counts is how much more
often than pages that nobody claims the claimed ones turn out to have changed, so nothing is believed before that shows,
and noise never is. A list whose claim was right gets a cycle like that of a feed, if those of its kind mostly are.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from haenyeo.html.urls import site_of
from haenyeo.model.visits import Found
from haenyeo.store import PageVisit
from haenyeo.watch.address_patterns import template_of

HOUR, DAY = 3600.0, 86_400.0
FIRST_CYCLE, SHORTEST_CYCLE, LONGEST_CYCLE = DAY, HOUR, 7 * DAY
SHORTER, LONGER = 0.5, 1.2
MOST_CLAIMS = 100_000
MOST_KINDS = 20_000  # of lists that are trusted more or less
UNCLAIMED = "unclaimed "
CAUTION = 4.0  # claims that prove nothing, with which a kind of lists begins
LEAST_BELIEF = 0.1  # what is believed less is not believed at all
PROVEN = 3  # claims of a kind that turned out right, before a list has a cycle of its own
WORTHY = 0.3  # the least chance that the claims of such a list are right


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

    def beyond(self, usual: float) -> float:
        """The chance that a claimed page changed, beyond the chance that any page has."""
        chance = (self.right + CAUTION * usual) / (self.right + self.wrong + CAUTION)
        return max(0.0, (chance - usual) / (1 - usual))

    def note(self, *, right: bool) -> None:
        """A claim turned out to be right or wrong."""
        if right:
            self.right += 1
        else:
            self.wrong += 1


class SignalState(msgspec.Struct, kw_only=True):
    """All that is kept of signals; `claims` maps a page to the site whose listing claims it, or to the list that does.

    `sentinels` are the lists that have a cycle of their own.
    """

    listings: dict[str, Listing] = {}
    sentinels: dict[str, Listing] = {}
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
            _go_round(known, visit)

    def listings_due(self, now: float, limit: int) -> list[str]:
        """The listings whose cycle has passed, the most overdue first; and those that a wrong clock visited later."""
        overdue = [
            ((now - listing.at) / listing.cycle, url)
            for url, listing in (*self.state.listings.items(), *self.state.sentinels.items())
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
        self._claim(urls, site)
        return self.state.trusts.get(site, Trust()).chance

    def claim_by_list(self, urls: Iterable[str], list_url: str) -> float:
        """A list claims that these pages changed; returns the chance that it is right."""
        self._claim(urls, list_url)
        return self._chance(list_url)

    def chance_of(self, url: str) -> float:
        """The chance that a page has changed which someone claims to have."""
        return self._chance(self.state.claims.get(url, ""))

    def _chance(self, claimant: str) -> float:
        if not _is_list(claimant):
            return self.state.trusts.get(claimant, Trust()).chance
        usual = self.state.trusts.get(UNCLAIMED + site_of(claimant), Trust()).chance
        chance = self.state.trusts.get(template_of(claimant), Trust()).beyond(usual)
        return chance if chance >= LEAST_BELIEF else 0.0

    def _claim(self, urls: Iterable[str], claimant: str) -> None:
        for url in urls:
            if len(self.state.claims) < MOST_CLAIMS:
                self.state.claims[url] = claimant

    def take_page(self, visit: PageVisit) -> None:
        """A page was visited: if it was claimed, the trust in who claimed it follows."""
        sentinel = self.state.sentinels.get(visit.url)
        if sentinel is not None:
            _go_round(sentinel, visit)
        claimant = self.state.claims.pop(visit.url, None)
        if visit.found in (Found.NEW, Found.NOTHING):
            return
        right = visit.found in (Found.CHANGED, Found.GONE)
        name = _name(claimant) if claimant else UNCLAIMED + visit.site
        if name not in self.state.trusts and len(self.state.trusts) >= MOST_KINDS:
            return
        self.state.trusts.setdefault(name, Trust()).note(right=right)
        if claimant and right and _is_list(claimant):
            self._appoint(claimant, visit.at)

    def forget(self, url: str) -> None:
        """This page is gone: it is no list any more."""
        self.state.sentinels.pop(url, None)

    def _appoint(self, url: str, now: float) -> None:
        """Give a list a cycle of its own if its kind has proved its worth, and as long as it does."""
        if self.state.trusts[_name(url)].right < PROVEN or self._chance(url) < WORTHY:
            self.state.sentinels.pop(url, None)
        elif url not in self.state.sentinels:
            self.state.sentinels[url] = Listing(now)


def _name(claimant: str) -> str:
    """The name under which a claimant earns trust: a site itself, a list by its kind."""
    return template_of(claimant) if _is_list(claimant) else claimant


def _is_list(claimant: str) -> bool:
    return "://" in claimant


def _go_round(listing: Listing, visit: PageVisit) -> None:
    """Begin a new cycle after a visit, shorter if it brought something new."""
    factor = SHORTER if visit.found is Found.CHANGED else LONGER
    listing.at, listing.cycle = visit.at, min(max(listing.cycle * factor, SHORTEST_CYCLE), LONGEST_CYCLE)
