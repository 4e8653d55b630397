"""The sites: how the crawl is spread over them, and what is known of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from haenyeo.collect.adapters.watching.layouts import PART as LAYOUTS
from haenyeo.collect.adapters.watching.layouts import Kind, Layouts
from haenyeo.collect.adapters.watching.saved_rules import SavedRule
from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.collect.links.steering import read_course
from haenyeo.fetch.robots_keeper import kept_text
from haenyeo.html.parse import parse_html
from haenyeo.html.urls import site_of
from haenyeo.model.errors import NotThereError
from haenyeo.model.pages import Url
from haenyeo.read.page.judge import JudgedPage
from haenyeo.read.site.reader import SiteReader
from haenyeo.store import SiteFailure, Store
from haenyeo.store.columns import Rows
from haenyeo.watch.default import DefaultWatcher
from haenyeo.web.desk import Desk
from haenyeo.web.queries import figures
from haenyeo.web.queries.happenings import Happening, happening
from haenyeo.web.queries.originals import READ_PART

MOST_ERRORS, MOST_KINDS, MOST_ORIGINS, MOST_HAPPENINGS = 20, 40, 5, 100
LONGEST_ROBOTS = 4000  # characters shown


class SitePace(msgspec.Struct, frozen=True, kw_only=True):
    """How fast a site answers (seconds), how far apart it is asked (seconds), and how much it sent."""

    answers: float
    slowest: float
    gap: float
    bytes: float


class SiteAccount(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of a site.

    `site` is None while nothing of it was asked and nothing waits. `robots` has the robots.txt of each origin,
    `containers` how many pages taught the reader and in which elements the text stands, `kinds` the page templates
    whose layouts are watched.
    """

    name: str
    site: figures.SiteFigures | None
    outcomes: Mapping[str, int]
    pace: SitePace | None
    robots: Sequence[tuple[str, str]]
    errors: Sequence[SiteFailure]
    containers: tuple[int, Sequence[str]]
    kinds: Sequence[tuple[str, Kind]]
    rules: Sequence[SavedRule]
    happenings: Sequence[Happening]
    blocked: bool


def all_sites(desk: Desk) -> list[figures.SiteFigures]:
    """Every site in numbers that brought content or waits for its turn, those with most kept pages first."""
    found = figures.by_site(desk.columns.pages, desk.sites, desk.waiting.sites)
    return [site for site in found if site.fetched or site.waiting]


def one_site(desk: Desk, name: str) -> SiteAccount:
    """The account of the site of this name; raises `NotThereError` if there is none."""
    number = next((number for number, known in desk.sites.items() if known == name), None)
    if number is None:
        raise NotThereError("there is no site of this name")
    table = desk.columns.pages
    own = table[table["site"] == number]
    waiting = desk.waiting.sites[desk.waiting.sites == number]
    with desk.reading() as store:
        return SiteAccount(
            name=name,
            site=figures.by_site(own, {number: name}, waiting)[0] if len(own) or len(waiting) else None,
            outcomes=figures.outcomes(own),
            pace=_pace(desk, own),
            robots=_robots(store, name),
            errors=store.site_failures(number, MOST_ERRORS),
            containers=_containers(store, name),
            kinds=_kinds(store, name),
            rules=[rule for rule in Shelf(store) if rule.site == name],
            happenings=_happenings(desk, name),
            blocked=name in read_course(desk.folder).block,
        )


def _pace(desk: Desk, own: Rows) -> SitePace | None:
    """How fast it was asked and how fast it answered; None before it has answered."""
    visits = desk.columns.visits
    mine = visits[np.isin(visits["page"], own["id"]) & (visits["seconds"] > 0)]
    if not len(mine):
        return None
    gaps = np.diff(np.sort(mine["at_us"])) / figures.MICROSECONDS
    return SitePace(
        answers=float(np.median(mine["seconds"])),
        slowest=float(mine["seconds"].max()),
        gap=float(np.median(gaps)) if len(gaps) else 0.0,
        bytes=float(mine["size"].sum()),
    )


def _robots(store: Store, name: str) -> list[tuple[str, str]]:
    """The robots.txt of the site's origins, as kept."""
    found = []
    for origin in store.state_keys("robots", name, MOST_ORIGINS):
        text = store.state("robots", origin)
        assert text is not None
        found.append((origin, kept_text(text).decode("utf-8", "replace")[:LONGEST_ROBOTS]))
    return found


def _containers(store: Store, name: str) -> tuple[int, tuple[str, ...]]:
    """How many pages taught the reader, and in which elements the site's text stands."""
    state = store.state(READ_PART, name)
    if not state:
        return 0, ()
    reader = SiteReader.from_bytes(state)
    reader.read(JudgedPage.of(parse_html("", Url(f"http://{name}/"))))  # lessons are drawn when a page is read
    return reader.pages, reader.containers


def _kinds(store: Store, name: str) -> list[tuple[str, Kind]]:
    """The kinds of pages whose layouts are watched, those that changed last first."""
    templates = store.state_keys(LAYOUTS, name, MOST_KINDS)
    layouts = Layouts(store, DefaultWatcher())
    found = [(template, layouts.kind(template)) for template in templates if site_of(Url(f"http://{template}")) == name]
    return sorted(found, key=lambda kind: (-kind[1].changes, kind[0]))


def _happenings(desk: Desk, name: str) -> list[Happening]:
    """What was told of the site's layouts and rules, the newest first."""
    found = []
    for event in reversed(desk.events):
        told = happening(event)
        if told.facts.get("site") == name or f"//{name}" in told.url or f".{name}/" in told.url:
            found.append(told)
    return found[:MOST_HAPPENINGS]
