"""Which topic takes the next link? Each has a frontier of its own over the same sites; they take turns by weight.

The life of a link. It is pushed with a score for each topic and waits in the frontier of every topic that wants it. The
first topic to take it has it fetched; when it comes up in the frontier of another, it is `shared`: it costs no request.

The life of a turn. Every topic has a clock that moves on by 1 / weight with each link it takes, by less if no page came
of it, and the topic whose clock is furthest behind is asked first. One that has nothing to give at the moment lets the
others go on and catches up later, by so many turns at most; one that had nothing waiting nor under way starts again
level with the others.

With a `strictness`, that is with a budget of pages, a topic that has only to wait a moment for its site keeps its turn
once the others are a little ahead: otherwise the topic with the quicker sites would use up the budget of all.

Pace is a matter of sites, not topics: a slot that one topic takes is taken for all. For a single topic all this is its
one frontier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from haenyeo.find.frontier import Frontier, Rescore, Waiting
from haenyeo.find.link_queue import Numbers, References

LEAD = 8  # turns that others may be ahead before they wait for a topic that is ready in a moment
CREDIT = 256  # turns that a topic can catch up at most

Revalue = Callable[[npt.NDArray[np.int64], npt.NDArray[np.float64]], Numbers]


class TakenLink(NamedTuple):
    """A link that was taken, and the number of the topic whose turn it was; `shared` if another had taken it before.

    What is shared took no slot of its site.
    """

    site: str
    ref: int
    topic: int
    shared: bool = False


class TopicFrontiers:
    """The frontiers of some topics, given by their weights; see `Frontier` for what is not explained here.

    Scores are given by topic: one sequence for each, in which a score below 0 says that it does not want the link.
    """

    def __init__(self, weights: Sequence[float] = (1.0,), *, per_site: int = 1) -> None:
        self.weights = tuple(weights)
        self._each = [Frontier(per_site=per_site) for _ in self.weights]
        self._first = self._each[0]
        self._clocks = [0.0] * len(self._each)
        self._under_way = [0] * len(self._each)
        self._waits = bytearray()
        self._size = 0

    def __len__(self) -> int:
        return self._size if self._several else len(self._first)

    @property
    def _several(self) -> bool:
        return len(self._each) > 1

    @property
    def strictness(self) -> float:
        """A link is given out only if it is worth this share of the best one that must wait for its site."""
        return self._first.strictness

    @strictness.setter
    def strictness(self, strictness: float) -> None:
        for frontier in self._each:
            frontier.strictness = strictness

    def count_spent(self, turns: Sequence[int]) -> None:
        """Go on from where an earlier run was left: so many turns each topic has had."""
        self._clocks = [spent / weight for spent, weight in zip(turns, self.weights, strict=True)]
        self._limit_credit(max(self._clocks))

    def push(self, site: str, refs: Sequence[int], scores: Sequence[Sequence[float]]) -> None:
        """Add links of one site to those that wait."""
        self.push_links([site] * len(refs), refs, scores)

    def push_links(self, sites: Sequence[str], refs: Sequence[int], scores: Sequence[Sequence[float]]) -> None:
        """Add the links of one page to those that wait, each under its own site."""
        if not self._several:
            self._first.push_links(sites, refs, scores[0])
            return
        self._note_waiting(refs)
        for topic, own in enumerate(scores):
            places = [place for place, score in enumerate(own) if score >= 0]
            if places:
                self._rejoin(topic)
                self._each[topic].push_links(
                    [sites[place] for place in places],
                    [refs[place] for place in places],
                    [own[place] for place in places],
                )

    def push_groups(
        self,
        sites: Sequence[str],
        counts: npt.NDArray[np.int64],
        refs: npt.NDArray[np.int64],
        scores: npt.NDArray[np.float64],
    ) -> None:
        """Add very many links, grouped by site, which are worth the same to all topics."""
        if self._several:
            self._note_waiting(refs.tolist())
        for frontier in self._each:
            frontier.push_groups(sites, counts, refs, scores)

    def pop(self, now: float, rescore: Sequence[Rescore]) -> TakenLink | None:
        """Take the best link of the topic whose turn it is, and a slot of its site; None when no site is ready.

        `rescore` has one function for each topic. A link that is asked for costs its topic a turn, see `begin`.
        """
        if not self._several:
            taken = self._first.pop(now, rescore[0])
            return TakenLink(*taken, 0) if taken else None
        for topic in self._in_turn():
            found = self._pop_of(topic, now, rescore[topic])
            if found:
                return found
            if self._keeps_turn(topic, now):
                return None
        return None

    def begin(self, topic: int) -> None:
        """A link that the topic has taken is asked for; `end` must follow."""
        if self._several:
            self._under_way[topic] += 1
            self._clocks[topic] += 1 / self.weights[topic]
            self._limit_credit(self._clocks[topic])

    def end(self, topic: int) -> None:
        """What the topic asked for has come, or hangs."""
        if self._several:
            self._under_way[topic] -= 1

    def give_back_turn(self, topic: int, share: float) -> None:
        """This share of a turn is not to be counted: it cost the crawl less of what it may ask for."""
        if self._several:
            self._clocks[topic] -= share / self.weights[topic]

    def release(self, site: str, ready_at: float) -> None:
        """Free the slot of a request that has ended."""
        for frontier in self._each:
            frontier.release(site, ready_at)

    def lend(self, site: str, ready_at: float) -> None:
        """Free the slot of a request that hangs."""
        for frontier in self._each:
            frontier.lend(site, ready_at)

    def postpone(self, site: str, until: float) -> None:
        """Do not ask the site before `until`."""
        for frontier in self._each:
            frontier.postpone(site, until)

    def rest(self, site: str, until: float) -> None:
        """Give out no link of the site before `until`, or before an earlier time that is told later."""
        for frontier in self._each:
            frontier.rest(site, until)

    def occupy(self, site: str) -> None:
        """A request that no waiting link leads to takes a slot of the site."""
        for frontier in self._each:
            frontier.occupy(site)

    def under_way(self, site: str) -> int:
        """How many slots of the site are taken."""
        return self._first.under_way(site)

    def ready_at(self, site: str) -> float:
        """When the site may be asked next, as far as it was told."""
        return self._first.ready_at(site)

    def next_ready(self, now: float) -> float | None:
        """The earliest time at which `pop` can succeed; None when all sites are idle or busy."""
        if not self._several:
            return self._first.next_ready(now)
        times: list[float] = []
        for topic in self._in_turn():
            ready = self._each[topic].next_ready(now)
            if ready is not None:
                times.append(ready)
            if ready != now and self._keeps_turn(topic, now):
                break
        return min(times, default=None)

    def sites(self) -> Iterator[str]:
        """The names of the sites that have waiting links."""
        return iter(dict.fromkeys(site for frontier in self._each for site in frontier.sites()))

    def waiting(self, site: str) -> int:
        """How many links of the site wait, in the frontier that has most of them."""
        return max(frontier.waiting(site) for frontier in self._each)

    def top(self, count: int, site: str | None = None) -> list[Waiting]:
        """The best waiting links of all topics, best first."""
        if not self._several:
            return self._first.top(count, site)
        best: dict[int, Waiting] = {}
        for frontier in self._each:
            for link in frontier.top(count, site):
                if self._waits[link.ref] and (link.ref not in best or best[link.ref].score < link.score):
                    best[link.ref] = link
        return sorted(best.values(), key=lambda link: (-link.score, link.ref))[:count]

    def rescore(self, topic: int, site: str, function: Revalue) -> None:
        """Score all links of a site anew that wait for the topic."""
        if self._each[topic].waiting(site):
            self._each[topic].rescore(site, function)

    def join(self, topic: int, site: str, ref: int, score: float) -> None:
        """Let a link wait for one more topic that is known to the others, whether it still waits for them or not."""
        self._rejoin(topic)
        self._each[topic].push(site, [ref], [score])

    def _in_turn(self) -> list[int]:
        return sorted(range(len(self._each)), key=self._clocks.__getitem__)

    def _note_waiting(self, refs: References) -> None:
        missing = max(refs, default=-1) + 1 - len(self._waits)
        if missing > 0:
            self._waits.extend(bytes(missing))
        for ref in refs:
            self._size += not self._waits[ref]
            self._waits[ref] = 1

    def _pop_of(self, topic: int, now: float, rescore: Rescore) -> TakenLink | None:
        """The topic's best link."""
        own = self._each[topic]
        taken = own.pop(now, rescore)
        if taken is None:
            return None
        site, ref = taken
        if not self._waits[ref]:
            own.release(site, 0.0)
            return TakenLink(site, ref, topic, shared=True)
        self._waits[ref] = 0
        self._size -= 1
        for frontier in self._each:
            if frontier is not own:
                frontier.occupy(site)
        return TakenLink(site, ref, topic)

    def _keeps_turn(self, topic: int, now: float) -> bool:
        """Whether the others had better wait for this topic: it falls behind, and only for a moment."""
        behind = (max(self._clocks) - self._clocks[topic]) * self.weights[topic]
        if not self.strictness or behind < LEAD:
            return False
        return self._under_way[topic] > 0 or self._each[topic].ready_soon(now)

    def _rejoin(self, topic: int) -> None:
        """Set the clock of a topic that had nothing to do level with the one of the others that is furthest behind."""
        if len(self._each[topic]) or self._under_way[topic]:
            return
        busy = [clock for other, clock in enumerate(self._clocks) if len(self._each[other]) or self._under_way[other]]
        self._clocks[topic] = max(self._clocks[topic], min(busy, default=0.0))

    def _limit_credit(self, clock: float) -> None:
        self._clocks = [
            max(own, clock - CREDIT / weight) for own, weight in zip(self._clocks, self.weights, strict=True)
        ]
