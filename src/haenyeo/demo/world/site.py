"""One site: its items as they come and go, and what its addresses lead to."""

from __future__ import annotations

import re
import threading
from bisect import bisect_right, insort
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote

from haenyeo.demo.chance import Chance
from haenyeo.demo.clock import DAY, HOUR, WEEK
from haenyeo.demo.text import lexicon
from haenyeo.demo.world.addresses import EVERYTHING, Addresses
from haenyeo.demo.world.items import Item
from haenyeo.demo.world.spec import Grade, SiteSpec
from haenyeo.demo.world.times import moment_in_week

PER_LIST = 12
SORTS = ("price", "name", "rating")
STARS = ("3", "4")
_ARCHIVE = 120 * WEEK  # longer than the oldest item is old
_CHAIN = re.compile(r"/go/(\d{1,6})/([abc])")
_LOOP = re.compile(r"/win/([12])")
_PRINT = re.compile(r"/print/(\d{1,6})")
_CALENDAR = re.compile(r"/calendar/(\d{4})/(0[1-9]|1[0-2])/")


class SitePlace(NamedTuple):
    """A page of a site; which of the other fields count depends on its kind."""

    kind: str
    path: str
    item: Item | None = None
    topic: str = EVERYTHING
    page: int = 1
    facets: tuple[str, str] = ("", "")
    month: tuple[int, int] = (0, 0)
    query: str = ""


class Redirect(NamedTuple):
    """An address that sends the visitor on."""

    status: int
    path: str


class Gone(NamedTuple):
    """An address whose page was taken away."""

    item: Item


