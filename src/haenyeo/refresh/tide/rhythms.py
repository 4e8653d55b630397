"""Which pages change like clockwork? A table made anew each night, a bulletin each Monday.

For pages that were found changed, the last stretches in which a change must have happened are kept, and with them the
quiet ones in between. A page is *regular* with a period when there is a phase that puts a change into each of these
stretches and none into the quiet ones, and when that would hardly ever happen to a page that changes by chance: for a
given phase the chance is the product of (stretch / period) over the changes and of (1 - quiet / period) over what lies
between them, and there are as many different phases as short stretches fit the period. One change that is missing, or
comes at another time, and the page is regular no more.

A regular page is worth a visit when its hour has passed since the last one, and then as long as until the next.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from haenyeo.refresh.address_book import Numbers
from haenyeo.refresh.columns import Array
from haenyeo.refresh.roster import Flags

PERIODS = (6, 8, 12, 24, 48, 168, 336)
"""Hours; what changes more often than four times a day is worth no appointment."""
BY_CHANCE = 0.0005
FEWEST = 4  # changes
_KEPT = 6  # changes
_MOST_PAGES = 1 << 13
_PAGES_A_SLOT = 16
_FEW_PAGES = 256
_NOBODY = -1

Hours = npt.NDArray[np.int64]


class Rhythms:
    """The changes of some pages, and which of these pages are regular; times are hours since some beginning."""

    def __init__(self) -> None:
        self._slot_of: dict[int, int] = {}
        self._next = 0
        self._resize(0)

    def _resize(self, slots: int) -> None:
        self._pages = np.full(slots, _NOBODY, np.int64)
        self._begins = np.zeros((slots, _KEPT), np.uint16)
        self._ends = np.zeros((slots, _KEPT), np.uint16)
        self._counts = np.zeros(slots, np.uint8)
        self.period = np.zeros(slots, np.uint16)
        self._phase = np.zeros(slots, np.uint16)

    def learn(self, pages: Numbers, since: Hours, now: int, changed: Flags, known: int) -> None:
        """Learn from visits made now to pages last visited at these hours."""
        for page, begin, found in zip(pages.tolist(), since.tolist(), changed.tolist(), strict=True):
            slot = self._slot_of.get(page)
            if slot is None and found:
                slot = self._take_slot(page, known)
            if slot is None:
                continue
            if found:
                self._note(slot, begin, now)
            if self._counts[slot] >= FEWEST and (found or self.period[slot]):
                self._fit(slot, now)

    def regular(self) -> Numbers:
        """The slots of regular pages."""
        slots: Numbers = np.flatnonzero(self.period)
        return slots

    def pages(self, slots: Numbers) -> Numbers:
        """The pages in these slots."""
        pages: Numbers = self._pages[slots]
        return pages

    def hours_left(self, slots: Numbers, since: Hours, now: int) -> Hours:
        """How long until the next change of each of these regular pages, if one has come since its visit, else 0."""
        period, phase = self.period[slots].astype(np.int64), self._phase[slots].astype(np.int64)
        came = (now - phase) // period > (since - phase) // period
        hours: Hours = np.where(came, period - (now - phase) % period, 0)
        return hours

    def forget(self) -> None:
        """Forget all pages."""
        self._slot_of.clear()
        self._next = 0
        self._resize(0)

    def state(self) -> dict[str, Array]:
        """What is kept, by name."""
        return {
            "pages": self._pages,
            "begins": self._begins,
            "ends": self._ends,
            "counts": self._counts,
            "period": self.period,
            "phase": self._phase,
        }

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take over what `state` gave."""
        self.forget()
        if not arrays:
            return
        self._pages, self._begins, self._ends = arrays["pages"], arrays["begins"], arrays["ends"]
        self._counts, self.period, self._phase = arrays["counts"], arrays["period"], arrays["phase"]
        used = np.flatnonzero(self._pages != _NOBODY)
        self._slot_of = dict(zip(self._pages[used].tolist(), used.tolist(), strict=True))

    def _take_slot(self, page: int, known: int) -> int | None:
        """A slot for one more page; pages that are not regular make room for others in turn."""
        room = min(max(_FEW_PAGES, known // _PAGES_A_SLOT), _MOST_PAGES)
        if len(self._pages) < min(room, max(_FEW_PAGES, 2 * len(self._slot_of))):
            self._enlarge(min(room, max(_FEW_PAGES, 2 * len(self._pages))))
        for _ in range(len(self._pages)):
            slot, self._next = self._next, (self._next + 1) % len(self._pages)
            if not self.period[slot]:
                self._slot_of.pop(int(self._pages[slot]), None)
                self._pages[slot], self._counts[slot] = page, 0
                self._slot_of[page] = slot
                return slot
        return None

    def _enlarge(self, slots: int) -> None:
        old = self.state()
        self._next = len(self._pages)
        self._resize(slots)
        for name, array in self.state().items():
            array[: len(old[name])] = old[name]

    def _note(self, slot: int, begin: int, end: int) -> None:
        if self._counts[slot] == _KEPT:
            self._begins[slot, :-1], self._ends[slot, :-1] = self._begins[slot, 1:], self._ends[slot, 1:]
            self._counts[slot] -= 1
        place = self._counts[slot]
        self._begins[slot, place], self._ends[slot, place] = begin, end
        self._counts[slot] += 1

    def _fit(self, slot: int, now: int) -> None:
        count = int(self._counts[slot])
        begins, ends = self._begins[slot, :count].astype(np.int64), self._ends[slot, :count].astype(np.int64)
        self.period[slot], self._phase[slot] = fitting(begins, ends, now) or (0, 0)


def fitting(begins: Hours, ends: Hours, now: int) -> tuple[int, int] | None:
    """The period and phase of a page that changed in each of these stretches and at no other time until now.

    The phase is the latest that fits. None when the page is not regular.

    >>> fitting(np.array([22, 46, 70, 94]), np.array([25, 49, 73, 97]), 99)
    (24, 1)
    """
    stretches, quiet = ends - begins, np.append(begins[1:], now) - ends
    if stretches.min() <= 0:
        return None
    for period in PERIODS:
        if stretches.min() >= period or quiet.max() >= period:
            continue
        chance = np.prod(np.minimum(stretches / period, 1)) * np.prod(1 - quiet / period) * period / stretches.min()
        if chance > BY_CHANCE:
            continue
        phases = np.arange(period)
        inside = _ticks(begins, ends, phases, period).min(axis=0) >= 1
        outside = _ticks(ends, ends + quiet, phases, period).max(axis=0) == 0
        fits = np.flatnonzero(inside & outside)
        if len(fits):
            return period, _latest(fits, period)
    return None


def _ticks(begins: Hours, ends: Hours, phases: Hours, period: int) -> Hours:
    """How often each phase comes after the begin and up to the end of each stretch."""
    ticks: Hours = (ends[:, None] - phases) // period - (begins[:, None] - phases) // period
    return ticks


def _latest(fits: Hours, period: int) -> int:
    """The last of phases that lie together, round the end of the period if need be."""
    gaps = np.diff(np.append(fits, fits[0] + period))
    return int(fits[np.argmax(gaps)])
