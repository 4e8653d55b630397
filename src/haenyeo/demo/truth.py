"""What is true of the demo web: the content of every page, the topics, and when pages changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal
from urllib.parse import parse_qsl, quote, unquote, urlsplit

import msgspec

from haenyeo.demo.chance import Chance, number
from haenyeo.demo.pages.feeds import allowed
from haenyeo.demo.text import Subject
from haenyeo.demo.world.items import Fate, Item
from haenyeo.demo.world.site import Gone, Redirect, Site, SitePlace
from haenyeo.demo.world.spec import Grade
from haenyeo.demo.world.versions import candidates, version, view
from haenyeo.demo.world.views import SESSION
from haenyeo.demo.world.world import World

What = Literal["born", "content", "comments", "layout", "moved", "gone"]


class PageTruth(msgspec.Struct, frozen=True, kw_only=True):
    """What a page says and what it is.

    `text` is the main text without title and comments; `records` are the rows of a list page, values and addresses
    as written. `kind` is what the page is (front, list, search, article, product, thread, entry, doc, hub, ad, about,
    table, print, calendar), `template` which of its site's templates shows it, `allowed` whether robots.txt lets it be
    fetched. `topic` is empty for pages on nothing in particular; `facts` are the price and rating of a product.
    """

    url: str
    site: str
    kind: str
    template: str
    topic: str
    family: str
    language: str
    title: str
    text: str
    comments: tuple[str, ...] = ()
    records: tuple[dict[str, str], ...] = ()
    facts: dict[str, str] = {}
    author: str = ""
    published: int | None = None
    allowed: bool = True


class TopicTruth(msgspec.Struct, frozen=True, kw_only=True):
    """A topic as a user would give it, and the pages that are about it.

    `like` and `unlike` are example pages, `seeds` an off-topic hub from which everything can be reached; `relevant` has
    every page about the topic that may be fetched, without print versions.
    """

    name: str
    label: str
    language: str
    family: str
    words: str
    like: tuple[str, ...]
    unlike: tuple[str, ...]
    seeds: tuple[str, ...]
    relevant: frozenset[str]


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened to a page at a time of the demo clock; `grade` says how much a layout changed."""

    at: int
    what: What
    grade: Grade | Literal[""] = ""


def place_at(site: Site, target: str, now: float) -> SitePlace | Redirect | Gone | None:
    """What is at a path with query of a site."""
    path, _, query = target.partition("?")
    if "%" in path or not path.isascii():
        path = quote(unquote(path), safe="/,:")
    return site.find(path, dict(parse_qsl(query)) if query else {}, now)


def split_url(world: World, url: str) -> tuple[Site, str] | None:
    """The site and the path with query of an absolute address, if it is one of this web's."""
    parts = urlsplit(url)
    site = world.sites.get((parts.hostname or "").removesuffix(".localhost"))
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return (site, target) if site else None


def session_of(world: World, site: Site, path: str) -> str:
    """The session number that stands in the links of a page."""
    return "".join(f"{number(world.seed, site.spec.host, path, half):016x}" for half in ("session", "number"))


def page_truth(world: World, site: Site, place: SitePlace, now: float) -> PageTruth:
    """The truth about a page at a time."""
    shown = view(world, site, place, now)
    session = session_of(world, site, place.path) if site.spec.has("session") else ""
    records = tuple({name: value.replace(SESSION, session) for name, value in row.items()} for row in shown.records)
    subject = site.words.subjects.get(shown.topic)
    return PageTruth(
        url=world.origin(site.spec.host) + place.path,
        site=site.spec.host,
        kind=place.kind,
        template=f"{site.spec.kind}-{place.kind}",
        topic=shown.topic,
        family=subject.family if subject else "",
        language=site.spec.language,
        title=shown.title,
        text=shown.text,
        comments=tuple(comment.text for comment in shown.comments),
        records=records,
        facts=dict(shown.facts),
        author=shown.byline.author if shown.byline else "",
        published=shown.byline.published if shown.byline else None,
        allowed=allowed(site, place.path),
    )


