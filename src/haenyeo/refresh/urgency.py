"""What all planners have in common: they visit the pages of highest urgency, and differ in what they call urgent.

A planner is told what was read (`add`), asked what to visit (`due`), and told what came of it (`observe`). Times are
unix seconds. A page visited now is not due before a later `now`; a page past `max_age` goes before all others, the
oldest first. A clock that was set back does no harm: visits that lie in the future are taken for visits of this moment.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from haenyeo.model.errors import StoreError, UsageError
from haenyeo.model.parts import Goal
from haenyeo.refresh.address_book import NOBODY, Numbers
from haenyeo.refresh.choosing import NOT_NOW, OVERDUE, Floats, most_urgent
from haenyeo.refresh.columns import Array, pack, unpack
from haenyeo.refresh.promise import Promise, StaleTime
from haenyeo.refresh.roster import Flags, Roster
from haenyeo.refresh.sharing import Demand, demand_of
from haenyeo.refresh.thrift import SparingRate

HOUR = 3600
DAY = 24 * HOUR
_LONGEST_REST = 30 * DAY  # a page that seems to rest for longer was told to by a clock that was wrong
_RETIRED = np.iinfo(np.uint32).max
SUREST = 0.99
"""How far anybody is believed who says that a page has changed."""


class UrgencyPlanner(ABC):
    """A planner that orders pages by urgency; a kind of planner says how urgent a page is and what a visit teaches.

    `per_day` is the budget in requests, `goal` what it is spent on where a planner knows both: "fresh" copies, or as
    many versions as possible ("capture"). No page waits longer than `max_age`, as far as the budget allows. With
    `fresh`, a planner that knows how fresh its copies are visits no more than this share of fresh copies needs.
    """

    name: ClassVar[str]
    columns: ClassVar[Mapping[str, npt.DTypeLike]] = {}

    def __init__(
        self,
        *,
        per_day: float = math.inf,
        goal: Goal = "fresh",
        max_age: timedelta | None = None,
        fresh: float | None = None,
    ) -> None:
        if not (0 <= per_day < math.inf or (per_day == math.inf and fresh is not None)):
            raise UsageError(f"per_day is {per_day}; it must be a number of requests, 0 or more")
        if fresh is not None and not 0 < fresh < 1:
            raise UsageError(f"fresh is {fresh}; it must be a share of the copies, between 0 and 1")
        if goal not in ("fresh", "capture"):
            raise UsageError(f"goal is {goal!r}; it must be 'fresh' or 'capture'")
        if max_age is not None and max_age <= timedelta():
            raise UsageError(f"max_age is {max_age}; it must be longer than nothing")
        self.per_day = per_day
        self.goal = goal
        self.max_age = max_age
        self._roster = Roster({"visited": np.uint32, **self.columns})
        self._latest = 0
        self._any_retired = False
        self._resting: dict[int, float] = {}
        self._hints: dict[int, float] = {}
        self._thrift = None if fresh is None else SparingRate(fresh, per_day)
        self.promise, self._stale_time = Promise(), StaleTime()

    def __len__(self) -> int:
        return len(self._roster)

    def add(self, urls: Sequence[str], sites: Sequence[str], now: float) -> None:
        """Take in pages read now for the first time; known ones do not change, retired ones come back."""
        moment = self._turn_to(now)
        self._return(urls, moment)
        start = len(self._roster)
        places = self._roster.admit(urls, visited=moment)
        if len(places):
            pages = np.arange(start, len(self._roster))
            self._greet(pages, [urls[place] for place in places], [sites[place] for place in places], moment)

    def due(self, now: float, limit: int) -> list[str]:
        """At most `limit` different pages to visit now, the most urgent first."""
        moment = self._turn_to(now)
        if limit <= 0 or not len(self._roster):
            return []
        urgency, fresh = self._standing(moment)
        if self._thrift is not None and fresh is not None:
            limit = min(limit, self._thrift.visits(urgency, self._stale(fresh), moment))
        urgency[self._roster["visited"] >= moment] = NOT_NOW
        urgency[self._still_resting(moment)] = NOT_NOW
        return self._roster.addresses.urls(most_urgent(urgency, limit))

    def demand(self, now: float) -> Demand:
        """What visits are worth now, for whoever shares a budget out among several planners."""
        moment = self._turn_to(now)
        if not len(self._roster):
            return Demand()
        urgency, fresh = self._standing(moment)
        fresh = self._fresh(moment) if fresh is None else fresh
        stale = None if fresh is None else self._stale(fresh)
        not_now: Flags = self._roster["visited"] >= moment
        not_now[self._still_resting(moment)] = True
        return demand_of(urgency, stale, not_now)

    def _standing(self, moment: int) -> tuple[Floats, Floats | None]:
        """How urgent each page is, `NOT_NOW` if retired, and the chance that its copy is fresh where that is known."""
        urgency, fresh = self._weighed(moment)
        if self._hints:
            hinted = np.fromiter(self._hints, np.int64, len(self._hints))
            chances = np.fromiter(self._hints.values(), np.float64, len(self._hints))
            urgency[hinted] = self._hinted(hinted, chances, urgency[hinted], moment)
        visited = self._roster["visited"]
        if self.max_age is not None:
            age = moment - visited.astype(np.float32)
            urgency = np.where(age >= self.max_age.total_seconds(), OVERDUE * (1 + age), urgency)
        urgency[visited == _RETIRED] = NOT_NOW
        return urgency, fresh

    def oldest(self, now: float, limit: int) -> list[str]:
        """At most `limit` pages to visit now if all were visited in turn, the oldest visit first."""
        moment = self._turn_to(now)
        visited = self._roster["visited"]
        age = moment - visited.astype(np.float64)
        age[(visited == _RETIRED) | (visited >= moment)] = NOT_NOW
        return self._roster.addresses.urls(most_urgent(age, limit))

    def observe(self, urls: Sequence[str], now: float, changed: Sequence[bool]) -> None:
        """Learn from visits made now; `changed` says of each page whether it differs from the last visit."""
        moment = self._turn_to(now)
        pages, found = self._roster.visited(urls, changed)
        visited = self._roster["visited"]
        self._return(urls, moment)
        days = (moment - visited[pages].astype(np.float64)) / DAY
        if len(pages):
            fresh = self._fresh_ones(pages, moment)
            if fresh is not None:
                self._stale_time.learn(np.maximum(days, 0), fresh, found, moment)
                self.promise.keep(float((1 - fresh * self._unclaimed(pages)).sum()), int(found.sum()), moment)
            self._learn(pages, np.maximum(days, 0), found, moment)
            visited[pages] = moment
            for page in pages.tolist() if self._hints else ():
                self._hints.pop(page, None)

    def hint(self, urls: Sequence[str], chance: float) -> None:
        """Take in a claim that these pages have changed since their last visit; it is right with this chance."""
        for number in self._roster.addresses.numbers(urls).tolist():
            if number != NOBODY:
                self._hints[number] = chance

    def last_visits(self, urls: Sequence[str]) -> list[float | None]:
        """When each page was last visited; None for pages this planner does not know."""
        visited = self._roster["visited"]
        numbers = self._roster.addresses.numbers(urls).tolist()
        return [
            None if number == NOBODY or visited[number] == _RETIRED else float(visited[number]) for number in numbers
        ]

    def rest(self, urls: Sequence[str], until: float) -> None:
        """Leave these pages alone until `until`, because they cannot be visited now."""
        for number in self._roster.addresses.numbers(urls).tolist():
            if number != NOBODY:
                self._resting[number] = until

    def touch(self, urls: Sequence[str], now: float) -> None:
        """Count these pages as visited without learning anything; used to forecast what will be due."""
        numbers = self._roster.addresses.numbers(urls)
        known = numbers[numbers != NOBODY]
        if len(known):
            self._touched(known, self._turn_to(now))
            self._roster["visited"][known] = int(now)

    def chances(self, now: float) -> Floats | None:
        """The chance that each copy is still fresh, without retired pages; None if this kind does not estimate it."""
        moment = self._turn_to(now)
        chances = self._fresh(moment)
        return None if chances is None else self._believed(chances)[self._alive()]

    def planned(self) -> int:
        """How many pages are planned for, without retired ones."""
        return int(self._alive().sum())

    def retire(self, urls: Sequence[str]) -> None:
        """Never plan these pages again, because they are gone; `add` and `observe` bring them back."""
        numbers = self._roster.addresses.numbers(urls)
        self._roster["visited"][numbers[numbers != NOBODY]] = _RETIRED
        self._any_retired = True

    def dump(self) -> bytes:
        """All the planner knows, as bytes for `load`."""
        arrays, texts = self._roster.state()
        more_arrays, more_texts = self._state()
        more_arrays |= {
            "latest": np.array([self._latest], np.int64),
            **self.promise.state(),
            **self._stale_time.state(),
        }
        if self._thrift is not None:
            more_arrays |= self._thrift.state()
        return pack(self.name, {**arrays, **more_arrays}, {**texts, **more_texts})

    def load(self, data: bytes) -> None:
        """Take over what `dump` gave; the settings of this planner do not change.

        Raises `StoreError` if the bytes are damaged or another planner's; this planner is of no use then.
        """
        try:
            self._take_over(*unpack(self.name, data))
        except (LookupError, OverflowError, TypeError, ValueError) as error:
            raise StoreError(
                f"what the planner knew is damaged: {error}", advice="plan anew from the visits"
            ) from error

    def _take_over(self, arrays: Mapping[str, Array], texts: Mapping[str, list[str]]) -> None:
        self._roster.restore(arrays, texts)
        self._latest = int(arrays["latest"][0])
        self._any_retired = bool((self._roster["visited"] == _RETIRED).any())
        self.promise.restore(arrays)
        self._stale_time.restore(arrays)
        if self._thrift is not None:
            self._thrift.restore(arrays)
        self._restore(arrays, texts)

    @abstractmethod
    def _urgency(self, now: int) -> Floats:
        """How urgent each page is, in any unit; a new array."""

    def _hinted(self, pages: Numbers, chances: Floats, urgency: Floats, now: int) -> Floats:
        """How urgent pages are that are said to have changed; planners without a model ignore such claims."""
        return urgency

    def _weighed(self, now: int) -> tuple[Floats, Floats | None]:
        """How urgent each page is, and the chance that its copy is fresh where that is known and asked for."""
        return self._urgency(now), None if self._thrift is None else self._fresh(now)

    def _fresh(self, now: int) -> Floats | None:
        """The chance that each copy is fresh, if that is known."""
        return None

    def _fresh_ones(self, pages: Numbers, now: int) -> Floats | None:
        """The same for some pages."""
        return None

    @abstractmethod
    def _learn(self, pages: Numbers, days: Floats, changed: Flags, now: int) -> None:
        """Learn from visits made so many days after the last ones; called before the visits are noted."""

    def _touched(self, pages: Numbers, now: int) -> None:  # noqa: B027  most note nothing
        """Note that pages count as visited."""

    def _greet(self, pages: Numbers, urls: Sequence[str], sites: Sequence[str], now: int) -> None:  # noqa: B027  most note nothing
        """Note what this kind of planner needs to know of new pages."""

    def _state(self) -> tuple[dict[str, Array], dict[str, list[str]]]:
        """What is kept beside the roster."""
        return {}, {}

    def _restore(self, arrays: Mapping[str, Array], texts: Mapping[str, list[str]]) -> None:  # noqa: B027  see `_state`
        """Take over what `_state` gave."""

    def _stale(self, fresh: Floats) -> Floats:
        """The chance that each copy is stale, 0 for retired pages."""
        chances: Floats = np.where(self._alive(), 1 - self._believed(fresh), 0)
        return chances

    def _believed(self, fresh: Floats) -> Floats:
        """The chance that each copy is fresh, corrected by what visits found and by what others say of the pages."""
        chances: Floats = fresh ** np.float32(self._stale_time.factor)
        return chances * self._unclaimed(np.arange(len(fresh))) if self._hints else chances

    def _unclaimed(self, pages: Numbers) -> Floats:
        """The chance of each page that nobody is right who says it has changed, 1 where nobody does."""
        left: Floats = np.ones(len(pages))
        if self._hints:
            hinted = np.fromiter(self._hints, np.int64, len(self._hints))
            chances = np.fromiter(self._hints.values(), np.float64, len(self._hints))
            order = np.argsort(hinted)
            place = np.minimum(np.searchsorted(hinted[order], pages), len(hinted) - 1)
            claimed = hinted[order][place] == pages
            left[claimed] -= np.minimum(chances[order][place], SUREST)[claimed]
        return left

    def _alive(self) -> Flags:
        """Which pages are not retired."""
        alive: Flags = self._roster["visited"] != _RETIRED
        return alive

    def _turn_to(self, now: float) -> int:
        """The time in whole seconds; if the clock was set back, visits in the future are moved to it."""
        moment = int(now)
        if moment < self._latest:
            visited = self._roster["visited"]
            visited[(visited > moment) & (visited != _RETIRED)] = moment
        self._latest = moment
        return moment

    def _still_resting(self, moment: int) -> list[int]:
        if self._resting:
            self._resting = {
                page: until for page, until in self._resting.items() if moment < until <= moment + _LONGEST_REST
            }
        return list(self._resting)

    def _return(self, urls: Sequence[str], now: int) -> None:
        """Bring back those of these pages that were retired."""
        if not self._any_retired:
            return
        numbers = self._roster.addresses.numbers(urls)
        numbers = numbers[numbers != NOBODY]
        visited = self._roster["visited"]
        visited[numbers[visited[numbers] == _RETIRED]] = now
