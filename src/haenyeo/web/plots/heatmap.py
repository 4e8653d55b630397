"""A week as a table of coloured hours."""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
SHADES = 6
CELL, GAP, LEFT, TOP = 24, 3, 44, 22

Counts = npt.NDArray[np.int64] | npt.NDArray[np.float64]


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """One hour: its place, its shade from 0 (none) on, and what it stands for."""

    x: int
    y: int
    shade: int
    label: str


class Heatmap(msgspec.Struct, frozen=True, kw_only=True):
    """All that is drawn."""

    cells: tuple[Cell, ...]
    days: tuple[tuple[int, str], ...]
    hours: tuple[tuple[int, str], ...]
    width: int
    height: int
    size: int
    busiest: str


def heatmap(counts: Counts, what: str) -> Heatmap | None:
    """The drawing of counts by weekday and hour, or None when all are 0."""
    most = float(counts.max())
    if most == 0:
        return None
    shades = _shades(counts, most)
    day, hour = divmod(int(counts.argmax()), 24)
    step = CELL + GAP
    cells = tuple(
        Cell(
            x=LEFT + hour * step,
            y=TOP + day * step,
            shade=int(shades[day, hour]),
            label=f"{DAYS[day]} {hour:02d}:00, {_written(counts[day, hour])} {what}",
        )
        for day in range(7)
        for hour in range(24)
    )
    return Heatmap(
        cells=cells,
        days=tuple((TOP + day * step + CELL - 7, name) for day, name in enumerate(DAYS)),
        hours=tuple((LEFT + hour * step + CELL // 2, f"{hour:02d}") for hour in range(0, 24, 3)),
        width=LEFT + 24 * step,
        height=TOP + 7 * step,
        size=CELL,
        busiest=f"{DAYS[day]} {hour:02d}:00",
    )


def _shades(counts: Counts, most: float) -> npt.NDArray[np.int64]:
    """Shades from what is least to what is most; 0 is for silent hours alone."""
    least = float(counts.min())
    if least == most:
        return np.full(counts.shape, SHADES // 2, np.int64)
    share = np.sqrt((counts - least) / (most - least))  # the root keeps quiet hours apart from silent ones
    shades: npt.NDArray[np.int64] = np.ceil(share * SHADES).clip(min=int(least > 0)).astype(np.int64)
    return shades


def _written(value: float) -> str:
    """Whole numbers as they are, small expectations with a digit behind the point."""
    return f"{value:,.0f}" if value == int(value) or value >= 10 else f"{value:.1f}"  # noqa: PLR2004
