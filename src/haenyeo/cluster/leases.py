"""What the coordinator decides, from reports alone: who may fetch how many pages, and when the crawl is over.

Pages are leased in absolute numbers: a shard may have fetched so many in the run in all. The leases of all shards never
add up to more than the run's pages, so whatever is killed or told twice, no more are fetched. Leases go where the best
links wait: the worths of what waits in all shards are merged, and a cut is made where as many links lie above it as
may be fetched until the next reports; a shard may fetch those of its links that lie above. So one whose links are worth
little rests while others have better ones, also one whose links have lost their worth until it hears of its lease. What
a shard has not used when others have better links, or cannot use, is taken back, and counts as free once the shard has
said that it knows. The user's examples and seeds come first, whichever shard has them.

The crawl is over when in two rounds, one after the other, all shards were at rest with nothing to send or to take in,
and none had done anything between its two reports: a link under way would have been seen in one of the two.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from haenyeo.cluster.messages import GIVEN, RANKS, ClusterRun, ShardOrders, ShardReport
from haenyeo.collect.crawl.loop import at_once

LARGEST_LEASE = 64  # pages leased to a shard at a time
LONGEST_BEGIN = 30.0  # seconds that links wait for examples and seeds of other shards


class RunLeases:
    """Knows the leases of one run over so many shards; `leased` are those that were given before a restart.

    The run ends when all shards together have made `most_requests`: not every request brings a page.
    """

    def __init__(
        self, run: ClusterRun, shards: int, leased: Mapping[int, ShardOrders], most_requests: float = math.inf
    ) -> None:
        self._run, self._shards, self._most_requests = run, shards, most_requests
        known = {shard: orders for shard, orders in leased.items() if orders.run == run.id}
        self._leases = {shard: (known[shard].lease or 0) if shard in known else 0 for shard in range(shards)}
        self._most = {shard: known[shard].most if shard in known else 0 for shard in range(shards)}
        self._number = max((orders.number for orders in known.values()), default=0)
        self._since = dict.fromkeys(range(shards), self._number)
        self._round = max((orders.round for orders in known.values()), default=0) + 1
        self._last_quiet: Sequence[tuple[int, int]] | None = None
        self._why, self._cut, self._begun = "", 0.0, False

    @property
    def why(self) -> str:
        """Why the crawl is over, as in `CrawlEnded`; empty while it is not."""
        return self._why

    def stop(self, why: str) -> None:
        """Let all shards stop."""
        self._why = self._why or why

    def step(self, told: Mapping[int, ShardReport], now: float, pages: int | None = None) -> list[ShardOrders]:
        """The orders to all shards after these reports; `pages` may have been fetched by now, if it is not the run's.

        A run that goes on, or that follows no links, is not ended here.
        """
        reports = {shard: report for shard, report in told.items() if report.run == self._run.id}
        pages = self._run.pages if pages is None else pages
        before = dict(self._leases)
        self._number += 1
        if pages is not None:
            self._look_for_begin(reports, now)
            self._lease_out(pages, reports)
        for shard, lease in self._leases.items():
            if lease != before[shard]:
                self._since[shard] = self._number
                self._most[shard] = max(lease, self._most[shard])
        if self._run.crawls and not self._run.goes_on:
            self._look_for_end(reports)
        fetched = sum(report.fetched for report in reports.values())
        return [
            ShardOrders(
                run=self._run.id,
                at=now,
                number=self._number,
                round=self._round,
                lease=None if pages is None else self._leases[shard],
                most=self._most[shard],
                cut=self._cut,
                fetched=fetched,
                stop=self._why,
            )
            for shard in range(self._shards)
        ]

    def _lease_out(self, pages: int, reports: Mapping[int, ShardReport]) -> None:
        granted = self._granted(reports)
        free = pages - sum(granted.values())
        able = [report for report in reports.values() if report.waiting > 0 and report.rest in ("", "budget")]
        unused = sum(granted[each.shard] - each.counted - each.under_way for each in able)
        room = min(unused + free, _ahead(able) - sum(each.under_way for each in able))
        shares, self._cut = shared_out(room, able, least=0.0 if self._begun else GIVEN)
        wanted = {each.shard: each.counted + each.under_way + shares.get(each.shard, 0) for each in able}
        for shard, lease in wanted.items():
            self._leases[shard] = min(lease, granted[shard] + max(0, free))
            free -= max(0, self._leases[shard] - granted[shard])
        if free <= 0:
            self._take_back(reports, granted)

    def _granted(self, reports: Mapping[int, ShardReport]) -> dict[int, int]:
        """How many pages each shard may fetch at most, by any order that it may have read last."""
        for shard, lease in self._leases.items():
            is_known = shard in reports and reports[shard].obeyed >= self._since[shard]
            self._most[shard] = lease if is_known else max(lease, self._most[shard])
        return {
            shard: max(most, (reports[shard].lease or 0) if shard in reports else 0)
            for shard, most in self._most.items()
        }

    def _take_back(self, reports: Mapping[int, ShardReport], granted: Mapping[int, int]) -> None:
        """Ask shards that cannot use their leases to give them back."""
        for shard, report in reports.items():
            useless = report.rest in ("done", "waiting", "requests") or (report.rest and not report.waiting)
            if useless and granted[shard] > report.counted:
                self._leases[shard] = report.counted

    def _look_for_begin(self, reports: Mapping[int, ShardReport], now: float) -> None:
        """Follow links once all shards are there and have asked for what the user gave, or after some time."""
        there = len(reports) == self._shards
        asked = there and not any(each.under_way or each.best[:1] >= (GIVEN,) for each in reports.values())
        self._begun |= asked or now - self._run.began > LONGEST_BEGIN

    def _look_for_end(self, reports: Mapping[int, ShardReport]) -> None:
        if self._why:
            return
        if self._run.pages is not None and sum(report.counted for report in reports.values()) >= self._run.pages:
            self._why = "budget"
        elif sum(report.requests for report in reports.values()) >= self._most_requests:
            self._why = "requests"
        answered = [reports[shard] for shard in sorted(reports) if reports[shard].round == self._round]
        if self._why or len(answered) < self._shards:
            return
        self._round += 1
        done = [(report.counted, report.received) for report in answered]
        if not all(is_quiet(report) for report in answered):
            self._last_quiet = None
        elif self._last_quiet == done and not self._can_lease(answered):
            self._why = next((why for why in ("waiting", "requests") if any(r.rest == why for r in answered)), "done")
        else:
            self._last_quiet = done

    def _can_lease(self, reports: Sequence[ShardReport]) -> bool:
        """Whether a shard that waits for pages to be leased will have some."""
        return self._run.pages is not None and any(r.rest == "budget" and r.waiting for r in reports)


def is_quiet(report: ShardReport) -> bool:
    """Whether a shard neither did nor had anything to do."""
    return bool(report.rest) and not (report.outbox or report.inbox or report.under_way)


def _ahead(reports: Sequence[ShardReport]) -> int:
    """How many pages all shards together may be ahead of what they have reported: as many as a single crawl.

    What is found meanwhile may turn the order around.
    """
    return min(LARGEST_LEASE * len(reports), at_once(sum(report.counted for report in reports)))


def shared_out(pages: int, reports: Sequence[ShardReport], least: float = 0.0) -> tuple[dict[int, int], float]:
    """How many of these pages each shard gets: as many as its links lie above the cut that uses all up, and the cut."""
    places = [
        (worth, report.shard, rank - before)
        for report in reports
        for worth, rank, before in zip(report.best, RANKS, (0, *RANKS), strict=False)
        if worth >= least
    ]
    given = {report.shard: 0 for report in reports}
    cut = least
    for worth, shard, links in sorted(places, reverse=True):
        if pages <= 0:
            break
        more = min(links, pages)
        given[shard] += more
        pages -= more
        cut = worth
    return {shard: count for shard, count in given.items() if count}, cut
