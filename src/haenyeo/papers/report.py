"""What an experiment found: tables, and figures as SVG."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

import msgspec

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 720, 420, 64, 170, 40, 56
_COLOURS = ("#1b6ca8", "#d1495b", "#2e933c", "#edae49", "#6a4c93", "#30343f", "#17becf", "#8c564b")
_TICKS = 5
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)

_SHARES_BELOW = 2.0

Cell = str | int | float


def written(cell: Cell) -> str:
    """A cell as it is shown: shares with three digits at most, larger numbers with one.

    >>> [written(cell) for cell in (0.70649, 0.0, 98.04, 2167.0, 12, "G1")]
    ['0.706', '0', '98.0', '2167.0', '12', 'G1']
    """
    if not isinstance(cell, float):
        return str(cell)
    return f"{round(cell, 3):g}" if abs(cell) < _SHARES_BELOW else f"{cell:.1f}"


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table of the paper, or of ours beside it; `written` says how its numbers are shown."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """Lines over a common axis: `lines` maps a name to its points, in the order they are joined."""

    title: str
    x: str
    y: str
    lines: Mapping[str, Sequence[tuple[float, float]]]

    def svg(self) -> str:
        """The figure as an SVG document."""
        points = [point for line in self.lines.values() for point in line] or [(0.0, 0.0)]
        scale = _Scale(_Axis.up_to(max(x for x, _ in points)), _Axis.up_to(max(y for _, y in points)))
        parts = [
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif"'
                ' font-size="12">'
            ),
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
            _text(_LEFT, 24, self.title, size=15),
            _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 14, self.x, anchor="middle"),
            f'<g transform="rotate(-90 16 {_HEIGHT / 2})">{_text(16, _HEIGHT / 2, self.y, anchor="middle")}</g>',
            *scale.axes(),
        ]
        for place, (name, line) in enumerate(self.lines.items()):
            parts += _drawn(name, [scale.place(*point) for point in line], place)
        return "\n".join([*parts, "</svg>\n"])


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All that an experiment found."""

    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    notes: Sequence[str] = ()


class _Axis(msgspec.Struct, frozen=True):
    """An axis from 0 on, with a tick at every `step`."""

    step: float
    ticks: int

    @classmethod
    def up_to(cls, most: float) -> _Axis:
        """The axis that ends at or behind `most`, in steps of 1, 2, 2.5 or 5 times a power of ten."""
        most = most if most > 0 else 1.0
        power = 10.0 ** math.floor(math.log10(most / _TICKS))
        step = next(each * power for each in _STEPS if each * power * _TICKS >= most * (1 - 1e-9))
        return cls(step, math.ceil(most / step - 1e-9))

    @property
    def end(self) -> float:
        """Where it ends."""
        return self.step * self.ticks


class _Scale(msgspec.Struct, frozen=True):
    across: _Axis
    up: _Axis

    def place(self, x: float, y: float) -> tuple[float, float]:
        across = _LEFT + x / self.across.end * (_WIDTH - _LEFT - _RIGHT)
        down = _HEIGHT - _BOTTOM - y / self.up.end * (_HEIGHT - _TOP - _BOTTOM)
        return round(across, 1), round(down, 1)

    def axes(self) -> list[str]:
        parts = []
        for tick in range(self.up.ticks + 1):
            y = self.up.step * tick
            _, down = self.place(0.0, y)
            parts.append(f'<path d="M{_LEFT} {down}H{_WIDTH - _RIGHT}" stroke="#ddd"/>')
            parts.append(_text(_LEFT - 6, down + 4, f"{y:.6g}", anchor="end"))
        for tick in range(self.across.ticks + 1):
            x = self.across.step * tick
            across, _ = self.place(x, 0.0)
            parts.append(_text(across, _HEIGHT - _BOTTOM + 18, f"{x:.6g}", anchor="middle"))
        return parts


def _text(x: float, y: float, words: str, *, anchor: str = "start", size: int = 12) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}">{escape(words)}</text>'


def _drawn(name: str, places: list[tuple[float, float]], place: int) -> list[str]:
    colour = _COLOURS[place % len(_COLOURS)]
    way = " ".join(f"{x},{y}" for x, y in places)
    height = _TOP + 20 + 20 * place
    return [
        f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"/>',
        f'<path d="M{_WIDTH - _RIGHT + 12} {height - 4}h20" stroke="{colour}" stroke-width="2"/>',
        _text(_WIDTH - _RIGHT + 38, height, name),
    ]
