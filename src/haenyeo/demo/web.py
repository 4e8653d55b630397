"""The demo web as one object: ask it for pages, turn its clock, and compare with the truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from haenyeo.demo.answers import Answers, Reply
from haenyeo.demo.clock import DAY, DemoClock
from haenyeo.demo.truth import (
    Change,
    PageTruth,
    TopicTruth,
    page_changes,
    page_truth,
    page_truths,
    place_at,
    split_url,
    topic_truths,
)
from haenyeo.demo.world.site import SitePlace
from haenyeo.demo.world.spec import Grade
from haenyeo.demo.world.world import World


class DemoWeb:
    """Some two thousand pages on `NAME.localhost` sites, made from a seed.

    What a page says is a function of the seed, its address and the time that `clock` shows. Addresses carry the port
    once the web is served (see `haenyeo.demo.server`); until then they have none.
    """

    def __init__(self, seed: int = 7, *, now: float = 0.0) -> None:
        self.seed = seed
        self.clock = DemoClock(now)
        self._world = World(seed)
        self._answers = Answers(self._world)

    @property
    def port(self) -> int:
        """The port in all addresses; 0 while the web is not served."""
        return self._world.port

    @port.setter
    def port(self, port: int) -> None:
        self._world.port = port

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts of all sites, such as tidewatch.localhost."""
        return tuple(f"{host}.localhost" for host in self._world.sites)

    def url(self, site: str, path: str = "/") -> str:
        """The address of a path on a site, given by its short name."""
        return self._world.origin(site) + path

    def answer(self, host: str, target: str, headers: Mapping[str, str] | None = None) -> Reply:
        """What the server of a host answers now to a GET of this path; `headers` have lower-case names."""
        return self._answers.answer(host, target, headers or {}, self.clock.now)

    def latency(self, host: str) -> float:
        """How many seconds the site of this host takes to answer when it is served as slow as it is meant to be."""
        site = self._world.sites.get(host.partition(":")[0].removesuffix(".localhost"))
        return site.spec.latency if site else 0.0

    # ---- the truth --------------------------------------------------------------------------------------------------

    def pages(self, site: str = "") -> Iterator[PageTruth]:
        """The truth about every page there is now, or about those of one site, given by its short name."""
        sites = [self._world.sites[site]] if site else self._world.sites.values()
        return page_truths(self._world, sites, self.clock.now)

    def urls(self, *kinds: str) -> list[str]:
        """The addresses of all pages there are now, or of those of some kinds, without making what they say."""
        return [
            self._world.origin(host) + place.path
            for host, site in self._world.sites.items()
            for place in site.places(self.clock.now)
            if not kinds or place.kind in kinds
        ]

    def page(self, url: str) -> PageTruth | None:
        """The truth about the page at an address now; nothing when there is none or it is a redirect."""
        split = split_url(self._world, url)
        if not split:
            return None
        found = place_at(*split, self.clock.now)
        return page_truth(self._world, split[0], found, self.clock.now) if isinstance(found, SitePlace) else None

    def topics(self) -> list[TopicTruth]:
        """The topics that can be looked for, with examples, seeds and the pages that are about them now."""
        return topic_truths(self._world, self.clock.now)

    def changes(self, url: str, since: float, until: float) -> list[Change]:
        """What happened to the page at an address after `since`, up to and with `until`, in order."""
        return page_changes(self._world, url, since, until)

    def redesigns(self) -> dict[str, list[tuple[int, Grade]]]:
        """For each site's short name, when its layout changes and how much."""
        return {host: site.redesigns() for host, site in self._world.sites.items()}

    def outages(self) -> dict[str, tuple[float, float, str]]:
        """The sites that are down for a while: from, until, and how ("503" or "dropped")."""
        spells = {host: site.spec.outage for host, site in self._world.sites.items()}
        return {host: (spell[0] * DAY, spell[1] * DAY, spell[2]) for host, spell in spells.items() if spell}

    def oddities(self) -> dict[str, tuple[str, ...]]:
        """Addresses that do something unusual now, by what they do."""
        now = self.clock.now
        items = [item for site in self._world.sites.values() for item in site.items[: site.count(now)]]
        return {
            "moved": tuple(self._world.url(item) for item in items if item.fate.moves <= now),
            "gone": tuple(self._world.url(item) for item in items if item.fate.dies <= now),
            "chain": (self.url("ridgewalk", "/go/3/a"),),
            "loop": (self.url("bestdeals", "/win/1"),),
            "redirect": (self.url("linkharbour", "/out/seawomen/5"), self.url("tidewatch", "/index.html")),
            "missing": (self.url("tidewatch", "/missing/1.html"),),
            "soft404": (self.url("trailguide", "/missing/1.html"),),
            "trap": (self.url("breadforum", "/calendar/2026/01/"),),
            "facets": (self.url("harbourshop", "/goods?cat=all&sort=price&stars=4"),),
            "search": (
                self.url("harbourshop", "/search?q=diving"),
                self.url("onsijang", "/search?q=%EB%90%9C%EC%9E%A5"),
            ),
            "print": (self.url("tidewatch", "/print/5"),),
            "members": tuple(self._world.url(item) for item in items if item.members and item.alive(now)),
        }