def page_truths(world: World, sites: Iterable[Site], now: float) -> Iterator[PageTruth]:
    """The truth about every page of these sites at a time."""
    for site in sites:
        for place in site.places(now):
            yield page_truth(world, site, place, now)


def topic_truths(world: World, now: float) -> list[TopicTruth]:
    """The topics one can look for, each with its pages."""
    pages: dict[str, set[str]] = {}
    for site in world.sites.values():
        for place in site.places(now):
            if place.kind != "print" and allowed(site, place.path):
                pages.setdefault(site.topic_of(place), set()).add(world.origin(site.spec.host) + place.path)
    return [
        _topic_truth(world, subject, hub, frozenset(pages[subject.name]))
        for hub in (world.sites["linkharbour"], world.sites["moabogi"])
        for subject in hub.words.subjects.values()
        if subject.family
    ]


def _topic_truth(world: World, subject: Subject, hub: Site, relevant: frozenset[str]) -> TopicTruth:
    language = hub.spec.language
    return TopicTruth(
        name=subject.name,
        label=subject.label,
        language=language,
        family=subject.family,
        words=subject.words,
        like=_examples(world, language, subject.name, like=True),
        unlike=_examples(world, language, subject.name, like=False),
        seeds=(world.origin(hub.spec.host) + "/",),
        relevant=relevant,
    )


_EXAMPLES = 4


def _examples(world: World, language: str, topic: str, *, like: bool) -> tuple[str, ...]:
    """Pages that stay, on the topic or (one of each other subject) off it, from different sites."""
    found: dict[str, Item] = {}
    for site in world.sites.values():
        for item in site.items[: site.spec.items] if site.spec.language == language else ():
            wanted = (item.topic == topic) == like and item.kind in {"article", "entry", "thread", "ad"}
            if wanted and item.fate == Fate() and not item.members and item.born < 0:
                found.setdefault(item.spec.host if like else item.topic, item)
    chosen = Chance(world.seed, "examples", topic, like).some(list(found.values()), _EXAMPLES)
    return tuple(world.url(item) for item in chosen)


def page_changes(world: World, url: str, since: float, until: float) -> list[Change]:
    """What happened to a page after `since`, up to and with `until`, in order."""
    split = split_url(world, url)
    if not split:
        return []
    site, target = split
    changes: list[Change] = []
    grades = dict(site.redesigns())
    before = _state(site, target, since)
    for at in _times(site, target, since, until):
        after = _state(site, target, at)
        changes += [
            Change(at=at, what=what, grade=grades[at] if what == "layout" else "")
            for what in _differences(before, after)
        ]
        before = after
    return changes


State = tuple[str, object, int, int]


def _state(site: Site, target: str, now: float) -> State:
    """Whether the page is there, and its version, number of comments and layout."""
    found = place_at(site, target, now)
    if isinstance(found, SitePlace):
        current = version(site, found, now)
        return "there", current.content, current.comments, site.layout(now)
    status = "moved" if isinstance(found, Redirect) else "gone"
    return status, None, 0, 0


def _differences(before: State, after: State) -> list[What]:
    if before[0] != after[0]:
        return ["born"] if after[0] == "there" else ["moved"] if after[0] == "moved" else ["gone"]
    names: tuple[What, ...] = ("content", "comments", "layout")
    return [name for name, old, new in zip(names, before[1:], after[1:], strict=True) if old != new]


def _times(site: Site, target: str, since: float, until: float) -> list[int]:
    """When the page at an address may have changed, whether it is there at the end or was before."""
    for now in (until, since):
        found = place_at(site, target, now)
        if isinstance(found, Gone):
            return candidates(site, SitePlace(found.item.kind, target, found.item), since, until)
        if isinstance(found, SitePlace):
            return candidates(site, found, since, until)
        if isinstance(found, Redirect):
            item = site.item_at(target)
            return candidates(site, SitePlace(item.kind, target, item), since, until) if item else []
    return []
