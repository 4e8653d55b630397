"""What a page says, whatever it looks like: the content that layouts dress and that tests compare with."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from haenyeo.demo.chance import Chance
from haenyeo.demo.clock import moment
from haenyeo.demo.text import Voice
from haenyeo.demo.world.addresses import EVERYTHING
from haenyeo.demo.world.content import Comment, Passage, comments, passages, price, rating
from haenyeo.demo.world.items import Item
from haenyeo.demo.world.site import Site, SitePlace
from haenyeo.demo.world.world import World, WrittenLink

Record = dict[str, str]
"""A row of a list page: field name to the value as it is written on the page."""

SESSION = "@session@"
"""Stands in addresses where a site writes a session number, which differs from page to page."""

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_ENTRY_REFERENCES, _ARTICLE_REFERENCES = 4, 2


class Byline(NamedTuple):
    """Who wrote a page, when, and when it was last changed."""

    author: str
    published: int
    modified: int


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a page at a time."""

    place: SitePlace
    title: str
    topic: str = ""
    passages: tuple[Passage, ...] = ()
    comments: tuple[Comment, ...] = ()
    records: tuple[Record, ...] = ()
    byline: Byline | None = None
    image: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    related: tuple[WrittenLink, ...] = ()
    elsewhere: tuple[WrittenLink, ...] = ()
    crumbs: tuple[WrittenLink, ...] = ()
    pager: tuple[WrittenLink, ...] = ()

    @property
    def text(self) -> str:
        """The main text, a line for the facts, for each block and row, and for title and summary of each record."""
        lines = [" ".join(value for _, value in self.facts)]
        lines += [passage.text.replace("\t", " ") for passage in self.passages]
        lines += [record.get(key, "") for record in self.records for key in ("title", "summary")]
        return "\n".join(line for line in lines if line)


def href(world: World, site: Site, path: str) -> str:
    """A site's own address as the site writes it in its links."""
    if site.spec.has("session"):
        return f"{path}{'&' if '?' in path else '?'}PHPSESSID={SESSION}"
    return world.origin(site.spec.host) + path if site.spec.has("absolute") else path


def written_date(language: str, at: float) -> str:
    """A date as pages of the language write it."""
    day = moment(at)
    if language == "ko":
        return f"{day.year}년 {day.month}월 {day.day}일"
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def label_of(site: Site, topic: str) -> str:
    """What the site calls the list of a topic."""
    everything = {"en": "All pages", "ko": "전체 글"}[site.spec.language]
    return everything if topic == EVERYTHING else site.words.subjects[topic].label


def item_view(world: World, site: Site, place: SitePlace, now: float) -> View:
    """The page of an article, product, thread, entry or document."""
    item = _item_of(place)
    edits = item.edits.count(now)
    chance = Chance(*item.key, "links")
    related = _related(world, site, item, chance)
    outside = world.elsewhere(item, _outside_links(item), chance)
    woven = (related[3:] + outside)[: _ENTRY_REFERENCES if item.kind == "entry" else _ARTICLE_REFERENCES]
    body = passages(item, edits, woven if item.kind in {"article", "entry"} else ())
    return View(
        place=place,
        title=item.title,
        topic=item.topic,
        passages=tuple(body),
        comments=tuple(comments(item, now)),
        byline=Byline(item.author, item.born, item.edits.last(now) or item.born),
        image=_image(item),
        facts=_facts(item, edits),
        related=tuple(related[:3]),
        elsewhere=tuple(outside),
        crumbs=_crumbs(world, site, item.topic),
    )


def print_view(world: World, site: Site, place: SitePlace, now: float) -> View:
    """The print version of an item: the same text and next to nothing else."""
    item = _item_of(place)
    whole = item_view(world, site, place, now)
    back = WrittenLink(item.title, href(world, site, item.path_at(now)))
    return msgspec.structs.replace(whole, comments=(), related=(back,), elsewhere=(), crumbs=(), image="")


def about_view(world: World, site: Site, place: SitePlace, _now: float) -> View:
    """What a site says about itself."""
    topic = next(iter(site.spec.topics))
    voice = Voice(site.words, site.words.subjects[topic], Chance(site.seed, site.spec.host, "about"))
    title = {"en": f"About {site.spec.name}", "ko": f"{site.spec.name} 소개"}[site.spec.language]
    body = (Passage("p", voice.about(site.spec.name)), Passage("p", voice.paragraph(3)))
    return View(place=place, title=title, passages=body, crumbs=_crumbs(world, site, EVERYTHING))


def _related(world: World, site: Site, item: Item, chance: Chance) -> list[WrittenLink]:
    """Other items of the site, mostly on the same topic: those an editor would have linked."""
    older = [other for other in site.items[: max(site.spec.items, item.number)] if other.number != item.number]
    same = [other for other in older if other.topic == item.topic] or older
    chosen = [*chance.some(same, 4), *chance.some(older, 1)]
    return [WrittenLink(other.title, href(world, site, other.path)) for other in chosen]


def _outside_links(item: Item) -> int:
    if item.kind == "ad":
        return 12
    return item.number % 3 + (item.kind in {"article", "entry", "thread"})


def _item_of(place: SitePlace) -> Item:
    assert place.item is not None, "this kind of page has an item"
    return place.item


def _image(item: Item) -> str:
    shown = item.kind == "product" or (item.kind in {"article", "entry"} and item.number % 2 == 0)
    return f"/img/{item.topic}-{item.number}.svg" if shown else ""


def _facts(item: Item, edits: int) -> tuple[tuple[str, str], ...]:
    if item.kind != "product":
        return ()
    return (("price", price(item, edits)), ("rating", rating(item)))


def _crumbs(world: World, site: Site, topic: str) -> tuple[WrittenLink, ...]:
    home = WrittenLink(site.spec.name, href(world, site, "/"))
    shown = topic if topic in site.topics() else EVERYTHING
    return (home, WrittenLink(label_of(site, shown), href(world, site, site.addresses.listing(shown, 1))))
