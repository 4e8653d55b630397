"""Which links wait for a server that rests, or for a time of their own?

The frontier knows sites, not servers. When all links of a site lead to one server, the site rests with it, which costs
nothing. When they lead to several, the links of the one that rests are put aside as they come up, and the site goes on
with the others; they wait in the frontier again when the rest is over. The same is done for a link that may not be
asked for before a certain time.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from haenyeo.find.topic_frontiers import TopicFrontiers
from haenyeo.html.urls import origin_of
from haenyeo.model.pages import Url
from haenyeo.store import NewLink

LOOKED_AT = 1000  # waiting links of a site, to find out after a restart whether they lead to one server

NEW, UNKNOWN, SEVERAL = "new", None, ""

Addresses = Callable[[Sequence[int]], Iterable[Url]]
"""Gives the addresses behind references."""


class Aside(NamedTuple):
    """A link that was put aside, with what it is worth to each topic."""

    site: str
    ref: int
    worths: tuple[float, ...]


class Rests:
    """The servers that rest, and the links put aside for them; true while there are any."""

    def __init__(self, frontier: TopicFrontiers, addresses: Addresses) -> None:
        self._frontier, self._addresses = frontier, addresses
        self._until: dict[str, float] = {}
        self._aside: dict[str, list[Aside]] = {}
        self._wakes: list[tuple[float, str]] = []
        self._homes: dict[str, str | None] = {}
        self._count = 0

    def __bool__(self) -> bool:
        return bool(self._until)

    def __len__(self) -> int:
        return self._count

    def know(self, sites: Iterable[str]) -> None:
        """Links of these sites wait from an earlier run; to which servers they lead is found out when it matters."""
        self._homes.update(dict.fromkeys(sites, UNKNOWN))

    def note(self, links: Sequence[NewLink]) -> None:
        """New links are to wait: remember to which server a site's links lead as long as it is one."""
        homes = self._homes
        for link in links:
            home = homes.get(link.site, NEW)
            if home is NEW:
                homes[link.site] = origin_of(link.url) + "/"
            elif home and not link.url.startswith(home):
                homes[link.site] = SEVERAL
                self._frontier.rest(link.site, 0.0)

    def rest(self, site: str, origin: str, until: float) -> None:
        """Give out no link to this server of the site before `until`."""
        if self._until.get(origin, 0.0) >= until:
            return
        self._until[origin] = until
        heapq.heappush(self._wakes, (until, origin))
        if self._homes.get(site) is UNKNOWN:
            self._homes[site] = self._home_of(site, origin)
        if self._homes[site] == origin + "/":
            self._frontier.rest(site, until)

    def holds(self, url: Url, link: Aside) -> bool:
        """Whether a link was put aside because its server rests."""
        origin = origin_of(url)
        if origin not in self._until:
            return False
        self._aside.setdefault(origin, []).append(link)
        self._count += 1
        return True

    def wait(self, url: Url, link: Aside, until: float) -> None:
        """Put one link aside for itself."""
        self._until[url] = until
        self._aside[url] = [link]
        self._count += 1
        heapq.heappush(self._wakes, (until, url))

    def wake(self, now: float) -> None:
        """Let the links wait in the frontier again whose time has come."""
        while self._wakes and self._wakes[0][0] <= now:
            until, name = heapq.heappop(self._wakes)
            if self._until.get(name) != until:
                continue
            del self._until[name]
            links = self._aside.pop(name, ())
            self._count -= len(links)
            for site in {link.site for link in links}:
                group = [link for link in links if link.site == site]
                worths = list(zip(*(link.worths for link in group), strict=True))
                self._frontier.push(site, [link.ref for link in group], worths)

    def next_wake(self) -> float | None:
        """When a link that was put aside can be given out; None if there is none."""
        return min((self._until[name] for name in self._aside), default=None)

    def _home_of(self, site: str, origin: str) -> str:
        """The one server to which the site's waiting links lead, as far as one looks."""
        refs = [waiting.ref for waiting in self._frontier.top(LOOKED_AT, site)]
        origins = {origin, *map(origin_of, self._addresses(refs))}
        return SEVERAL if len(origins) > 1 else origin + "/"
