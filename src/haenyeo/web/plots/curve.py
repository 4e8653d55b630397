"""Lines over two axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import msgspec

WIDTH, HEIGHT = 720, 280
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 14, 46
TICKS = 5


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """A line to draw; `kind` chooses its looks in the style sheet."""

    name: str
    points: Sequence[tuple[float, float]]
    kind: str = "main"


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line as drawn; `area` closes it down to the axis."""

    name: str
    kind: str
    path: str
    area: str
    end: tuple[float, float]


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """A point of a line that has a name."""

    x: float
    y: float
    label: str


class Scale(msgspec.Struct, frozen=True, kw_only=True):
    """What the upright axis shows: from which value on, and how values are written."""

    least: float = 0.0
    written: Callable[[float], str] | None = None


class Tick(msgspec.Struct, frozen=True, kw_only=True):
    """A mark on an axis."""

    place: float
    label: str


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    """All that is drawn."""

    lines: tuple[Line, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    marks: tuple[Mark, ...] = ()
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def curve(series: Sequence[Series], marks: Sequence[Mark] = (), scale: Scale | None = None) -> Curve | None:
    """The drawing of these lines, or None when there is nothing to draw; marks are given in the lines' own units."""
    points = [point for line in series for point in line.points]
    if not points:
        return None
    scale = scale or Scale()
    x_ticks = ticks(max(x for x, _ in points))
    y_ticks = [scale.least + above for above in ticks(max(y for _, y in points) - scale.least)]
    across, up = (WIDTH - LEFT - RIGHT) / x_ticks[-1], (HEIGHT - TOP - BOTTOM) / (y_ticks[-1] - scale.least)

    def place(x: float, y: float) -> tuple[float, float]:
        return round(LEFT + x * across, 1), round(HEIGHT - BOTTOM - (y - scale.least) * up, 1)

    drawn = [place(mark.x, mark.y) for mark in marks]
    written = scale.written or short
    return Curve(
        lines=tuple(_line(line, [place(x, y) for x, y in line.points]) for line in series if line.points),
        x_ticks=tuple(Tick(place=place(value, 0)[0], label=short(value)) for value in x_ticks),
        y_ticks=tuple(Tick(place=place(0, value)[1], label=written(value)) for value in y_ticks),
        marks=tuple(Mark(x=x, y=y, label=mark.label) for (x, y), mark in zip(drawn, marks, strict=True)),
    )


def _line(line: Series, drawn: Sequence[tuple[float, float]]) -> Line:
    path = "M" + "L".join(f"{x} {y}" for x, y in drawn)
    floor = HEIGHT - BOTTOM
    area = f"{path}L{drawn[-1][0]} {floor}L{drawn[0][0]} {floor}Z"
    return Line(name=line.name, kind=line.kind, path=path, area=area, end=drawn[-1])


def ticks(largest: float) -> list[float]:
    """Round numbers from 0 up to at least the largest value."""
    if largest <= 0:
        return [0.0, 1.0]
    rough = largest / TICKS
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= rough)
    return [round(step * number, 10) for number in range(math.ceil(largest / step) + 1)]


def short(value: float) -> str:
    """A number in few characters."""
    for size, suffix in ((1e6, " M"), (1e3, " k")):
        if value >= size * 10 or (value >= size and value % (size / 10) == 0 and size > 1e3):  # noqa: PLR2004
            return f"{value / size:g}{suffix}"
    return f"{value:,.0f}" if value == int(value) else f"{value:g}"
