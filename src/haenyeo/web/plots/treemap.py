"""Boxes whose areas are the values, nearly square (Bruls, Huizing & van Wijk 2000, "Squarified Treemaps", §3)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

WIDE, NARROW = (960, 420), (420, 520)  # the room on a desk and on a phone
LABEL_WIDTH, LABEL_HEIGHT = 84, 34  # below this a box has no room for words


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """The box of the item at `index`."""

    index: int
    x: float
    y: float
    width: float
    height: float

    @property
    def has_room(self) -> bool:
        """Is there room for words?"""
        return self.width >= LABEL_WIDTH and self.height >= LABEL_HEIGHT


def treemap(values: Sequence[float], room: tuple[int, int] = WIDE) -> list[Box]:
    """A box for each value that is more than 0, in the order of the values; the values must fall."""
    total = sum(value for value in values if value > 0)
    if not total:
        return []
    areas = [value * room[0] * room[1] / total for value in values if value > 0]
    boxes: list[Box] = []
    x, y, width, height = 0.0, 0.0, float(room[0]), float(room[1])
    first = 0
    while first < len(areas):
        side = min(width, height)
        count = _row_length(areas, first, side)
        row = areas[first : first + count]
        thick = sum(row) / side
        along = 0.0
        for offset, area in enumerate(row):
            length = area / thick
            lies = (x, y + along, thick, length) if width >= height else (x + along, y, length, thick)
            boxes.append(_box(first + offset, *lies))
            along += length
        if width >= height:
            x, width = x + thick, max(width - thick, 1e-9)
        else:
            y, height = y + thick, max(height - thick, 1e-9)
        first += count
    return boxes


def _row_length(areas: Sequence[float], first: int, side: float) -> int:
    """How many boxes stand in the next row: as many as make its worst box squarer."""
    count, best = 1, _worst(areas[first : first + 1], side)
    while first + count < len(areas):
        worse = _worst(areas[first : first + count + 1], side)
        if worse > best:
            break
        count, best = count + 1, worse
    return count


def _worst(row: Sequence[float], side: float) -> float:
    total = sum(row)
    return max(side * side * max(row) / total**2, total**2 / (side * side * min(row)))


def _box(index: int, x: float, y: float, width: float, height: float) -> Box:
    return Box(index=index, x=round(x, 1), y=round(y, 1), width=round(width, 1), height=round(height, 1))
