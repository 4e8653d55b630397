"""At which weekday and hour is a page visited (Cho, Lee & Choi 2013, section 3.2 and table 3.5)?

Pages that change by day, from 09 to 18 o'clock, are visited at 00:00, those that change by night at 12:00. Pages of G14
come at both hours of every day, G7 every day, G3 on Monday, Wednesday and Friday, G1 on Saturday, 2G1 on the second
and fourth Saturday of four weeks, 4G1 on the third. 00:00 is the midnight at which the named day ends, as the table
lists it after 12:00. Hours are those of a time zone: the pages' own, if they are to mean day and night.
"""

from __future__ import annotations

import calendar
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from functools import lru_cache

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.refresh.groups.cycles import Cycle

HOUR = 3600
DAY = 24 * HOUR
FOUR_WEEKS = 28 * DAY
MONDAY = 4 * DAY  # the first Monday 00:00 of unix time
DAY_BREAKS, NIGHT_FALLS = 9, 18
NOON, MIDNIGHT = 12, 24
SURE = 0.9  # share of its changes that a page of the day has by day, and one of the night by night

_MON, _TUE, _WED, _THU, _FRI, _SAT, _SUN = range(7)
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_DAYS: Mapping[Cycle, tuple[int, ...]] = {
    Cycle.TWICE_DAILY: tuple(range(28)),
    Cycle.DAILY: tuple(range(28)),
    Cycle.THRICE_WEEKLY: tuple(7 * week + day for week in range(4) for day in (_MON, _WED, _FRI)),
    Cycle.WEEKLY: tuple(7 * week + _SAT for week in range(4)),
    Cycle.TWO_WEEKLY: (7 + _SAT, 21 + _SAT),
    Cycle.FOUR_WEEKLY: (14 + _SAT,),
}
_RARE = {Cycle.TWO_WEEKLY: "2nd and 4th ", Cycle.FOUR_WEEKLY: "3rd "}

Seconds = npt.NDArray[np.float64]


class DayHours(msgspec.Struct, frozen=True, kw_only=True):
    """The hours between which it is day, and those at which pages that change by night and by day are visited.

    24 is the midnight that ends a day.
    """

    breaks: int = DAY_BREAKS
    falls: int = NIGHT_FALLS
    for_night: int = NOON
    for_day: int = MIDNIGHT

    def visiting_hours(self, cycle: Cycle, *, by_day: bool) -> tuple[int, ...]:
        """When pages of this group are visited, in hours of the named days."""
        if cycle is Cycle.TWICE_DAILY:
            return tuple(sorted((self.for_night, self.for_day)))
        return (self.for_day,) if by_day else (self.for_night,)

    def evidence(self, begun: Seconds, ended: Seconds) -> Seconds:
        """How far changes somewhere between two moments each speak for a page of the day, as log odds.

        Moments are seconds of the local clock. A whole day between two visits says nothing, twenty minutes say all.
        """
        lasted = np.maximum(ended - begun, 1.0)
        light = self._light(ended) - self._light(begun)
        span = (self.falls - self.breaks) * HOUR
        day, night = light / span, (lasted - light) / (DAY - span)
        odds: Seconds = np.log(SURE * day + (1 - SURE) * night) - np.log((1 - SURE) * day + SURE * night)
        return odds

    def _light(self, moment: Seconds) -> Seconds:
        """The seconds of daytime from the first day of all up to a moment."""
        span = (self.falls - self.breaks) * HOUR
        light: Seconds = moment // DAY * span + np.clip(moment % DAY - self.breaks * HOUR, 0, span)
        return light


HOURS = DayHours()


def latest_slot(cycle: Cycle, now: int, *, by_day: bool, hours: DayHours = HOURS, zone: tzinfo = UTC) -> int:
    """The last moment up to now, in unix seconds, for which the table names pages of this group."""
    wall = local_seconds(now, zone)
    slots = _slots(cycle, hours.visiting_hours(cycle, by_day=by_day))
    start = wall - (wall - MONDAY) % FOUR_WEEKS
    passed = bisect_right(slots, wall - start + DAY)  # a day more than needed: clocks are put forward and back
    for number in range(passed - 1, -len(slots) - 1, -1):
        moment = _moment(start + slots[number] - (FOUR_WEEKS if number < 0 else 0), zone)
        if moment <= now:
            return moment
    raise AssertionError("four weeks have a slot of every group")


@lru_cache
def _slots(cycle: Cycle, hours: tuple[int, ...]) -> list[int]:
    """The moments of four weeks at which pages of a group are visited, as seconds from their first Monday on."""
    return sorted((day * DAY + hour * HOUR) % FOUR_WEEKS for day in _DAYS[cycle] for hour in hours)


def local_seconds(now: float, zone: tzinfo) -> int:
    """The seconds that a clock of the zone shows, as if it were UTC."""
    return calendar.timegm(datetime.fromtimestamp(now, zone).timetuple())


def _moment(wall: int, zone: tzinfo) -> int:
    """The moment at which a clock of the zone shows so many seconds."""
    return int(datetime.fromtimestamp(wall, UTC).replace(tzinfo=zone).timestamp())


def weekly_table(
    pages: Iterable[tuple[str, Cycle, bool]], hours: DayHours = HOURS
) -> dict[tuple[str, str], Sequence[str]]:
    """The paper's table 3.5: for each weekday and hour the pages visited then, each given as (name, group, by day?).

    Rows are in the order of the week; those of some weeks only stand at the end.
    """
    cells: dict[tuple[int, int, int], list[str]] = {}
    names: dict[tuple[int, int, int], tuple[str, str]] = {}
    for name, cycle, by_day in pages:
        for day in sorted({day % 7 for day in _DAYS[cycle]}):
            for hour in hours.visiting_hours(cycle, by_day=by_day):
                place = (-(cycle if cycle in _RARE else Cycle.TWICE_DAILY), day, hour)
                cells.setdefault(place, []).append(name)
                names[place] = (_RARE.get(cycle, "") + WEEKDAYS[day], f"{hour % 24}:00")
    return {names[place]: cells[place] for place in sorted(cells)}
