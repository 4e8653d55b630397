"""What the planner `groups` has found, as the tables of its paper (Cho, Lee & Choi 2013, tables 3.3 to 3.5).

Table 3.3 has the changes of each page, table 3.4 those by weekday and hour, table 3.5 the pages that are visited at
each weekday and hour. A change lies between two visits; it is counted at the hour in the middle of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo
from itertools import pairwise

import msgspec

from haenyeo.model.parts import RevisitPlanner
from haenyeo.model.visits import Found
from haenyeo.refresh.groups.cycles import Cycle, requests_a_day
from haenyeo.refresh.groups.planner import GroupedPage, Groups
from haenyeo.refresh.groups.table import WEEKDAYS, weekly_table
from haenyeo.store import Store, StoredVisit

MOST_PAGES = 20
"""Pages of tables 3.3 and 3.4: those that change most."""
_TOLD = frozenset({Found.NEW, Found.NOT_MODIFIED, Found.SAME_BYTES, Found.SAME_TEXT, Found.NEAR_TEXT, Found.CHANGED})


class ChangingPage(msgspec.Struct, frozen=True, kw_only=True):
    """A row of table 3.3, with the page's group among the sixteen and the six; `cycle` is empty while it is learned."""

    url: str
    changes: int
    changes_a_week: float
    bytes_changed: int
    group: str
    cycle: str
    changes_by: str


class ChangingHour(msgspec.Struct, frozen=True, kw_only=True):
    """A row of table 3.4."""

    url: str
    weekday: str
    hour: int
    changes: int
    bytes_changed: int


class VisitingHour(msgspec.Struct, frozen=True, kw_only=True):
    """A row of table 3.5."""

    weekday: str
    hour: str
    urls: Sequence[str]


class GroupTables(msgspec.Struct, frozen=True, kw_only=True):
    """The three tables, the pages of each of the six groups, those still watched in turn, and what the table costs."""

    time_zone: str
    pages: Sequence[ChangingPage]
    hours: Sequence[ChangingHour]
    visits: Sequence[VisitingHour]
    groups: dict[str, int]
    learning: int
    requests_a_day: float


def group_tables(store: Store, planner: RevisitPlanner, zone: tzinfo, now: float) -> GroupTables | None:
    """The tables of a planner that groups its pages, as they are now; None for any other."""
    if not isinstance(planner, Groups):
        return None
    pages = planner.pages(now)
    most = {page.url: list(_changes(store.visits(page.url))) for page in pages[:MOST_PAGES] if page.changes}
    grouped = [(page.url, page.cycle, page.by_day) for page in pages if page.cycle is not None]
    counts = {cycle: sum(each is cycle for _, each, _ in grouped) for cycle in reversed(Cycle)}
    table = weekly_table(grouped, planner.hours)
    return GroupTables(
        time_zone=str(zone),
        pages=[_row(page, most[page.url]) for page in pages if page.url in most],
        hours=[row for url, changes in most.items() for row in _hours(url, changes, zone)],
        visits=[VisitingHour(weekday=day, hour=hour, urls=urls) for (day, hour), urls in table.items()],
        groups={cycle.label: count for cycle, count in counts.items()},
        learning=len(pages) - len(grouped),
        requests_a_day=requests_a_day(counts),
    )


def _changes(visits: Sequence[StoredVisit]) -> Iterator[tuple[datetime, int]]:
    """When a page changed, in the middle between two visits, and by how many bytes."""
    told = [visit for visit in visits if visit.found in _TOLD]
    size = 0
    for before, visit in pairwise(told):
        size = before.size or size  # a visit that confirms a copy brings no bytes
        if visit.found is Found.CHANGED:
            yield before.at + (visit.at - before.at) / 2, abs(visit.size - size)


def _row(page: GroupedPage, changes: Sequence[tuple[datetime, int]]) -> ChangingPage:
    return ChangingPage(
        url=page.url,
        changes=page.changes,
        changes_a_week=round(page.changes_a_week, 2),
        bytes_changed=sum(size for _, size in changes),
        group=page.group,
        cycle=page.cycle.label if page.cycle is not None else "",
        changes_by="day" if page.by_day else "night",
    )


def _hours(url: str, changes: Sequence[tuple[datetime, int]], zone: tzinfo) -> Iterator[ChangingHour]:
    cells: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for at, size in changes:
        local = at.astimezone(zone)
        cells[local.weekday(), local.hour].append(size)
    for (day, hour), sizes in sorted(cells.items()):
        yield ChangingHour(url=url, weekday=WEEKDAYS[day], hour=hour, changes=len(sizes), bytes_changed=sum(sizes))