class Site:
    """A site at all times; asking never changes what it answers."""

    def __init__(self, seed: int, spec: SiteSpec) -> None:
        self.seed, self.spec = seed, spec
        self.words = lexicon(spec.language)
        self.addresses = Addresses(spec)
        self.items: list[Item] = []
        self._paths: dict[str, Item] = {}
        self._deaths: list[float] = []
        self._weeks: dict[int, list[int]] = {}
        self._growing = threading.Lock()
        self._event_hour: tuple[int | None, list[int]] = (None, [])
        self._shelves: dict[tuple[str, int, int], list[Item]] = {}
        self._grow(spec.items)

    # ---- items ------------------------------------------------------------------------------------------------------

    def _grow(self, count: int) -> None:
        with self._growing:
            for number in range(len(self.items), count):
                item = Item(self.seed, self.spec, self.words, number, self._born(number))
                item.path, item.moved_path = self.addresses.item(item), self.addresses.moved(item)
                self._paths[item.path] = self._paths[item.moved_path] = item
                insort(self._deaths, item.fate.dies)
                self.items.append(item)

    def _born(self, number: int) -> int:
        if not self.spec.per_week:
            share = number / self.spec.items
            return int(-_ARCHIVE / 2 * (1 - share)) - WEEK
        week, place = divmod(number - self.spec.items, self.spec.per_week)
        return self._births(week)[place]

    def _births(self, week: int) -> list[int]:
        times = self._weeks.get(week)
        if times is None:
            chance = Chance(self.seed, self.spec.host, "births", week)
            shares = [chance.random() for _ in range(self.spec.per_week)]
            times = self._weeks[week] = sorted(
                week * WEEK + moment_in_week(self.spec.profile, share) for share in shares
            )
        return times

    def count(self, now: float) -> int:
        """How many items were ever born up to this time."""
        if not self.spec.per_week:
            return self.spec.items
        week = int(now // WEEK)
        born = self.spec.items + week * self.spec.per_week + bisect_right(self._births(week), now)
        if born > len(self.items):
            self._grow(born)
        return max(born, 0)

    def shelf(self, now: float, topic: str = EVERYTHING) -> list[Item]:
        """The items of a topic that are there at this time, newest first."""
        key = (topic, self.count(now), bisect_right(self._deaths, now))
        shelf = self._shelves.get(key)
        if shelf is None:
            if len(self._shelves) > _SHELVES_KEPT:
                self._shelves.clear()
            shelf = [
                item
                for item in reversed(self.items[: key[1]])
                if item.alive(now) and (topic in {EVERYTHING, item.topic})
            ]
            self._shelves[key] = shelf
        return shelf

    def events(self, since: float, until: float) -> list[int]:
        """The times at which a list of items may have changed: births, deaths, moves, new prices and replies."""
        times: set[int] = set()
        for item in self.items[: self.count(until)]:
            fate = (item.born, item.fate.dies, item.fate.moves)
            times.update(int(at) for at in fate if since < at <= until)
            times.update(self._shown_changes(item, since, until))
        return sorted(times)

    def last_event(self, now: float) -> int:
        """The latest of these times up to now."""
        key = int(now // HOUR)
        if self._event_hour[0] != key:
            self._event_hour = (key, [-_ARCHIVE, *self.events(-_ARCHIVE, (key + 1) * HOUR)])
        times = self._event_hour[1]
        return times[max(bisect_right(times, now) - 1, 0)]

    def _shown_changes(self, item: Item, since: float, until: float) -> list[int]:
        if item.kind == "product":
            return item.edits.between(since, until)
        return item.replies.between(since, until) if item.kind == "thread" else []

    # ---- layout -----------------------------------------------------------------------------------------------------

    def layout(self, now: float) -> int:
        """How many redesigns the site has had."""
        return sum(day * DAY <= now for day, _ in self.spec.redesigns)

    def redesigns(self) -> list[tuple[int, Grade]]:
        """When the site's layout changes, and how much."""
        return [(int(day * DAY), grade) for day, grade in self.spec.redesigns]

    def outage(self, now: float) -> str:
        """How the site fails at this time: not at all (""), with "503", or by "dropped" connections."""
        if self.spec.outage and self.spec.outage[0] * DAY <= now < self.spec.outage[1] * DAY:
            return self.spec.outage[2]
        return ""

    # ---- addresses --------------------------------------------------------------------------------------------------

    def topics(self) -> tuple[str, ...]:
        """The lists the site has."""
        return (EVERYTHING, *self.spec.topics) if len(self.spec.topics) > 1 else (EVERYTHING,)

    def topic_of(self, place: SitePlace) -> str:
        """What a page is about; nothing for pages that mix topics or are about the site itself."""
        if place.item:
            return place.item.topic
        if place.kind == "table":
            return next(iter(self.spec.topics))
        if place.kind == "list" and place.topic != EVERYTHING:
            return place.topic
        if place.kind not in {"list", "front"}:
            return ""
        main = max(self.spec.topics, key=lambda topic: self.spec.topics[topic])
        share = self.spec.topics[main] / sum(self.spec.topics.values())
        return main if share == 1 or (place.kind == "front" and share > _MOST) else ""

    def pages_of(self, now: float, topic: str) -> int:
        """How many pages the list of a topic has."""
        return max(1, -(-len(self.shelf(now, topic)) // PER_LIST))

    def places(self, now: float) -> Iterator[SitePlace]:
        """Every page of the site at this time that has an address of its own, without traps and facets."""
        yield SitePlace("front", "/")
        yield SitePlace("about", "/about")
        if self.spec.has("table"):
            yield SitePlace("table", "/today")
        for topic in self.topics():
            for page in range(1, self.pages_of(now, topic) + 1):
                yield SitePlace("list", self.addresses.listing(topic, page), topic=topic, page=page)
        for item in self.shelf(now):
            yield SitePlace(item.kind, item.path_at(now), item)
            if self.spec.has("print"):
                yield SitePlace("print", f"/print/{item.number}", item)

    def find(self, path: str, query: dict[str, str], now: float) -> SitePlace | Redirect | Gone | None:
        """What is at an address at this time."""
        if path in _SINGLE and (path != "/today" or self.spec.has("table")):
            return SitePlace(_SINGLE[path], path)
        if path in {"/index.html", "/index.php", "/home"}:
            return Redirect(301, "/")
        if path == "/search" and self.spec.has("search") and query.get("q"):
            return SitePlace("search", f"/search?q={quote(query['q'], safe='')}", query=query["q"])
        if path == "/board/view.php":
            path = f"{path}?id={query.get('id')}&no={query.get('no')}"
        item = self._item_at(path, now)
        if item:
            return self._item_page(item, path, now)
        return self._list_page(path, query, now) or self._odd(path, now)

    def item_at(self, path: str) -> Item | None:
        """The item that has, had or will have this address, of all items known so far."""
        return self._paths.get(path)

    def _item_at(self, path: str, now: float) -> Item | None:
        self.count(now)
        item = self._paths.get(path)
        return item if item and item.born <= now else None

    def _item_page(self, item: Item, path: str, now: float) -> SitePlace | Redirect | Gone | None:
        if now >= item.fate.dies:
            return Gone(item)
        if path == item.path_at(now):
            return SitePlace(item.kind, path, item)
        return Redirect(301, item.moved_path) if path == item.path else None

    def _list_page(self, path: str, query: dict[str, str], now: float) -> SitePlace | None:
        found = self.addresses.read_listing(path, query)
        if not found or found[0] not in self.topics() or found[1] > self.pages_of(now, found[0]):
            return None
        facets = (query.get("sort", ""), query.get("stars", "")) if self.spec.has("facets") else ("", "")
        if facets[0] not in ("", *SORTS) or facets[1] not in ("", *STARS):
            return None
        canonical = self.addresses.listing(*found)
        extra = "".join(f"&{name}={value}" for name, value in zip(("sort", "stars"), facets, strict=True) if value)
        return SitePlace("list", canonical + extra, topic=found[0], page=found[1], facets=facets)

    def _odd(self, path: str, now: float) -> SitePlace | Redirect | Gone | None:
        """Print versions, redirect chains and loops, the calendar without end."""
        if self.spec.has("print") and (found := _PRINT.fullmatch(path)):
            item = self.items[int(found[1])] if int(found[1]) < self.count(now) else None
            if item is None:
                return None
            return SitePlace("print", path, item) if now < item.fate.dies else Gone(item)
        if self.spec.has("chain") and (found := _CHAIN.fullmatch(path)) and int(found[1]) < self.spec.items:
            following = {"a": (302, f"/go/{found[1]}/b"), "b": (301, f"/go/{found[1]}/c")}
            return Redirect(*following.get(found[2], (302, self.items[int(found[1])].path)))
        if self.spec.has("loop") and (found := _LOOP.fullmatch(path)):
            return Redirect(302, f"/win/{3 - int(found[1])}")
        if self.spec.has("calendar") and (found := _CALENDAR.fullmatch(path)):
            return SitePlace("calendar", path, month=(int(found[1]), int(found[2])))
        return None


_SINGLE = {"/": "front", "/about": "about", "/today": "table"}
_SHELVES_KEPT = 64
_MOST = 0.6  # a front page is about a topic when this share of the site is
