"""The numbers that the views show, from the columns alone: no query, so they cost milliseconds at any size."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from itertools import pairwise

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.store.columns import OUTCOMES, Rows

MICROSECONDS = 1_000_000
DAY, HOUR = 24 * 3600 * MICROSECONDS, 3600 * MICROSECONDS
RECENT = 60  # minutes shown as rates
NO_ERROR = ("page", "unchanged", "listing", "duplicate")
POINTS = 160
HOURS_IN_WEEK = 7 * 24
MONDAY = 3 * DAY  # before the first Monday, counted from 1970

Counts = npt.NDArray[np.int64]
Depths = npt.NDArray[np.int32]


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    """A collection, or a part of it, in numbers."""

    asked: int
    fetched: int
    kept: int
    errors: int
    sites: int

    @property
    def harvest(self) -> float:
        """The share of what was fetched that was worth keeping."""
        return self.kept / self.fetched if self.fetched else 0.0


class SiteFigures(msgspec.Struct, frozen=True, kw_only=True):
    """One site in numbers."""

    site: str
    asked: int
    fetched: int
    kept: int
    errors: int
    waiting: int
    last_at: datetime | None

    @property
    def harvest(self) -> float:
        """The share of what was fetched that was worth keeping."""
        return self.kept / self.fetched if self.fetched else 0.0


def totals(pages: Rows) -> Totals:
    """All of these pages in numbers."""
    return Totals(
        asked=int(pages["asked"].sum()),
        fetched=int(pages["fetched"].sum()),
        kept=int(pages["kept"].sum()),
        errors=int(_failed(pages).sum()),
        sites=len(np.unique(pages["site"][pages["fetched"]])),
    )


def harvest(pages: Rows) -> list[tuple[int, int]]:
    """Pairs of pages fetched and pages kept among them, in the order of the crawl."""
    return _cumulated(pages["kept"][pages["fetched"]])


def breadth_first(pages: Rows, waiting: Depths) -> list[tuple[int, int]]:
    """What a crawl without judgement would have kept of as many pages: it asks for all of a depth before the next.

    `waiting` are the depths of the links that were never followed. Their pages count as none that are kept, since the
    crawl had its reasons, and as ones that lead on as others do: to pages of which nothing is known. On the demo web
    that is still twice what breadth first really keeps. A crawl that keeps all it fetches judges nothing itself.
    """
    fetched, depths = pages["fetched"], pages["depth"].clip(0)
    total = int(fetched.sum())
    if pages["kept"][fetched].all():
        return harvest(pages)
    levels = 1 + max(depths.max(initial=0), waiting.max(initial=0))
    known = np.bincount(depths[fetched], minlength=levels)
    kept = np.bincount(depths[fetched & pages["kept"]], minlength=levels)
    passed_over = np.bincount(waiting.clip(0), minlength=levels)
    found_on_each = (total + len(waiting)) / max(total, 1)
    unknown = 0.0
    expected = np.zeros(total)
    place = 0.0
    for level in range(levels):
        size = known[level] + passed_over[level] + unknown
        end = min(place + size, total)
        expected[round(place) : round(end)] = kept[level] / max(size, 1)
        place, unknown = end, (passed_over[level] + unknown) * found_on_each
    return _cumulated(expected)


def _cumulated(kept: npt.NDArray[np.bool_] | npt.NDArray[np.float64]) -> list[tuple[int, int]]:
    if not len(kept):
        return []
    sums = np.cumsum(kept)
    at = np.unique(np.linspace(1, len(kept), num=min(POINTS, len(kept)), dtype=np.int64))
    return [(0, 0), *((int(place), int(sums[place - 1])) for place in at)]


def by_minute(visits: Rows, now: datetime) -> list[int]:
    """Visits in each of the last minutes, the oldest first."""
    ages = (int(now.timestamp() * MICROSECONDS) - visits["at_us"]) // (60 * MICROSECONDS)
    recent = ages[(ages >= 0) & (ages < RECENT)]
    counts: list[int] = np.bincount(RECENT - 1 - recent, minlength=RECENT).tolist()
    return counts


def by_site(pages: Rows, names: dict[int, str], waiting: npt.NDArray[np.uint32]) -> list[SiteFigures]:
    """Every site in numbers, those with most kept pages first; sites that only wait come last."""
    size = max(names, default=0) + 1
    asked = np.bincount(pages["site"], pages["asked"], size)
    kept = np.bincount(pages["site"], pages["kept"], size)
    fetched = np.bincount(pages["site"], pages["fetched"], size)
    errors = np.bincount(pages["site"], _failed(pages), size)
    waits = np.bincount(waiting, minlength=size)
    last = np.zeros(size, np.int64)
    np.maximum.at(last, pages["site"], pages["last_us"])
    order = np.lexsort((-waits[:size], -asked, -kept))
    return [
        SiteFigures(
            site=names[number],
            asked=int(asked[number]),
            fetched=int(fetched[number]),
            kept=int(kept[number]),
            errors=int(errors[number]),
            waiting=int(waits[number]),
            last_at=moment(int(last[number])) if last[number] else None,
        )
        for number in order.tolist()
        if number in names and (asked[number] or waits[number])
    ]


def outcomes(pages: Rows) -> dict[str, int]:
    """How the last visits of what was asked for ended, the most frequent first."""
    counts = np.bincount(pages["outcome"][pages["asked"]], minlength=len(OUTCOMES))
    return {OUTCOMES[number]: int(counts[number]) for number in np.argsort(-counts, kind="stable") if counts[number]}


def week(visits: Rows, zone: tzinfo = UTC) -> Counts:
    """Changes seen in each hour of the week, Monday first: a table of 7 by 24; hours are today's of the zone."""
    shift = datetime.now(zone).utcoffset() or timedelta()
    changed = visits["at_us"][visits["changed"] == 1] + int(shift.total_seconds()) * MICROSECONDS
    hours = ((changed - MONDAY - DAY) // HOUR) % HOURS_IN_WEEK
    return np.bincount(hours, minlength=HOURS_IN_WEEK).reshape(7, 24)


def ages(pages: Rows, now: datetime) -> list[tuple[str, int]]:
    """How long ago the kept pages were last looked at."""
    age = (int(now.timestamp() * MICROSECONDS) - pages["last_us"][pages["kept"]]) / DAY
    borders = [0, 1 / 24, 1, 7, 30, 90, np.inf]
    names = ["within the hour", "today", "this week", "this month", "this quarter", "longer ago"]
    counts = [int(((age >= low) & (age < high)).sum()) for low, high in pairwise(borders)]
    return list(zip(names, counts, strict=True))


def moment(microseconds: int) -> datetime:
    """The time as the store writes it."""
    return datetime.fromtimestamp(microseconds / MICROSECONDS, UTC)


def _failed(pages: Rows) -> npt.NDArray[np.bool_]:
    return ~np.isin(pages["outcome"], [OUTCOMES.index(name) for name in NO_ERROR])
