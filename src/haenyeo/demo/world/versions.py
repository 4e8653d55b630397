"""Which version of a page is current, and when versions follow each other."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple

from haenyeo.demo.clock import DAY, HOUR
from haenyeo.demo.world import listings, views
from haenyeo.demo.world.items import Item
from haenyeo.demo.world.listings import LISTS, TABLE_HOUR, shown, table_day
from haenyeo.demo.world.site import Site, SitePlace
from haenyeo.demo.world.times import renewed
from haenyeo.demo.world.views import View
from haenyeo.demo.world.world import World

_VIEWS: dict[str, Callable[[World, Site, SitePlace, float], View]] = {
    "front": listings.front_view,
    "list": listings.list_view,
    "search": listings.search_view,
    "hub": listings.hub_view,
    "table": listings.table_view,
    "calendar": listings.calendar_view,
    "about": views.about_view,
    "print": views.print_view,
}


class ContentVersion(NamedTuple):
    """What tells one version of a page's content from another: its text or rows, and the comments below it."""

    content: Hashable
    comments: int = 0


def view(world: World, site: Site, place: SitePlace, now: float) -> View:
    """What the page says at this time."""
    return _VIEWS.get(place.kind, views.item_view)(world, site, place, now)


def version(site: Site, place: SitePlace, now: float) -> ContentVersion:
    """The version of the page's content at this time, without making the content."""
    if place.item:
        replies = 0 if place.kind in {"print", "hub"} else place.item.replies.count(now)
        return ContentVersion(place.item.edits.count(now), replies)
    if place.kind in LISTS:
        rows = tuple(_row(item, now) for item in shown(site, place, now))
        return ContentVersion((rows, renewed(now) if _has_ticker(site, place) else 0))
    return ContentVersion(table_day(now) if place.kind == "table" else 0)


def _row(item: Item, now: float) -> tuple[int, int, bool]:
    changes = {"product": item.edits, "thread": item.replies}.get(item.kind)
    return item.number, changes.count(now) if changes else 0, now >= item.fate.moves


def _has_ticker(site: Site, place: SitePlace) -> bool:
    return place.kind == "front" and site.spec.kind == "news"


def frame(site: Site, place: SitePlace, now: float) -> Hashable:
    """What else of the page's surroundings may differ between two renderings of one version."""
    if place.kind == "list":
        return site.pages_of(now, place.topic)
    return bool(place.item and now >= place.item.fate.moves)


def last_change(site: Site, place: SitePlace, now: float) -> int:
    """A time since which the page's content and layout are certainly the same."""
    times = [at for at, _ in site.redesigns() if at <= now]
    if place.item:
        item = place.item
        return max(item.born, item.edits.last(now) or item.born, item.replies.last(now) or item.born, *times)
    if place.kind in LISTS:
        times.append(site.last_event(now))
        if _has_ticker(site, place):
            times.append(renewed(now))
    if place.kind == "table":
        times.append(table_day(now) * DAY + TABLE_HOUR * HOUR)
    return max(times, default=_LONG_AGO)


def candidates(site: Site, place: SitePlace, since: float, until: float) -> list[int]:
    """All times after `since`, up to and with `until`, at which the page may have changed in any way."""
    times = {at for at, _ in site.redesigns() if since < at <= until}
    if place.item:
        item = place.item
        times.update(item.edits.between(since, until), item.replies.between(since, until))
        times.update(int(at) for at in (item.born, *item.fate) if since < at <= until)
    elif place.kind in LISTS:
        times.update(site.events(since, until))
        if _has_ticker(site, place):
            times.update(range((int(since) // HOUR + 1) * HOUR, int(until) + 1, HOUR))
    elif place.kind == "table":
        first = (table_day(since) + 1) * DAY + TABLE_HOUR * HOUR
        times.update(range(first, int(until) + 1, DAY))
    return sorted(times)


_LONG_AGO = -400 * DAY
