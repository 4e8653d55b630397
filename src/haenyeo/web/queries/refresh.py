"""Freshness: when pages change, how long ago they were looked at, what is due."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from haenyeo.collect.service.forecast import Forecast
from haenyeo.collect.service.promises_kept import promises_kept
from haenyeo.model.zones import zone_named
from haenyeo.refresh.promise import PromisedWeek
from haenyeo.web.desk import Desk
from haenyeo.web.queries import figures


class ChangesSeen(msgspec.Struct, frozen=True, kw_only=True):
    """What visits have shown so far.

    `revisits` are the visits that could be compared with an earlier one, `changes` those that found something new,
    `week` the changes by weekday (Monday first) and hour of the settings' time zone, `ages` how long ago the kept pages
    were looked at; `promises` are the changes that the planner expected, week by week, and those that were found.
    """

    revisits: int
    changes: int
    week: figures.Counts
    ages: Sequence[tuple[str, int]]
    promises: Sequence[PromisedWeek] = ()


class WeekAhead(msgspec.Struct, frozen=True, kw_only=True):
    """What the planner expects; `forecast` is None while the first look ahead is being made.

    `by_budget` are pairs of requests a day and the share of copies they would keep up to date, None until known;
    `trouble` says why the planner could not be asked.
    """

    forecast: Forecast | None
    by_budget: Sequence[tuple[float, float]] | None
    trouble: str


class DuePage(msgspec.Struct, frozen=True, kw_only=True):
    """A page that is visited next; `changes` of its visits found something new."""

    url: str
    title: str
    last_at: datetime | None
    visits: int
    changes: int


def changes_seen(desk: Desk, now: datetime) -> ChangesSeen:
    """When pages changed, and how old the copies are."""
    visits = desk.columns.visits
    with desk.reading() as store:
        promises = promises_kept(store)
    return ChangesSeen(
        revisits=int((visits["changed"] >= 0).sum()),
        changes=int((visits["changed"] == 1).sum()),
        week=figures.week(visits, zone_named(desk.settings.refresh.time_zone)),
        ages=figures.ages(desk.columns.pages, now),
        promises=promises,
    )


def week_ahead(desk: Desk) -> WeekAhead:
    """The last look ahead; asks for a new one if something was visited since."""
    outlook = desk.outlook
    forecast = outlook.ask(len(desk.columns.visits))
    return WeekAhead(forecast=forecast, by_budget=outlook.by_budget, trouble=outlook.trouble)


def due_pages(desk: Desk, urls: Sequence[str]) -> list[DuePage]:
    """These pages, with what is known of each."""
    with desk.reading() as store:
        found = [(url, store.page(url), store.visits(url)) for url in urls]
    return [
        DuePage(
            url=url,
            title=page.title if page else "",
            last_at=page.last_at if page else None,
            visits=len(visits),
            changes=sum(visit.changed is True for visit in visits),
        )
        for url, page, visits in found
    ]
