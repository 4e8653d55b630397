"""How fresh would a planner have kept pages whose changes are known? Hour by hour through a change log.

Change times are exact, so the time in which a copy is stale is exact too. The first days are for learning: they cost
requests, and only what comes after them is scored.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

import msgspec

from haenyeo.model.parts import RevisitPlanner

HOUR, DAY = 3600, 86_400
LEARNING_DAYS = 28


class PageHistory(msgspec.Struct, frozen=True):
    """A page and when it changed, in seconds since the log's first moment; `born` is when it became known."""

    url: str
    site: str
    born: int
    changes: tuple[int, ...]


class ChangeLog(msgspec.Struct, frozen=True):
    """The histories of many pages over the same time; `start` is unix time, a Monday 00:00 UTC."""

    pages: Sequence[PageHistory]
    length: int
    start: int = 1_700_438_400


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """What a planner achieved after learning: shares of page-time stale and of versions captured, requests a day."""

    stale: float
    captured: float
    requests_a_day: float


class _Copies:
    """The stored copies, and how long they have been stale since the scoring began."""

    def __init__(self, log: ChangeLog, scored_from: int) -> None:
        self._log, self._scored_from = log, scored_from
        self._visited = [page.born for page in log.pages]
        self._numbers = {page.url: number for number, page in enumerate(log.pages)}
        self.stale = self.watched = 0.0
        self.requests = self.captured = 0

    def visit(self, url: str, now: int) -> bool:
        """Bring a copy up to date; returns whether the page had changed."""
        number = self._numbers[url]
        changed = self._account(number, now)
        self._visited[number] = now
        if now >= self._scored_from:
            self.requests += 1
            self.captured += changed
        return changed

    def close(self) -> None:
        """Count the stale time after the last visits; called once at the end."""
        for number in range(len(self._visited)):
            self._account(number, self._log.length)

    def _account(self, number: int, now: int) -> bool:
        changes, since = self._log.pages[number].changes, self._visited[number]
        unseen = bisect_right(changes, since)
        stale_from = changes[unseen] if unseen < len(changes) else now + 1
        scored = max(since, self._scored_from)
        if now > scored:
            self.watched += now - scored
            self.stale += max(0, now - max(stale_from, scored))
        return stale_from <= now


def replay(
    log: ChangeLog,
    planner: RevisitPlanner,
    per_day: float,
    learning_days: int = LEARNING_DAYS,
    *,
    learning_visits: int = 0,
) -> Score:
    """Run a planner through a change log hour by hour, with so many requests a day; returns how it did.

    With `learning_visits` every page is visited so often a day while the planner learns, whatever its budget is.
    """
    copies = _Copies(log, learning_days * DAY)
    births = sorted(log.pages, key=lambda page: page.born)
    known, budget = 0, 0.0
    for now in range(0, log.length, HOUR):
        first = known
        while known < len(births) and births[known].born <= now:
            known += 1
        new = births[first:known]
        planner.add([page.url for page in new], [page.site for page in new], log.start + now)
        if learning_visits and now < learning_days * DAY:
            _visit_all(births[:known], planner, copies, log.start, range(now, now + HOUR, DAY // learning_visits))
            continue
        budget = min(budget + per_day / 24, max(per_day, 1.0))
        due = planner.due(log.start + now, int(budget)) if now else []
        planner.observe(due, log.start + now, [copies.visit(url, now) for url in due])
        budget -= len(due)
    copies.close()
    return _score(log, copies, learning_days)


def _visit_all(
    pages: Sequence[PageHistory], planner: RevisitPlanner, copies: _Copies, start: int, moments: Iterable[int]
) -> None:
    """Visit every page at each of these moments."""
    urls = [page.url for page in pages]
    for now in moments:
        planner.observe(urls, start + now, [copies.visit(url, now) for url in urls])


def _score(log: ChangeLog, copies: _Copies, learning_days: int) -> Score:
    versions = sum(len(page.changes) - bisect_right(page.changes, learning_days * DAY) for page in log.pages)
    return Score(
        stale=copies.stale / max(1.0, copies.watched),
        captured=copies.captured / max(1, versions),
        requests_a_day=copies.requests / max(1.0, log.length / DAY - learning_days),
    )
