"""At which weekday and hour is a page visited (Cho, Lee & Choi 2013, section 3.2 and table 3.5)?

Pages that change by day, from 09 to 18 o'clock, are visited at 00:00, those that change by night at 12:00. Pages of G14
come at both hours of every day, G7 every day, G3 on Monday, Wednesday and Friday, G1 on Saturday, 2G1 on the second
and fourth Saturday of four weeks, 4G1 on the third. 00:00 is the midnight at which the named day ends, as the table
lists it after 12:00.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from haenyeo.refresh.groups.cycles import Cycle

HOUR = 3600
DAY = 24 * HOUR
FOUR_WEEKS = 28 * DAY
MONDAY = 4 * DAY  # the first Monday 00:00 UTC of unix time
NIGHT_FALLS, DAY_BREAKS = 18, 9

_MON, _TUE, _WED, _THU, _FRI, _SAT, _SUN = range(7)
_DAYS: Mapping[Cycle, tuple[int, ...]] = {
    Cycle.TWICE_DAILY: tuple(range(28)),
    Cycle.DAILY: tuple(range(28)),
    Cycle.THRICE_WEEKLY: tuple(7 * week + day for week in range(4) for day in (_MON, _WED, _FRI)),
    Cycle.WEEKLY: tuple(7 * week + _SAT for week in range(4)),
    Cycle.TWO_WEEKLY: (7 + _SAT, 21 + _SAT),
    Cycle.FOUR_WEEKLY: (14 + _SAT,),
}


def by_day(hour: npt.NDArray[np.integer] | int) -> npt.NDArray[np.bool_] | bool:
    """Whether a change at this hour of the day counts as one by day."""
    return (hour >= DAY_BREAKS) & (hour < NIGHT_FALLS)


def visiting_hours(cycle: Cycle, changes_by_day: bool) -> tuple[int, ...]:  # noqa: FBT001  two kinds of pages
    """When pages of this group are visited, in hours of the named days; 24 is the midnight that ends the day."""
    if cycle is Cycle.TWICE_DAILY:
        return (12, 24)
    return (24,) if changes_by_day else (12,)


def latest_slot(cycle: Cycle, changes_by_day: bool, now: int) -> int:  # noqa: FBT001  two kinds of pages
    """The last moment up to now, in unix seconds, for which the table names pages of this group."""
    slots = sorted(
        (day * DAY + hour * HOUR) % FOUR_WEEKS for day in _DAYS[cycle] for hour in visiting_hours(cycle, changes_by_day)
    )
    cycle_start = now - (now - MONDAY) % FOUR_WEEKS
    passed = [cycle_start + slot for slot in slots if cycle_start + slot <= now]
    return passed[-1] if passed else cycle_start + slots[-1] - FOUR_WEEKS
