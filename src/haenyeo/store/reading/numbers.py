"""The collection in numbers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import numpy as np

from haenyeo.model.pages import Url
from haenyeo.model.visits import Found, Outcome
from haenyeo.store.encoding import microseconds, moment
from haenyeo.store.reading.connected import Connected
from haenyeo.store.records import Counts, FailureCounts, FoundCounts, SiteCounts, SiteFailure

BROUGHT_SOMETHING = (Outcome.PAGE, Outcome.UNCHANGED, Outcome.LISTING, Outcome.DUPLICATE)
# An address counts as asked for if it is finished or ever brought content: not if it never answered and waits.
COLUMNS_OF_PAGES = (
    "SELECT id, site, finished OR body_visit IS NOT NULL, kept, body_visit IS NOT NULL, outcome, language, kind, depth,"
    " first_us, last_us, coalesce(changed_us, 0), relevance FROM page WHERE moved_to IS NULL AND "
)
COLUMNS_OF_VISITS = (
    "SELECT id, page, at_us, outcome, changed, ref, seconds, size FROM visit WHERE id > ? ORDER BY id LIMIT ?"
)


class NumberReading(Connected):
    """The questions that are answered by counting."""

    def counts(self) -> Counts:
        """The collection in numbers."""
        outcomes = self._rows(
            "SELECT outcome, count(*), sum(kept), sum(body_visit IS NOT NULL), sum(finished OR body_visit IS NOT NULL)"
            " FROM page WHERE moved_to IS NULL GROUP BY outcome"
        )
        [(visits, addresses, sites, archived)] = self._rows(
            "SELECT (SELECT coalesce(max(id), 0) FROM visit), (SELECT coalesce(max(id), 0) FROM page),"
            " (SELECT count(DISTINCT site) FROM page WHERE body_visit IS NOT NULL),"
            " (SELECT coalesce(sum(length), 0) FROM archive)"
        )
        return Counts(
            found=self._links.found(),
            visits=visits,
            asked=sum(row[4] for row in outcomes),
            fetched=sum(row[3] for row in outcomes),
            kept=sum(row[2] for row in outcomes),
            moved=addresses - sum(row[1] for row in outcomes),
            sites=sites,
            outcomes={row[0]: row[4] for row in outcomes if row[4]},
            archive_bytes=archived,
            database_bytes=self._path.stat().st_size,
        )

    def site_counts(self) -> list[SiteCounts]:
        """Every site that ever brought content, in numbers, the one with the most kept pages first."""
        rows = self._rows(
            "SELECT site.name, sum(finished OR body_visit IS NOT NULL), sum(body_visit IS NOT NULL), sum(kept),"
            " max(last_us) FROM page JOIN site ON site.id = page.site WHERE moved_to IS NULL GROUP BY site.id"
            " HAVING max(body_visit IS NOT NULL) ORDER BY 4 DESC, 3 DESC, 1"
        )
        return [
            SiteCounts(site=row[0], asked=row[1], fetched=row[2], kept=row[3], last_at=moment(row[4])) for row in rows
        ]

    def failures(self) -> list[FailureCounts]:
        """Why addresses brought no page, the most frequent reason first."""
        rows = self._rows(
            "SELECT outcome, reason, count(*), min(url) FROM page WHERE moved_to IS NULL AND outcome NOT IN (?, ?, ?)"
            " GROUP BY outcome, reason ORDER BY 3 DESC, 1, 2",
            (Outcome.PAGE.value, Outcome.UNCHANGED.value, Outcome.LISTING.value),
        )
        return [
            FailureCounts(outcome=Outcome(row[0]), reason=row[1], pages=row[2], example=Url(row[3])) for row in rows
        ]

    def site_failures(self, site: int, most: int) -> list[SiteFailure]:
        """Why addresses of the site of this number brought no page, the most frequent reason first."""
        rows = self._rows(
            "SELECT outcome, reason, status, count(*), min(url) FROM page WHERE site = ? AND moved_to IS NULL"
            " AND outcome NOT IN (?, ?, ?, ?) GROUP BY 1, 2, 3 ORDER BY 4 DESC LIMIT ?",
            (site, *(outcome.value for outcome in BROUGHT_SOMETHING), most),
        )
        return [
            SiteFailure(outcome=Outcome(row[0]), reason=row[1], status=row[2], pages=row[3], example=Url(row[4]))
            for row in rows
        ]

    def harvest(self, points: int = 200) -> list[tuple[int, int]]:
        """Pairs of pages fetched and pages kept among them, at most `points`, the last one being the present."""
        rows = self._rows("SELECT kept FROM page WHERE body_visit IS NOT NULL AND moved_to IS NULL ORDER BY id")
        if not rows:
            return []
        kept = np.cumsum([row[0] for row in rows])
        fetched = np.unique(np.linspace(1, len(rows), num=min(points, len(rows)), dtype=np.int64))
        return [(int(number), int(kept[number - 1])) for number in fetched]

    def newest_visit(self) -> int:
        """The highest number of a visit; 0 if there is none."""
        return int(self._rows("SELECT coalesce(max(id), 0) FROM visit")[0][0])

    def answers_since(self, visit: int, apart: str) -> int:
        """How many visits after the one of this number followed a link and were answered, not for the reason `apart`.

        So many pages a crawl that began then has counted.
        """
        query = "SELECT count(*) FROM visit WHERE id > ? AND ref IS NOT NULL AND outcome IN (?, ?, ?) AND reason <> ?"
        answers = (Outcome.PAGE.value, Outcome.DUPLICATE.value, Outcome.USELESS.value)
        return int(self._rows(query, (visit, *answers, apart))[0][0])

    def found_counts(self, since: datetime | None = None) -> list[FoundCounts]:
        """What visits found, how many and of how many bytes, over all time or since a moment."""
        rows = self._rows(
            "SELECT found, count(*), sum(size) FROM visit WHERE at_us >= ? GROUP BY found ORDER BY 2 DESC",
            (0 if since is None else microseconds(since),),
        )
        return [FoundCounts(found=Found(row[0]), visits=row[1], bytes=row[2]) for row in rows]

    def page_columns(self, after: int, most: int) -> list[tuple[Any, ...]]:
        """The pages with numbers above `after` as rows for `CollectionColumns`."""
        return self._rows(COLUMNS_OF_PAGES + "id > ? ORDER BY id LIMIT ?", (after, most))

    def page_columns_of(self, numbers: Iterable[int]) -> list[tuple[Any, ...]]:
        """The pages of these numbers as rows for `CollectionColumns`."""
        wanted = ",".join(str(int(number)) for number in numbers)
        return self._rows(COLUMNS_OF_PAGES + f"id IN ({wanted}) ORDER BY id")

    def visit_columns(self, after: int, most: int) -> list[tuple[Any, ...]]:
        """The visits with numbers above `after` as rows for `CollectionColumns`."""
        return self._rows(COLUMNS_OF_VISITS, (after, most))
