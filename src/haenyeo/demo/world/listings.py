"""Pages that list: front pages, lists of items, collections of links, timetables, and the calendar without end."""

from __future__ import annotations

from haenyeo.demo.chance import Chance
from haenyeo.demo.clock import DAY, HOUR, moment
from haenyeo.demo.text import Voice
from haenyeo.demo.world.content import Passage, passages, price, rating
from haenyeo.demo.world.items import Item
from haenyeo.demo.world.site import PER_LIST, Site, SitePlace
from haenyeo.demo.world.times import renewed
from haenyeo.demo.world.views import Byline, Record, View, href, item_view, label_of, written_date
from haenyeo.demo.world.world import World, WrittenLink

LISTS = {"front", "list", "search"}
"""The kinds of pages that show the site's items."""

TABLE_HOUR = 5
"""The hour at which timetables are renewed every day."""

_FRONT = 10
_COLLECTED = 14
_LAST_MONTH = 12


def shown(site: Site, place: SitePlace, now: float) -> list[Item]:
    """The items a list or front page shows at this time."""
    if place.kind == "front":
        return site.shelf(now)[:_FRONT]
    if place.kind == "search":
        words = place.query.casefold()
        return [item for item in site.shelf(now) if words in f"{item.title} {item.summary}".casefold()][:PER_LIST]
    items = site.shelf(now, place.topic)
    sort, stars = place.facets
    if stars:
        items = [item for item in items if float(rating(item)) >= float(stars)]
    if sort:
        items = sorted(items, key=lambda item: _sort_key(item, sort, now))
    return items[(place.page - 1) * PER_LIST : place.page * PER_LIST]


def _sort_key(item: Item, sort: str, now: float) -> tuple[float, str]:
    if sort == "name":
        return 0.0, item.title
    if sort == "rating":
        return -float(rating(item)), item.title
    digits = "".join(char for char in price(item, item.edits.count(now)) if char.isdigit())
    return float(digits), item.title


def record(world: World, site: Site, item: Item, now: float) -> Record:
    """An item as a list shows it."""
    row = {"title": item.title, "link": href(world, site, item.path_at(now))}
    date = written_date(site.spec.language, item.born)
    match item.kind:
        case "product":
            image = f"/img/{item.topic}-{item.number}.svg"
            shop = {"price": price(item, item.edits.count(now)), "image": image, "rating": rating(item), "date": date}
            return row | shop
        case "thread":
            return row | {"author": item.author, "replies": str(item.replies.count(now)), "date": date}
        case "article":
            return row | {"date": date, "author": item.author, "summary": item.summary}
        case "hub":
            return row | {"date": date}
        case _:
            return row | {"summary": item.summary}


def list_view(world: World, site: Site, place: SitePlace, now: float) -> View:
    """A page of a list."""
    label = label_of(site, place.topic)
    chance = Chance(site.seed, site.spec.host, place.topic, "list")
    intro = chance.pick(site.words.plain["list_intro"]).replace("{label}", label)
    title = label if place.page == 1 else f"{label} ({place.page})"
    return View(
        place=place,
        title=title,
        topic=site.topic_of(place),
        passages=(Passage("p", intro),),
        records=tuple(record(world, site, item, now) for item in shown(site, place, now)),
        crumbs=(WrittenLink(site.spec.name, href(world, site, "/")),),
        pager=_pager(world, site, place, now),
    )


def search_view(world: World, site: Site, place: SitePlace, now: float) -> View:
    """What a site finds in its own titles and summaries."""
    title = {"en": f"Search: {place.query}", "ko": f"검색: {place.query}"}[site.spec.language]
    rows = tuple(record(world, site, item, now) for item in shown(site, place, now))
    nothing = {"en": "Nothing was found.", "ko": "찾은 글이 없습니다."}[site.spec.language]
    return View(place=place, title=title, passages=() if rows else (Passage("p", nothing),), records=rows)


def _pager(world: World, site: Site, place: SitePlace, now: float) -> tuple[WrittenLink, ...]:
    """Links to the pages around this one, and to the other orders a shop offers."""
    last = site.pages_of(now, place.topic)
    near = sorted({1, last, *range(max(1, place.page - 2), min(last, place.page + 2) + 1)} - {place.page})
    links = [WrittenLink(str(page), href(world, site, site.addresses.listing(place.topic, page))) for page in near]
    if site.spec.has("facets"):
        plain = site.addresses.listing(place.topic, 1)
        links += [
            WrittenLink(f"▲ {sort}", href(world, site, f"{plain}&sort={sort}")) for sort in ("price", "name", "rating")
        ]
        sorting = f"&sort={place.facets[0]}" if place.facets[0] else ""
        links += [WrittenLink(f"★ {stars}+", href(world, site, f"{plain}{sorting}&stars={stars}")) for stars in "34"]
    return tuple(links)


