"""All that is believed about pages and their places, and how a visit changes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from haenyeo.refresh.choosing import Floats
from haenyeo.refresh.columns import Array, GrowingColumns
from haenyeo.refresh.roster import Flags
from haenyeo.refresh.tide import rates
from haenyeo.refresh.tide.ages import Ages
from haenyeo.refresh.tide.places import Atlas
from haenyeo.refresh.tide.scouts import Scouts
from haenyeo.refresh.tide.tables import Rows, add_by_row, drawn
from haenyeo.refresh.tide.timeline import Timeline
from haenyeo.refresh.tide.trust import PlaceTrust, sorts_of
from haenyeo.refresh.tide.week import TELLING_HOURS, Week

_HOURS_A_DAY = 24
_FIRST_RATE = 0.003  # changes a day that a page makes by itself, before anything was seen
_EVERYWHERE_DAYS = 1000.0  # page-days that this counts for among all pages
_PLACE_CHANGES = 0.3  # changes that the wider place counts for in the narrower
_SHARE_CHANGES = 2.0  # shared changes that what was believed counts for when a page's share is brought up to date
_BIRTH = (0.18, (900.0, 2.7, 3.0))
_CHANGE = (0.05, (2700.0, 30.0, 9.0))
_SOON = 8  # the rate of a young page is taken over the next eighth of its age
_LEAST_DAYS = 1e-3


@dataclass(frozen=True)
class PagesBefore:
    """Pages before a visit, by column: their rows, the hour of the last visit, and the beliefs about each.

    `changed` and `born` are the hours of the last change found and of the birth, -1 when there was none.
    """

    rows: Rows
    since: npt.NDArray[np.int64]
    shape: Floats
    days: Floats
    share: Floats
    changed: npt.NDArray[np.int64]
    born: npt.NDArray[np.int64]


@dataclass(frozen=True)
class PagesAfter:
    """The beliefs about pages after a visit; `changed_at` is the likely hour of the change."""

    shape: Floats
    days: Floats
    share: Floats
    changed_at: npt.NDArray[np.int64]


@dataclass(frozen=True)
class _Causes:
    """The changes expected since the last visit, by cause, and the days in between by the place's rhythm."""

    waited: Floats
    itself: Floats
    together: Floats
    by_age: Floats


