"""The collection at a glance: what was found at what price, how fast, and which pages to look at first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.collect.adapters.finding.said import told_by_user
from haenyeo.collect.advice import advice_for
from haenyeo.model.visits import Outcome
from haenyeo.store import StoredFingerprint
from haenyeo.web.desk import Desk
from haenyeo.web.queries import figures
from haenyeo.web.queries.listing import PageRow, listed

FRESH = timedelta(days=7)
CANDIDATES = 20  # pages looked at for each that is shown among the best
NEARLY_THE_SAME = 3  # bits in which the fingerprints of such pages differ at most
SAME_SITE = 0.05  # how much less relevant each further page of a site counts


class CrawlProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far the crawl is; `waiting` is None until the links have been counted.

    `harvest` and `breadth_first` are pairs of pages fetched and pages kept, as crawled and as they would have been
    breadth first; `by_minute` are the visits of the last hour, the oldest minute first.
    """

    totals: figures.Totals
    waiting: int | None
    harvest: Sequence[tuple[int, int]]
    breadth_first: Sequence[tuple[int, int]]
    by_minute: list[int]


def crawl_progress(desk: Desk, now: datetime) -> CrawlProgress:
    """What was found so far, and how fast."""
    pages, visits = desk.columns.pages, desk.columns.visits
    return CrawlProgress(
        totals=figures.totals(pages),
        waiting=len(desk.waiting) if desk.counted else None,
        harvest=figures.harvest(pages),
        breadth_first=figures.breadth_first(pages, desk.waiting.depths),
        by_minute=figures.by_minute(visits, now),
    )


def share_seen_lately(desk: Desk, now: datetime) -> float | None:
    """The share of kept pages that were looked at within a week; None when there are none."""
    pages = desk.columns.pages
    seen = pages["last_us"][pages["kept"]]
    if not len(seen):
        return None
    return float((seen >= (now - FRESH).timestamp() * figures.MICROSECONDS).mean())


class ReasonCount(msgspec.Struct, frozen=True, kw_only=True):
    """Why pages were not read: how many, one of them, and what can be done about it."""

    reason: str
    pages: int
    example: str
    advice: str


def reasons(desk: Desk, most: int) -> list[ReasonCount]:
    """The most frequent reasons for which pages were not read, those that are there already left out."""
    found = [failure for failure in desk.failures if failure.outcome is not Outcome.DUPLICATE]
    return [
        ReasonCount(
            reason=failure.reason or failure.outcome.value,
            pages=failure.pages,
            example=failure.example,
            advice=advice_for(failure.reason),
        )
        for failure in found[:most]
    ]


def best_pages(desk: Desk, most: int) -> list[PageRow]:
    """The kept pages that fit their topics best: what the user gave or judged himself is left out.

    Of pages that are nearly the same only the best is shown, and every further page of one site counts a little less.
    """
    pages = desk.columns.pages
    order = np.argsort(-pages["relevance"], kind="stable")
    numbers = pages["id"][order[pages["kept"][order]][: CANDIDATES * most]].tolist()
    with desk.reading() as store:
        told = told_by_user(desk.settings.topic, store)
        prints = store.fingerprints_of(numbers)
    rows = [row for row in listed(desk, numbers) if row.url not in told]
    return _diverse(_without_doubles(rows, prints), most)


def _without_doubles(rows: Sequence[PageRow], prints: Mapping[int, StoredFingerprint]) -> list[PageRow]:
    """The rows without those that are nearly the same as one before."""
    shown: list[StoredFingerprint] = []
    kept = []
    for row in rows:
        own = prints[row.id]
        if not any(own.digest == other.digest or _alike(own.simhash, other.simhash) for other in shown):
            shown.append(own)
            kept.append(row)
    return kept


def _alike(one: int, other: int) -> bool:
    return bool(one and other) and (one ^ other).bit_count() <= NEARLY_THE_SAME


def _diverse(rows: Sequence[PageRow], most: int) -> list[PageRow]:
    """The best rows, each chosen with what its site has already in mind."""
    left = list(rows)
    chosen: list[PageRow] = []
    shown: Counter[str] = Counter()
    while left and len(chosen) < most:
        best = max(left, key=lambda row: (row.best or 0.0) - SAME_SITE * shown[row.site])
        left.remove(best)
        shown[best.site] += 1
        chosen.append(best)
    return chosen


def newest_pages(desk: Desk, most: int) -> list[PageRow]:
    """The kept pages that were found last."""
    return _first_kept(desk, -desk.columns.pages["first_us"], most)


def _first_kept(desk: Desk, keys: npt.NDArray[np.float32] | npt.NDArray[np.int64], most: int) -> list[PageRow]:
    pages = desk.columns.pages
    order = np.argsort(keys, kind="stable")
    kept = order[pages["kept"][order]][:most]
    return listed(desk, pages["id"][kept].tolist())
