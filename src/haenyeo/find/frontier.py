"""Which link is visited next? The best link of the best site that may be asked now.

The life of a link. It is *pushed* with a score under the site it belongs to, *waits* there, and is *popped* once: from
then on it is the caller's. A link that must be tried again is pushed again. What a link is, the frontier does not know:
it keeps a number, the reference, that the store turns into an address.

The life of a site. Its links wait in a queue of their own (`LinkQueue`), because a site must not be asked too often or
too much at a time, and its best link stands for it among the other sites. At any moment a site is in one of four
states:

- *idle*: no link waits. A push ends it.
- *busy*: links wait, but as many requests are under way as the site has slots. `release` or `lend` ends it.
- *resting*: links wait, a slot is free, but the site may not be asked before a certain time, or the server that all of
  its links lead to needs rest (`rest`). Time ends it.
- *ready*: a link can be popped now.

`pop` takes a slot and moves the site to the end of the row of sites whose best links have the same score; `release`
gives the slot back and says when the site may be asked again; `postpone` only moves that time. `lend` gives the slot
back while the request still hangs, so that a server that never answers does not keep its other pages from being read.

Ready sites are in one heap, resting sites in another; idle and busy sites are in neither. Nothing is ever removed from
the middle of a heap: an entry that no longer tells the truth about its site is recognised at the top and dropped, and
when half of the entries are of that sort the heap is built anew.

A crawl that may fetch only so many pages had better wait a moment for the best site than fetch what a lesser one has at
hand. So with a `strictness` above 0 a ready site is passed over while a busy one, or one that rests for a short while,
has a link that is worth more than that.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.find.link_queue import (
    REFERENCE_BITS,
    LinkQueue,
    Numbers,
    References,
    decode,
    encode,
    encode_one,
    reference_of,
    score_of,
)

Rescore = Callable[[int, float], float]
"""What a link is worth now, by its reference and the score it was pushed with."""

_INDEX_BITS = 30
_ASKED_BITS = 40
_INDEX_MASK = (1 << _INDEX_BITS) - 1
_TOP_SCORE = (1 << (64 - REFERENCE_BITS)) - 1
_NOWHERE = -1
_NEVER = -1.0
_FEWEST = 24  # links of one page, up to which they are better not made an array
_FEW = 256  # links of one site in a push, above which they are sorted as an array
_STALE = 64  # outdated entries a heap may always have
_SHORT_REST = 15.0  # seconds; sites that rest for longer do not keep others waiting
_PATIENCE = 256  # links put back by one pop before it takes the best it has: about a millisecond


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """A waiting link, for display."""

    site: str
    ref: int
    score: float


class _Site(msgspec.Struct, gc=False):
    """A site's queue and its place among the sites.

    `entry` is what stands for it in the heap of ready sites, `wakes` its time in the heap of resting ones. Others do
    not wait for a site that `hangs`.
    """

    name: str
    index: int
    links: LinkQueue
    busy: int = 0
    hangs: bool = False
    asked: int = 0
    ready_at: float = 0.0
    rests_until: float = 0.0
    entry: int = _NOWHERE
    wakes: float = _NEVER


class Frontier:
    """All waiting links, best first across the sites that may be asked.

    `per_site` is how many requests to one site may be under way. A link is given out only if it is worth at least
    `strictness` times as much as the best one that must wait for its site. Times are seconds on any clock that does not
    run backwards; references are whole numbers below 2**44 - 1.
    """

    def __init__(self, *, per_site: int = 1, strictness: float = 0.0) -> None:
        self.per_site = per_site
        self.strictness = strictness
        self._aside: dict[int, _Site] = {}
        self._sites: list[_Site] = []
        self._by_name: dict[str, _Site] = {}
        self._ready: list[int] = []
        self._resting: list[tuple[float, int]] = []
        self._stale = 0
        self._asked = 0
        self._now = 0.0
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def push(self, site: str, refs: References, scores: Numbers) -> None:
        """Add links of one site to those that wait."""
        self._add(site, encode(refs, scores))

    def push_links(self, sites: Sequence[str], refs: References, scores: Numbers) -> None:
        """Add the links of one page to those that wait, each under its own site."""
        groups: dict[str, list[int]] = {}
        keys = encode(refs, scores).tolist() if len(sites) > _FEWEST else list(map(encode_one, refs, scores))
        for site, key in zip(sites, keys, strict=True):
            groups.setdefault(site, []).append(key)
        for site, group in groups.items():
            record = self._site(site)
            record.links.add(group)
            self._file(record)
        self._size += len(sites)

    def push_groups(
        self,
        sites: Sequence[str],
        counts: npt.NDArray[np.int64],
        refs: npt.NDArray[np.int64],
        scores: npt.NDArray[np.float64],
    ) -> None:
        """Add very many links, grouped by site: `counts[i]` links of `sites[i]`, then those of the next site."""
        keys = encode(refs, scores)
        start = 0
        for site, end in zip(sites, np.cumsum(counts).tolist(), strict=True):
            if end > start:
                record = self._site(site)
                record.links.add_many(np.sort(keys[start:end]))
                self._file(record)
            start = end
        self._size += start

    def pop(self, now: float, rescore: Rescore | None = None) -> tuple[str, int] | None:
        """Take the best link of the best ready site, and one of the site's slots; None when no site is ready.

        `rescore` is asked about a link before it is taken. A link that has become worth less goes back with its new
        score and the search goes on, so scores need not be kept up to date while links wait.
        """
        self._wake(now)
        site = self._best_ready()
        tries = _PATIENCE
        while site and rescore and tries and self._put_back(site, rescore):
            site = self._best_ready()
            tries -= 1
        if site is None or not self._is_good_enough(site):
            return None
        key = site.links.pop()
        self._size -= 1
        self._asked += 1
        site.asked = self._asked
        site.busy += 1
        self._file(site)
        return site.name, reference_of(key)

    def release(self, site: str, ready_at: float) -> None:
        """Free the slot of a request that has ended; the site may be asked again at `ready_at`."""
        record = self._site(site)
        if record.busy:
            record.busy -= 1
        record.ready_at = max(record.ready_at, ready_at)
        self._file(record)

    def lend(self, site: str, ready_at: float) -> None:
        """Free the slot of a request that hangs, so that another request to the site can start.

        When it ends, tell by `postpone` when the site may be asked again: there is no slot left to `release`.
        """
        self._site(site).hangs = True
        self.release(site, ready_at)

    def postpone(self, site: str, until: float) -> None:
        """Do not ask the site before `until`; a later time that was set before stays."""
        record = self._site(site)
        record.ready_at = max(record.ready_at, until)
        self._file(record)

    def rest(self, site: str, until: float) -> None:
        """Give out no link of the site before `until`; unlike `postpone` this can be taken back, by an earlier time."""
        record = self._site(site)
        record.rests_until = until
        self._file(record)

    def occupy(self, site: str) -> None:
        """A request that no waiting link leads to takes a slot of the site, even if none is free; `release` ends it."""
        record = self._site(site)
        record.busy += 1
        self._file(record)

    def under_way(self, site: str) -> int:
        """How many slots of the site are taken."""
        record = self._by_name.get(site)
        return record.busy if record else 0

    def ready_at(self, site: str) -> float:
        """When the site may be asked next, as far as it was told."""
        record = self._by_name.get(site)
        return record.ready_at if record else 0.0

    def next_ready(self, now: float) -> float | None:
        """The earliest time at which `pop` can succeed; None when all sites are idle or busy."""
        self._wake(now)
        best = self._best_ready()
        if best is not None and self._is_good_enough(best):
            return now
        while self._resting:
            wakes, index = self._resting[0]
            if self._sites[index].wakes == wakes:
                return wakes
            heapq.heappop(self._resting)
        return None

    def sites(self) -> Iterator[str]:
        """The names of the sites that have waiting links."""
        return (site.name for site in self._sites if site.links.best)

    def waiting(self, site: str) -> int:
        """How many links of the site wait."""
        record = self._by_name.get(site)
        return len(record.links) if record else 0

    def top(self, count: int, site: str | None = None) -> list[Waiting]:
        """The best waiting links of all sites or of one, best first, whether they may be asked now or not."""
        if site is None:
            sites = heapq.nlargest(count, self._sites, key=lambda record: record.links.best)
        else:
            sites = [self._by_name[site]] if site in self._by_name else []
        keyed = ((key, record.name) for record in sites for key in record.links.first(count))
        return [
            Waiting(site=name, ref=reference_of(key), score=score_of(key)) for key, name in heapq.nlargest(count, keyed)
        ]

    def rescore(
        self,
        site: str,
        function: Callable[[npt.NDArray[np.int64], npt.NDArray[np.float64]], Numbers],
    ) -> None:
        """Score all waiting links of a site anew: `function` turns their references and scores into new scores.

        Links whose new score is below 0 wait no longer.
        """
        record = self._site(site)
        refs, scores = decode(record.links.keys())
        now = np.asarray(function(refs, scores), np.float64)
        record.links = LinkQueue()
        self._size -= len(refs)
        unwanted = now < 0
        if unwanted.any():
            refs, now = refs[~unwanted], now[~unwanted]
            self._file(record)
        self._add(site, encode(refs, now))

    def ready_soon(self, now: float) -> bool:
        """Whether a link waits for a site that is busy but does not hang, or that rests for a short while."""
        soon = now + _SHORT_REST
        return any(
            site.ready_at <= soon and site.rests_until <= soon and not site.hangs for site in self._aside.values()
        )

    def _site(self, name: str) -> _Site:
        site = self._by_name.get(name)
        if site is None:
            site = self._by_name[name] = _Site(name, len(self._sites), LinkQueue())
            self._sites.append(site)
        return site

    def _add(self, name: str, keys: npt.NDArray[np.uint64]) -> None:
        if len(keys) == 0:
            return
        site = self._site(name)
        if len(keys) > _FEW:
            site.links.add_many(np.sort(keys))
        else:
            site.links.add(keys.tolist())
        self._size += len(keys)
        self._file(site)

    def _file(self, site: _Site) -> None:
        """Put the site where its state belongs, after anything about it has changed."""
        best = site.links.best
        entry, wakes = _NOWHERE, _NEVER
        if best and site.busy < self.per_site:
            wakes = max(site.ready_at, site.rests_until)
            if wakes <= self._now:
                wakes = _NEVER
                entry = _entry(best, site)
        if best and entry == _NOWHERE:
            self._aside[site.index] = site
        else:
            self._aside.pop(site.index, None)
        if entry != site.entry:
            self._stale += site.entry != _NOWHERE
            site.entry = entry
            if entry != _NOWHERE:
                heapq.heappush(self._ready, entry)
        if wakes != site.wakes:
            site.wakes = wakes
            if wakes != _NEVER:
                heapq.heappush(self._resting, (wakes, site.index))

    def _wake(self, now: float) -> None:
        """Move the sites whose rest is over to the ready ones."""
        self._now = max(self._now, now)
        resting = self._resting
        while resting and resting[0][0] <= self._now:
            wakes, index = heapq.heappop(resting)
            site = self._sites[index]
            if site.wakes == wakes:
                self._file(site)

    def _best_ready(self) -> _Site | None:
        ready = self._ready
        if self._stale > _STALE + len(ready) // 2:
            ready[:] = [entry for entry in set(ready) if self._sites[entry & _INDEX_MASK].entry == entry]
            heapq.heapify(ready)
            self._stale = 0
        while ready:
            site = self._sites[ready[0] & _INDEX_MASK]
            if site.entry == ready[0]:
                return site
            heapq.heappop(ready)
            self._stale -= 1
        return None

    def _is_good_enough(self, ready: _Site) -> bool:
        """Whether no site that will be ready soon has something much better."""
        if not self.strictness:
            return True
        soon = self._now + _SHORT_REST
        best = own = ready.links.best
        for site in self._aside.values():
            if (waiting := site.links.best) > best and site.ready_at <= soon and not site.hangs:
                best = waiting if site.rests_until <= soon else best
        return best == own or score_of(own) >= self.strictness * score_of(best)

    def _put_back(self, site: _Site, rescore: Rescore) -> bool:
        """Put the site's best link back if its new score is lower than its key says; returns whether it was."""
        key = site.links.best
        ref = reference_of(key)
        now_worth = encode_one(ref, rescore(ref, score_of(key)))
        if now_worth >= key:
            return False
        site.links.pop()
        site.links.add([now_worth])
        self._file(site)
        return True


def _entry(best: int, site: _Site) -> int:
    """The site's place among ready sites, smallest first: best score, then longest not asked, then first known."""
    worse = _TOP_SCORE - (best >> REFERENCE_BITS)
    return ((worse << _ASKED_BITS | site.asked) << _INDEX_BITS) | site.index