class Model:
    """The beliefs; hours count from a Monday 00:00."""

    def __init__(self, start: int) -> None:
        self.atlas = Atlas()
        self.timeline = Timeline(start)
        self.week = Week()
        self._births = Ages(*_BIRTH)
        self._changes = Ages(*_CHANGE)
        self.scouts = Scouts()
        self._trust = PlaceTrust()
        self._own = GrowingColumns({"counts": np.float32, "days": np.float32})
        self._usual: Floats = np.zeros(0, np.float64)
        self._rhythm_day = -1
        self.grow()

    def grow(self) -> None:
        """Add rows for places that are new."""
        new = len(self.atlas.parents) - len(self._own)
        if new:
            for table in (self.timeline, self.week, self._births, self._changes, self._trust):
                table.add_rows(new)
            self.scouts.add_rows(new, self.timeline.now)
            self._own.extend(new)
            self._refresh()

    def advance(self, hour: int) -> None:
        """Move the model's time forward to this hour."""
        if hour == self.timeline.now:
            return
        self._trust.fade(hour - self.timeline.now)
        self.timeline.advance(hour)
        if hour // _HOURS_A_DAY != self._rhythm_day:
            self._rhythm_day = hour // _HOURS_A_DAY
            self.week.refresh(self.atlas.parents)
        self._refresh()

    def usual_rate(self, rows: Rows) -> Floats:
        """How often pages of these rows usually change by themselves, a day."""
        return self._usual[rows]

    def outlook(self, pages: PagesBefore) -> tuple[Floats, Floats]:
        """The logarithm of the chance that each copy is fresh, and the changes a day expected from now on."""
        causes = self._causes(pages)
        rate = rates.expected(pages.shape, pages.days, causes.waited)
        rate += pages.share * self.timeline.usual[pages.rows]
        self._add_rate_by_age(rate, pages)
        trust = self._trust.of(pages.rows, sorts_of(pages.changed, self.timeline.now))
        return -(causes.itself + causes.together + causes.by_age) * trust, rate * trust

    def learn(self, pages: PagesBefore, changed: Flags) -> PagesAfter:
        """Update all beliefs from visits made now; returns those about the visited pages."""
        self.scouts.look(pages.rows, self.timeline.now)
        self.scouts.learn(pages.rows, changed)
        causes = self._causes(pages)
        shared = (causes.together + causes.by_age).astype(np.float64)
        chance = -np.expm1(-(causes.itself + shared))
        found = np.where(changed, 1 / np.maximum(chance, 1e-9), 0.0)
        parents = self.atlas.parents[pages.rows]
        sorts = sorts_of(pages.changed, self.timeline.now)
        self._trust.learn(pages.rows, parents, sorts, chance, changed)
        self._learn_week(pages, causes, parents, found)
        ascribed, hours = self.timeline.learn(pages.rows, parents, pages.since, found, pages.share)
        for habit, event in ((self._births, pages.born), (self._changes, pages.changed)):
            on = np.flatnonzero(event >= 0)
            ages = (pages.since - event)[on], (self.timeline.now - event)[on]
            habit.learn(pages.rows[on], parents[on], (np.maximum(ages[0], 0), np.maximum(ages[1], 0)), found[on])
        self._learn_own(pages, causes, parents, found)
        shape, days = self._own_rate(pages, causes, self._usual[pages.rows], (shared, changed))
        share = self._share(self.timeline.since(pages.rows, pages.since), pages, ascribed)
        alone = found * (causes.itself + causes.by_age)
        return PagesAfter(shape, days, share, self._changed_at(pages, alone, ascribed, hours))

    def rebase(self, hours: int) -> None:
        """Count hours from a Monday that is so much later."""
        self.atlas.rebase(hours)
        self.timeline.rebase(hours)
        self.scouts.rebase(hours)
        self._refresh()

    def state(self) -> tuple[dict[str, Array], list[str]]:
        """What is kept, by name, and the names of the sites."""
        atlas, sites = self.atlas.state()
        tables = {**self._tables(), "atlas": atlas}
        arrays = {f"{table}.{name}": array for table, kept in tables.items() for name, array in kept.items()}
        return arrays | {"rhythm_day": np.array([self._rhythm_day], np.int64)}, sites

    def restore(self, arrays: Mapping[str, Array], sites: list[str]) -> None:
        """Take over what `state` gave."""
        kept: dict[str, dict[str, Array]] = {}
        for name, array in arrays.items():
            table, _, column = name.partition(".")
            kept.setdefault(table, {})[column] = array
        self.atlas.restore(kept["atlas"], sites)
        self.timeline.restore(kept["timeline"])
        self.week.restore(kept["week"])
        self._births.restore(kept["births"])
        self._changes.restore(kept["changes"])
        self._own.restore(kept["own"])
        more = len(self.atlas.parents) - 1  # rows beside that of the pool, which is there
        if "scouts" in kept:
            self.scouts.restore(kept["scouts"])
        else:
            self.scouts.add_rows(more, self.timeline.now)
        if "trust" in kept:
            self._trust.restore(kept["trust"])
        else:
            self._trust.add_rows(more)
        self._rhythm_day = int(arrays["rhythm_day"][0])
        self._refresh()

    def _tables(self) -> dict[str, dict[str, Array]]:
        return {
            "timeline": self.timeline.state(),
            "week": self.week.state(),
            "births": self._births.state(),
            "changes": self._changes.state(),
            "own": self._own.state(),
            "scouts": self.scouts.state(),
            "trust": self._trust.state(),
        }

    def _refresh(self) -> None:
        """Compute all rates anew from what was counted."""
        parents = self.atlas.parents
        counts, days = self._own["counts"].astype(np.float64), self._own["days"].astype(np.float64)
        sites = parents == np.arange(len(parents))
        everywhere = drawn(counts[sites].sum(), days[sites].sum(), _EVERYWHERE_DAYS, _FIRST_RATE)
        usual = (counts + _PLACE_CHANGES) / (days + _PLACE_CHANGES / everywhere)
        inner = ~sites
        usual[inner] = (counts[inner] + _PLACE_CHANGES) / (days[inner] + _PLACE_CHANGES / usual[parents[inner]])
        self._usual = usual
        self._trust.refresh(parents)
        self._births.refresh(parents)
        self._changes.refresh(parents)
        self.timeline.refresh(parents, self.week.everywhere)

    def _causes(self, pages: PagesBefore) -> _Causes:
        now = self.timeline.now
        waited = np.maximum(self.week.days(pages.rows, pages.since, now), np.float32(_LEAST_DAYS))
        by_age = np.zeros(len(pages.rows), np.float32)
        for habit, event in ((self._births, pages.born), (self._changes, pages.changed)):
            on = np.flatnonzero(event >= 0)
            rows, ages = pages.rows[on], now - event[on]
            begun = np.maximum(pages.since[on] - event[on], 0)
            by_age[on] += habit.expected(rows, np.maximum(ages, 0)) - habit.expected(rows, begun)
        return _Causes(
            waited=waited,
            itself=-rates.log_unchanged(pages.shape, pages.days, waited),
            together=pages.share * self.timeline.since(pages.rows, pages.since),
            by_age=np.maximum(by_age, 0),
        )

    def _add_rate_by_age(self, rate: Floats, pages: PagesBefore) -> None:
        """Add what young and newly changed pages are expected to change soon."""
        now = self.timeline.now
        on = np.flatnonzero(pages.born >= 0)
        rows, ages = pages.rows[on], np.maximum(now - pages.born[on], 0)
        soon = ages // _SOON + 1
        rate[on] += (self._births.expected(rows, ages + soon) - self._births.expected(rows, ages)) * _HOURS_A_DAY / soon
        on = np.flatnonzero(pages.changed >= 0)
        rate[on] += self._changes.rate(pages.rows[on], np.maximum(now - pages.changed[on], 0))

    def _learn_own(self, pages: PagesBefore, causes: _Causes, parents: Rows, found: Floats) -> None:
        inner = parents != pages.rows
        for name, values in (("counts", causes.itself * found), ("days", causes.waited)):
            add_by_row(self._own[name], pages.rows, values)
            add_by_row(self._own[name], parents[inner], values[inner])

    def _learn_week(self, pages: PagesBefore, causes: _Causes, parents: Rows, found: Floats) -> None:
        """Share a change out among the hours in which it may have happened."""
        now = self.timeline.now
        hours = np.arange(max(now - TELLING_HOURS, self.timeline.start), now)
        telling = np.flatnonzero((pages.since >= now - TELLING_HOURS) & (pages.since < now))
        if not len(telling) or not len(hours):
            return
        rows, since, share = pages.rows[telling], pages.since[telling, None], pages.share[telling, None]
        alone = (causes.itself[telling] / causes.waited[telling])[:, None] / _HOURS_A_DAY
        alone = alone + causes.by_age[telling, None] / (now - since)
        inside = hours >= since
        expected = inside * (alone + share * self.timeline.usual[rows][:, None] / _HOURS_A_DAY)
        likely = alone * self.week.during(rows, hours)
        likely = inside * (likely + share * self.timeline.rates(rows, hours)) * found[telling, None]
        self.week.learn(rows, parents[telling], hours, likely, expected)

    @staticmethod
    def _own_rate(
        pages: PagesBefore, causes: _Causes, usual: Floats, evidence: tuple[Floats, Flags]
    ) -> tuple[Floats, Floats]:
        shared, changed = evidence
        shape, days = pages.shape.astype(np.float64), pages.days.astype(np.float64)
        waited = causes.waited.astype(np.float64)
        return rates.faded(*rates.updated(shape, days, waited, shared, changed), waited, usual)

    @staticmethod
    def _share(lived: Floats, pages: PagesBefore, ascribed: Floats) -> Floats:
        """How much the page takes part in what its place lives through."""
        share: Floats = (pages.share * _SHARE_CHANGES + ascribed) / (_SHARE_CHANGES + lived)
        return share

    def _changed_at(self, pages: PagesBefore, alone: Floats, ascribed: Floats, hours: Floats) -> npt.NDArray[np.int64]:
        """The likely hour of the last change: that of the place's, or the middle, or just now for a busy page."""
        now = self.timeline.now
        waited = np.maximum(now - pages.since, 1)
        before = np.minimum(waited / 2, waited / np.maximum(alone, 1e-9))
        likely = (ascribed * hours + alone * (now - before)) / np.maximum(ascribed + alone, 1e-12)
        result: npt.NDArray[np.int64] = np.clip(likely, pages.since, now).astype(np.int64)
        return result
