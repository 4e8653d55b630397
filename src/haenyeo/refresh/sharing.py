"""One budget for several planners: what a visit must be worth to be made, the same for all of them.

Each planner tells what visits are worth to it, as a staircase: so many visits at this urgency, so many at the next.
Laid over each other, the staircases say how far down a number of visits reaches; the urgency there is the price of a
visit. Everyone gets as many visits as lie above the price, which is what one planner of all pages would choose.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.refresh.choosing import NOT_NOW, Floats

_FINE = 16  # of the most urgent visits so many have a stair of their own
_GROWTH = 1.2  # by which stairs grow from there on


class Stair(msgspec.Struct, frozen=True, array_like=True):
    """So many `visits`, the least urgent of which has this urgency; `relief` is how many of the copies may be stale."""

    visits: int
    urgency: float
    relief: float = 0.0


class Demand(msgspec.Struct, frozen=True, array_like=True):
    """What visits are worth to one planner now: its stairs, the most urgent first.

    `pages` are planned for, of which `stale` copies are expected to be stale, None if the planner cannot tell.
    """

    pages: int = 0
    stale: float | None = None
    stairs: tuple[Stair, ...] = ()

    @property
    def visits(self) -> int:
        """How many visits could be made."""
        return sum(stair.visits for stair in self.stairs)


def demand_of(urgency: Floats, stale: Floats | None, not_now: npt.NDArray[np.bool_]) -> Demand:
    """The demand of pages of this urgency and chance to be stale, of which some cannot be visited now."""
    pages = int((urgency > NOT_NOW).sum())
    possible = np.flatnonzero((urgency > NOT_NOW) & ~not_now)
    order = possible[np.argsort(-urgency[possible], kind="stable")]
    relief = np.zeros(len(order)) if stale is None else np.cumsum(stale[order], dtype=np.float64)
    stairs, before = [], 0
    for rank in _ranks(len(order)):
        gained = relief[rank - 1] - (relief[before - 1] if before else 0.0)
        stairs.append(Stair(rank - before, float(urgency[order[rank - 1]]), float(gained)))
        before = rank
    return Demand(pages, None if stale is None else float(stale.sum()), tuple(stairs))


def _ranks(count: int) -> list[int]:
    """Where the stairs end: each of the first visits, then ever larger steps, and the last."""
    ranks, rank = list(range(1, min(_FINE, count) + 1)), _FINE
    while rank < count:
        rank = min(count, max(rank + 1, int(rank * _GROWTH)))
        ranks.append(rank)
    return ranks


def shared_out(visits: int, demands: Mapping[int, Demand]) -> tuple[dict[int, int], float]:
    """How many of these visits each planner gets, and the price at which they are used up; 0 if there are enough."""
    given, price = dict.fromkeys(demands, 0), 0.0
    for who, stair in _most_urgent_first(demands):
        more = min(stair.visits, visits)
        given[who] += more
        visits -= more
        if not visits:
            price = stair.urgency
            break
    return given, price


def needed(relief: float, demands: Mapping[int, Demand]) -> int:
    """How many of the most urgent visits make so many fewer copies stale."""
    visits = 0
    for _, stair in _most_urgent_first(demands):
        if relief <= 0:
            break
        share = min(1.0, relief / stair.relief) if stair.relief > 0 else 1.0
        visits += int(np.ceil(stair.visits * share))
        relief -= stair.relief
    return visits


def _most_urgent_first(demands: Mapping[int, Demand]) -> list[tuple[int, Stair]]:
    stairs = [(who, stair) for who, demand in demands.items() for stair in demand.stairs]
    return sorted(stairs, key=lambda each: -each[1].urgency)
