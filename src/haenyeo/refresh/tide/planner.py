"""The default planner: what a page does by itself, what its place lives through, its age and the hour of the week.

The chance that a copy is still fresh is the product of what four causes leave of it:

    by itself     a rate for each page, with what is usual in its place as a prior            `rates`
    together      what the place's pages lived through since the last visit                   `timeline`
    by age        how long ago the page was born and last seen to change                      `ages`
    by the hour   the days in between are counted by the place's rhythm of the week           `week`

What they add up to is corrected by what visits to the place have found (`trust`).

One page of a place that nobody has looked at for long is visited for what it tells of the others (`scouts`).

Pages that change like clockwork are known by their past (`rhythms`) and visited when their hour has come.

From that chance and the rate expected from now on follows what a visit is worth (`worth`), and the budget goes where it
is worth most. Nothing is learned in advance: a page of which little is known may change often, so its chance of being
stale grows quickly, and that is exploration enough.

A page takes 22 bytes beside its address. All pages are weighed each time, in pieces that fit the processor's cache.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from haenyeo.model.parts import Goal
from haenyeo.refresh.address_book import Numbers
from haenyeo.refresh.choosing import Floats
from haenyeo.refresh.columns import Array
from haenyeo.refresh.roster import Flags
from haenyeo.refresh.tide import rates
from haenyeo.refresh.tide.model import Model, PagesBefore
from haenyeo.refresh.tide.rhythms import Rhythms
from haenyeo.refresh.tide.scouts import MostUrgent
from haenyeo.refresh.urgency import HOUR, SUREST, UrgencyPlanner
from haenyeo.refresh.worth import days_gained, versions_gained

_PIECE = 1 << 16
_LESSON = 1 << 11
_WEEK = 168 * HOUR
_MONDAY = 4 * 24 * HOUR  # the first Monday 00:00 UTC of unix time
_NEVER = 0  # in the columns `changed` and `born`; hours are noted one higher
_LAST_HOUR = 60_000  # when the beginning is moved, so that hours always fit 16 bits
_MOVED_HOURS = 168 * 180
_SETTLED_HOURS = 48  # pages found later than this after their site are taken for new ones
_HOURS_A_DAY = 24
_RHYTHMS = "rhythms."
_REGULAR = 0.95  # the chance that a regular page has changed when its hour has passed, and not before
_SCATTER = 2_654_435_761  # spreads neighbouring numbers over all 32 bits (Knuth 1973, volume 3, section 6.4)
_CHANCE = 0.02  # of a visit's worth; siblings of equal worth are then visited here and there, not one after the other


class Tide(UrgencyPlanner):
    """Visits the pages where a request buys most."""

    name: ClassVar[str] = "default"
    columns: ClassVar[Mapping[str, npt.DTypeLike]] = {
        "place": np.uint32,
        "shape": np.float32,
        "days": np.float32,
        "share": np.float16,
        "changed": np.uint16,
        "born": np.uint16,
    }

    def __init__(
        self,
        *,
        per_day: float = math.inf,
        goal: Goal = "fresh",
        max_age: timedelta | None = None,
        fresh: float | None = None,
    ) -> None:
        super().__init__(per_day=per_day, goal=goal, max_age=max_age, fresh=fresh)
        self._began = 0
        self._model: Model | None = None
        self._rhythms = Rhythms()

    def _greet(self, pages: Numbers, urls: Sequence[str], sites: Sequence[str], now: int) -> None:
        model, hour = self._at(now)
        places = model.atlas.settle(urls, sites, hour)
        model.grow()
        page = self._roster
        page["place"][pages] = places
        page["shape"][pages] = rates.SHAPE
        page["days"][pages] = rates.SHAPE / model.usual_rate(model.atlas.row_of[places])
        page["share"][pages] = 1
        page["born"][pages] = np.where(hour - model.atlas.met(places) > _SETTLED_HOURS, hour + 1, _NEVER)

    def _urgency(self, now: int) -> Floats:
        return self._weighed(now)[0]

    def _weighed(self, now: int) -> tuple[Floats, Floats]:
        model, hour = self._at(now)
        urgency, fresh = (np.empty(len(self._roster), np.float32) for _ in range(2))
        first = MostUrgent(len(model.atlas.parents))
        for start in range(0, len(urgency), _PIECE):
            piece = slice(start, start + _PIECE)
            watched = self._watched(model, piece, hour)
            log_fresh, rate = model.outlook(watched)
            urgency[piece] = self._worth(log_fresh, rate)
            urgency[piece] *= _scattered(start, len(urgency[piece]))
            fresh[piece] = np.exp(log_fresh)
            first.take(watched.rows, watched.share, urgency[piece], start)
        if self.goal == "fresh":
            sent = first.pages >= 0
            urgency[first.pages[sent]] += model.scouts.worth(first.sizes, model.timeline.usual, hour)[sent]
        regular = self._rhythms.regular()
        if len(regular):
            pages = self._rhythms.pages(regular)
            left = self._hours_left(regular, hour)
            worth = left / _HOURS_A_DAY if self.goal == "fresh" else (left > 0)
            urgency[pages] = np.where(left, _REGULAR * worth, (1 - _REGULAR) * urgency[pages])
            fresh[pages] = np.where(left, 1 - _REGULAR, _REGULAR)
        return urgency, fresh

    def _hinted(self, pages: Numbers, chances: Floats, urgency: Floats, now: int) -> Floats:
        model, hour = self._at(now)
        log_fresh, rate = model.outlook(self._watched(model, pages, hour))
        return self._worth(log_fresh + np.log1p(-np.minimum(chances, SUREST)), rate)

    def _fresh(self, now: int) -> Floats:
        return self._weighed(now)[1]

    def _fresh_ones(self, pages: Numbers, now: int) -> Floats:
        model, hour = self._at(now)
        fresh: Floats = np.exp(model.outlook(self._watched(model, pages, hour))[0])
        regular = self._rhythms.regular()
        if len(regular):
            left = dict(
                zip(self._rhythms.pages(regular).tolist(), self._hours_left(regular, hour).tolist(), strict=True)
            )
            for place, page in enumerate(pages.tolist()):
                if page in left:
                    fresh[place] = 1 - _REGULAR if left[page] else _REGULAR
        return fresh

    def _hours_left(self, regular: Numbers, hour: int) -> Numbers:
        """How long regular pages stay as they are, if they have changed since their visit, else 0."""
        visited = self._roster["visited"][self._rhythms.pages(regular)].astype(np.int64)
        return self._rhythms.hours_left(regular, (visited - self._began) // HOUR, hour)

    def _touched(self, pages: Numbers, now: int) -> None:
        model, hour = self._at(now)
        model.scouts.look(model.atlas.row_of[self._roster["place"][pages]], hour)

    def _learn(self, pages: Numbers, days: Floats, changed: Flags, now: int) -> None:
        for start in range(0, len(pages), _LESSON):
            lesson = slice(start, start + _LESSON)
            self._learn_some(pages[lesson], changed[lesson], now)

    def _learn_some(self, pages: Numbers, changed: Flags, now: int) -> None:
        model, hour = self._at(now)
        page = self._roster
        page["place"][pages] = model.atlas.moved(page["place"][pages], self._roster.addresses.urls(pages))
        watched = self._watched(model, pages, hour)
        self._rhythms.learn(pages, watched.since, hour, changed, len(page))
        found = model.learn(watched, changed)
        page["shape"][pages], page["days"][pages] = found.shape, found.days
        page["share"][pages] = found.share
        page["changed"][pages[changed]] = found.changed_at[changed] + 1

    def _watched(self, model: Model, which: slice | Numbers, hour: int) -> PagesBefore:
        """What is noted of some pages, in the terms of the model."""
        page = self._roster
        visited = page["visited"][which].astype(np.int64)
        return PagesBefore(
            rows=model.atlas.row_of[page["place"][which]],
            since=np.clip((visited - self._began) // HOUR, model.timeline.start, hour),
            shape=page["shape"][which],
            days=page["days"][which],
            share=page["share"][which].astype(np.float32),
            changed=page["changed"][which].astype(np.int64) - 1,
            born=page["born"][which].astype(np.int64) - 1,
        )

    def _worth(self, log_fresh: Floats, rate: Floats) -> Floats:
        return versions_gained(log_fresh) if self.goal == "capture" else days_gained(log_fresh, rate)

    def _at(self, now: int) -> tuple[Model, int]:
        """The model, moved forward to now, and the hours from its beginning to now."""
        if self._model is None:
            self._began = now - (now - _MONDAY) % _WEEK
            self._model = Model(start=(now - self._began) // HOUR)
        if (now - self._began) // HOUR > _LAST_HOUR:
            self._rebase()
        hour = max(self._model.timeline.start, (now - self._began) // HOUR)
        self._model.advance(hour)
        return self._model, hour

    def _rebase(self) -> None:
        """Count hours from a later Monday."""
        assert self._model is not None
        self._began += _MOVED_HOURS * HOUR
        self._rhythms.forget()
        self._model.rebase(_MOVED_HOURS)
        for name in ("changed", "born"):
            column = self._roster[name]
            column[column != _NEVER] = np.maximum(column[column != _NEVER].astype(np.int64) - _MOVED_HOURS, 1)

    def _state(self) -> tuple[dict[str, Array], dict[str, list[str]]]:
        if self._model is None:
            return {}, {}
        arrays, sites = self._model.state()
        rhythms = {f"{_RHYTHMS}{name}": array for name, array in self._rhythms.state().items()}
        return {**arrays, **rhythms, "began": np.array([self._began], np.int64)}, {"sites": sites}

    def _restore(self, arrays: Mapping[str, Array], texts: Mapping[str, list[str]]) -> None:
        self._model = None
        if "began" in arrays:
            self._began = int(arrays["began"][0])
            self._model = Model(start=0)
            self._model.restore(arrays, texts["sites"])
        kept = {name.removeprefix(_RHYTHMS): each for name, each in arrays.items() if name.startswith(_RHYTHMS)}
        self._rhythms.restore(kept)


def _scattered(start: int, count: int) -> Floats:
    """A factor for each page, a little above 1, that has nothing to do with its neighbours'."""
    numbers = np.arange(start, start + count, dtype=np.uint32) * np.uint32(_SCATTER)
    factors: Floats = 1 + numbers.astype(np.float32) * np.float32(_CHANCE / 2**32)
    return factors
