"""The sites: how the crawl is spread over them, and what is known of each."""

from __future__ import annotations

from typing import Any

import numpy as np
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from haenyeo.collect.adapters.watching.layouts import PART as LAYOUTS
from haenyeo.collect.adapters.watching.layouts import Kind, Layouts
from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.collect.links.steering import read_course
from haenyeo.fetch.robots_keeper import kept_text
from haenyeo.html.parse import parse_html
from haenyeo.html.urls import site_of
from haenyeo.model.pages import Url
from haenyeo.read.page.judge import JudgedPage
from haenyeo.read.site.reader import SiteReader
from haenyeo.store import Store
from haenyeo.store.columns import OUTCOMES, Rows
from haenyeo.watch.default import DefaultWatcher
from haenyeo.web import figures
from haenyeo.web.desk import Desk
from haenyeo.web.happenings import Happening, happening
from haenyeo.web.originals import READ_PART
from haenyeo.web.plots import treemap
from haenyeo.web.plots.treemap import NARROW, WIDE
from haenyeo.web.render import page

BOXES, ROWS = 60, 100
ROOMS = {"wide": WIDE, "narrow": NARROW}
MOST_ERRORS, MOST_KINDS = 20, 40
LONGEST_ROBOTS = 4000  # characters shown


def sites(request: Request) -> Response:
    """All sites: a tree map and a table."""
    desk: Desk = request.app.state.desk
    waiting = desk.waiting.sites
    found = figures.by_site(desk.columns.pages, desk.sites, waiting)
    largest = sorted((site for site in found if site.fetched), key=lambda site: -site.fetched)[:BOXES]
    return page(
        request,
        "sites.html",
        view="sites",
        sites=found[:ROWS],
        total=len(found),
        largest=largest,
        trees=[(name, room, treemap([site.fetched for site in largest], room)) for name, room in ROOMS.items()],
    )


def one_site(request: Request) -> Response:
    """One site: pace, robots.txt, errors, what was learnt of its layout."""
    desk: Desk = request.app.state.desk
    name = request.path_params["name"]
    number = next((number for number, known in desk.sites.items() if known == name), None)
    if number is None:
        raise HTTPException(404, "there is no site of this name")
    table = desk.columns.pages
    own = table[table["site"] == number]
    waiting = desk.waiting.sites[desk.waiting.sites == number]
    with desk.reading() as store:
        return page(
            request,
            "site.html",
            view="sites",
            site=figures.by_site(own, {number: name}, waiting)[0] if len(own) or len(waiting) else None,
            name=name,
            outcomes=figures.outcomes(own),
            pace=_pace(desk, own),
            robots=_robots(store, name),
            errors=_errors(store, number),
            containers=_containers(store, name),
            kinds=_kinds(store, name),
            rules=[rule for rule in Shelf(store) if rule.site == name],
            happenings=_happenings(desk, name),
            blocked=name in read_course(desk.folder).block,
        )


def _pace(desk: Desk, own: Rows) -> dict[str, float] | None:
    """How fast it was asked and how fast it answered."""
    visits = desk.columns.visits
    mine = visits[np.isin(visits["page"], own["id"]) & (visits["seconds"] > 0)]
    if not len(mine):
        return None
    gaps = np.diff(np.sort(mine["at_us"])) / figures.MICROSECONDS
    return {
        "answers": float(np.median(mine["seconds"])),
        "slowest": float(mine["seconds"].max()),
        "gap": float(np.median(gaps)) if len(gaps) else 0.0,
        "bytes": float(mine["size"].sum()),
    }


def _robots(store: Store, name: str) -> list[tuple[str, str]]:
    """The robots.txt of the site's origins, as kept."""
    found = []
    for (origin,) in store.ask("SELECT key FROM state WHERE part = 'robots' AND instr(key, ?) > 0 LIMIT 5", (name,)):
        text = store.state("robots", origin)
        assert text is not None
        found.append((origin, kept_text(text).decode("utf-8", "replace")[:LONGEST_ROBOTS]))
    return found


def _errors(store: Store, number: int) -> list[tuple[Any, ...]]:
    quiet = ("page", "unchanged", "listing", "duplicate")
    rows: list[tuple[Any, ...]] = store.ask(
        "SELECT outcome, reason, status, count(*), min(url) FROM page WHERE site = ? AND moved_to IS NULL"
        " AND outcome NOT IN (?, ?, ?, ?) GROUP BY 1, 2, 3 ORDER BY 4 DESC LIMIT ?",
        (number, *quiet, MOST_ERRORS),
    )
    assert all(row[0] in OUTCOMES for row in rows)
    return rows


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
    rows = store.ask("SELECT key FROM state WHERE part = ? AND instr(key, ?) > 0 LIMIT ?", (LAYOUTS, name, MOST_KINDS))
    layouts = Layouts(store, DefaultWatcher())
    found = [(template, layouts.kind(template)) for (template,) in rows if site_of(Url(f"http://{template}")) == name]
    return sorted(found, key=lambda kind: (-kind[1].changes, kind[0]))


def _happenings(desk: Desk, name: str) -> list[Happening]:
    """What was told of the site's layouts and rules, the newest first."""
    found = []
    for event in reversed(desk.events):
        told = happening(event)
        if told.facts.get("site") == name or f"//{name}" in told.url or f".{name}/" in told.url:
            found.append(told)
    return found[:ROWS]