def front_view(world: World, site: Site, place: SitePlace, now: float) -> View:
    """The front page: what is new, and in a newsroom a line that is renewed through the day."""
    main = next(iter(site.spec.topics))
    body = [Passage("p", _ticker(site, renewed(now)))] if site.spec.kind == "news" else []
    if not body:
        voice = Voice(site.words, site.words.subjects[main], Chance(site.seed, site.spec.host, "front"))
        body = [Passage("p", voice.paragraph(2))]
    lists = [
        WrittenLink(label_of(site, topic), href(world, site, site.addresses.listing(topic, 1)))
        for topic in site.topics()
    ]
    return View(
        place=place,
        title=site.spec.name,
        topic=site.topic_of(place),
        passages=tuple(body),
        records=tuple(record(world, site, item, now) for item in shown(site, place, now)),
        pager=tuple(lists),
    )


def _ticker(site: Site, at: int) -> str:
    voice = Voice(
        site.words, site.words.subjects[next(iter(site.spec.topics))], Chance(site.seed, site.spec.host, "ticker", at)
    )
    return f"{moment(at):%H:%M} {voice.sentence()}"


def hub_view(world: World, site: Site, place: SitePlace, now: float) -> View:
    """A collection of links to pages of other sites."""
    plain = item_view(world, site, place, now)
    item = place.item
    assert item is not None, "a collection is an item"
    rows = [
        {"title": reference.words, "link": reference.href, "summary": target.summary}
        for target, reference in world.collection(item, _COLLECTED)
    ]
    body = passages(item, item.edits.count(now), ())
    return View(
        place=place,
        title=plain.title,
        topic=plain.topic,
        passages=tuple(body),
        records=tuple(rows),
        byline=plain.byline,
        related=plain.related,
        elsewhere=tuple(Chance(*item.key, "fronts").some(world.fronts(), 5)),
        crumbs=plain.crumbs,
    )


def table_day(now: float) -> int:
    """The day whose timetable is shown at this time."""
    return int((now - TABLE_HOUR * HOUR) // DAY)


def table_view(world: World, site: Site, place: SitePlace, now: float) -> View:
    """A table that is renewed every morning: tides for the sea, departures for the railways."""
    day = table_day(now)
    chance = Chance(site.seed, site.spec.host, "table", day)
    topic, language = site.topic_of(place), site.spec.language
    tides = site.words.subjects[topic].family == "sea"
    turns = range(_TIDES if tides else _TRAINS)
    rows = [_tide(chance, turn, language) if tides else _departure(chance, turn, language) for turn in turns]
    return View(
        place=place,
        title=_TABLES[language][tides],
        topic=topic,
        passages=(Passage("p", written_date(language, day * DAY)),),
        records=tuple(rows),
        byline=Byline(site.spec.name, day * DAY, day * DAY),
        crumbs=(WrittenLink(site.spec.name, href(world, site, "/")),),
    )


_TIDES, _TRAINS = 4, 12
_TABLES = {"en": ("Departures today", "Tides today"), "ko": ("오늘의 열차", "오늘의 물때")}
_TOWNS = {
    "en": ("Summit", "Harbour", "Junction", "Lakeside", "Old Town", "Mill"),
    "ko": ("부산", "목포", "강릉", "여수", "정선", "제천"),
}


def _tide(chance: Chance, turn: int, language: str) -> Record:
    high = turn % 2 == 0
    name = {"en": ("Low water", "High water"), "ko": ("간조", "만조")}[language][high]
    height = chance.between(2.1, 3.4) if high else chance.between(0.2, 1.1)
    return {"title": name, "time": f"{turn * 6 + 1:02d}:{chance.below(60):02d}", "height": f"{height:.2f} m"}


def _departure(chance: Chance, turn: int, language: str) -> Record:
    platform = f"{1 + chance.below(6)}"
    return {
        "title": chance.pick(_TOWNS[language]),
        "time": f"{6 + turn:02d}:{chance.below(60):02d}",
        "platform": platform,
    }


def calendar_view(world: World, site: Site, place: SitePlace, _now: float) -> View:
    """A month of a calendar in which nothing happens and which never ends."""
    year, month = place.month
    before = (year, month - 1) if month > 1 else (year - 1, _LAST_MONTH)
    after = (year, month + 1) if month < _LAST_MONTH else (year + 1, 1)
    links = [WrittenLink(f"{y}-{m:02d}", href(world, site, f"/calendar/{y:04d}/{m:02d}/")) for y, m in (before, after)]
    body = (Passage("p", f"Nothing is planned for {year}-{month:02d}."),)
    return View(place=place, title=f"Calendar {year}-{month:02d}", passages=body, pager=tuple(links))
