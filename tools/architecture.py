"""Draw docs/images/architecture.svg: the rooms of src/haenyeo in their layers, and who imports whom.

    python tools/architecture.py

Layers are those that import-linter checks (pyproject.toml), arrows are counted in the import graph, sizes in the files.
A room with layers of its own (a contract with that room as container) shows them inside.
"""

from __future__ import annotations

import ast
import math
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

import grimp

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "haenyeo"
PICTURE = ROOT / "docs" / "images" / "architecture.svg"

WIDTH, MARGIN, LEFT = 1280, 24, 268  # the first column has the title, and the names of floors
CHANNEL, STREET, GAP = 46, 84, 44  # heights between layers, the high one above many rooms; width between rooms
WIDE = 600  # a room as wide as this has its question beside its name
SPACING, BEND = 11, 40  # between arrows; height of a curve from one line to another
FONT = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', sans-serif"
INK, SOFT, CARD, PAPER = "#10262c", "#566d73", "#ffffff", "#f3f6f5"
DEEP = "#0a4650"
SHADES = (
    "#6b6460",
    "#1d5a96",
    "#6a5aa8",
    "#2f7a4a",
    "#12808a",
    "#d9661f",
    "#a8322b",
    "#8a6212",
    "#8c3a6b",
    "#566d1f",
    DEEP,
)


class Room(NamedTuple):
    """A folder of the package: the question it answers, its size, and its own layers if it has any."""

    name: str
    question: str
    lines: int
    inside: tuple[tuple[str, ...], ...] = ()


class House(NamedTuple):
    """All rooms by layer, top first, and how many imports lead from one room to another."""

    layers: tuple[tuple[Room, ...], ...]
    imports: dict[tuple[str, str], int]


class Box(NamedTuple):
    """Where a room is drawn."""

    room: Room
    depth: int
    shade: str
    x: float
    y: float
    width: float
    height: float
    floor: bool

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height


def declared_layers(container: str) -> tuple[tuple[str, ...], ...]:
    """The layers of the contract for this package, top first; nothing if there is none."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for contract in settings["tool"]["importlinter"]["contracts"]:
        if contract["type"] == "layers" and container in contract.get("containers", ()):
            return tuple(tuple(re.findall(r"\w+", layer)) for layer in contract["layers"])
    return ()


def rooms_in(folder: Path) -> tuple[tuple[str, ...], ...]:
    """The folders in a package's folder, by layer; modules and layers without a folder are left out."""
    container = ".".join(folder.relative_to(ROOT / "src").parts)
    layers = (tuple(name for name in layer if (folder / name).is_dir()) for layer in declared_layers(container))
    return tuple(layer for layer in layers if layer)


def read_house() -> House:
    """The house as the code and the contract have it."""
    folder = ROOT / "src" / PACKAGE
    layers = tuple(tuple(_room(folder / name) for name in layer) for layer in rooms_in(folder))
    return House(layers, _imports())


def _room(folder: Path) -> Room:
    opening = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
    sources = [path for kind in ("*.py", "*.c", "*.h") for path in folder.rglob(kind)]
    lines = sum(bool(line.strip()) for path in sources for line in path.read_text(encoding="utf-8").splitlines())
    return Room(folder.name, opening.partition("?")[0] + "?", lines, rooms_in(folder))


def _imports() -> dict[tuple[str, str], int]:
    """How many pairs of modules lead from one room to another; imports for type checking alone are not counted."""
    graph = grimp.build_graph(PACKAGE, exclude_type_checking_imports=True, cache_dir=None)
    pairs = ((module, other) for module in graph.modules for other in graph.find_modules_directly_imported_by(module))
    rooms = ((module.split(".")[1], other.split(".")[1]) for module, other in pairs if "." in module and "." in other)
    return {(source, target): count for (source, target), count in Counter(rooms).items() if source != target}


def place(house: House) -> list[Box]:
    """A box for each room; below the last row of several rooms, single rooms are floors as wide as the picture."""
    boxes: list[Box] = []
    y = float(MARGIN)
    lowest_row = max(depth for depth, layer in enumerate(house.layers) if len(layer) > 1)
    columns = max(map(len, house.layers))
    for depth, layer in enumerate(house.layers):
        floor = depth > lowest_row
        y += (STREET if depth == lowest_row else CHANNEL) if depth else 0
        spans = [(MARGIN, WIDTH - 2 * MARGIN)] if floor else _spans(len(layer), columns, depth)
        height = max(_height(room, spans[0][1], floor=floor) for room in layer)
        shade = SHADES[min(len(house.layers) - 1 - depth, len(SHADES) - 1)]
        boxes += [
            Box(room, depth, shade, x, y, width, height, floor) for room, (x, width) in zip(layer, spans, strict=True)
        ]
        y += height
    return boxes


def _spans(rooms: int, columns: int, depth: int) -> list[tuple[float, float]]:
    """Where the rooms of a row begin and how wide they are.

    The first row and a room by itself fill the width; others take one column each, so that arrows find a way between.
    """
    whole = WIDTH - MARGIN - LEFT
    column = (whole - GAP * (columns - 1)) / columns
    if rooms == 1 or depth == 0:
        width = (whole - GAP * (rooms - 1)) / rooms
        return [(LEFT + number * (width + GAP), width) for number in range(rooms)]
    places = [int((number + 0.5) * columns / rooms) for number in range(rooms)]
    return [(LEFT + place * (column + GAP), column) for place in places]


def _height(room: Room, width: float, *, floor: bool) -> float:
    """How high a room must be for its words, and for the rooms inside it."""
    inside = 50 if room.inside else 0
    if width > WIDE and not floor:
        return 42 + inside
    lines = len(_lines(room.question, LEFT if floor else width))
    return (38 if floor else 58) + 16 * lines + inside


def _lines(text: str, width: float) -> list[str]:
    """The text in lines that fit a box of this width."""
    return wrap(text, int((width - 28) / 6.6))


def thickness(count: int) -> float:
    """How wide the line of an arrow is: four times as many imports make it about twice as wide."""
    return 1.1 + 0.62 * math.sqrt(count)


class Arrow(NamedTuple):
    """One arrow: down from a box, along its own line, to another box."""

    source: Box
    target: Box
    imports: int
    start: float
    line: float
    end: float

    @property
    def thickness(self) -> float:
        """Width of the line."""
        return thickness(self.imports)


def route(house: House, boxes: list[Box]) -> list[Arrow]:
    """An arrow for each pair of rooms, none of them on another's line or over a room of a row in between."""
    at = {box.room.name: box for box in boxes}
    pairs = [
        (at[source], at[target], count)
        for (source, target), count in house.imports.items()
        if source in at and target in at and at[source].depth != at[target].depth
    ]
    pairs.sort(key=lambda pair: (*_hindrance(pair[0], pair[1], boxes), pair[0].x, pair[1].x))
    taken: list[tuple[float, float, float, float]] = []
    ports: dict[tuple[str, str], list[float]] = {}
    arrows = []
    for source, target, count in pairs:
        wide = thickness(count)
        line = _free_line(source, target, boxes, taken, wide)
        start = _port(source, line, ports.setdefault((source.room.name, "below"), []))
        end = _port(target, line, ports.setdefault((target.room.name, "above"), []))
        arrows.append(Arrow(source, target, count, start, line, end))
        taken.append((line, wide, source.bottom, target.y))
    return arrows


def _port(box: Box, line: float, others: list[float]) -> float:
    """Where an arrow that comes along this line meets the box: on the line, or near to it beside the others."""
    if not box.x + 8 <= line <= box.right - 8:
        free = [x for x in _steps(box.x + 12, box.right - 12) if all(abs(x - other) >= SPACING for other in others)]
        line = min(free or [box.x + box.width / 2], key=lambda x: abs(x - line))
    others.append(line)
    return line


def _steps(first: float, last: float) -> list[float]:
    return [first + 2 * number for number in range(int((last - first) / 2) + 1)]


def _hindrance(source: Box, target: Box, boxes: list[Box]) -> tuple[int, int, int]:
    """The order in which lines are chosen: arrows with the most rooms of rows in their way come first."""
    rooms = sum(not box.floor and source.depth < box.depth < target.depth for box in boxes)
    return -rooms, source.depth, target.depth


def _free_line(
    source: Box, target: Box, boxes: list[Box], taken: Iterable[tuple[float, float, float, float]], wide: float
) -> float:
    """The best x for an arrow's way down: near to both ends, past the rooms and the arrows in between."""
    lone = Counter(box.depth for box in boxes)
    walls = [box for box in boxes if source.depth < box.depth < target.depth and lone[box.depth] > 1]
    others = [(x, w) for x, w, top, bottom in taken if top < target.y and source.bottom < bottom]

    def cost(x: float) -> float:
        bend = sum(max(box.x + 12 - x, 0, x - box.right + 12) for box in (source, target))
        centre = abs(x - (target.x + target.right) / 2) + abs(x - (source.x + source.right) / 2)
        crowd = sum(40 / (1 + abs(x - other)) for other, _ in others)
        blocked = any(box.x - 7 - wide / 2 < x < box.right + 7 + wide / 2 for box in walls)
        close = any(abs(x - other) < SPACING / 2 + (wide + width) / 2 for other, width in others)
        return bend + 0.12 * centre + crowd + 10_000 * blocked + 2_000 * close

    return min(_steps(LEFT + 8, WIDTH - MARGIN - 8), key=cost)


def draw(house: House) -> str:
    """The picture as SVG, by itself: no fonts, scripts or pictures from elsewhere."""
    boxes = place(house)
    height = max(box.bottom for box in boxes) + MARGIN
    arrows = sorted(route(house, boxes), key=lambda arrow: (-arrow.imports, arrow.line))
    frame = f'viewBox="0 0 {WIDTH} {height:.0f}" font-family="{escape(FONT)}" role="img" aria-labelledby="title"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {frame}>',
        '<title id="title">The rooms of Haenyeo in their layers; arrows point from a room to those it imports</title>',
        f'<rect width="{WIDTH}" height="{height:.0f}" rx="18" fill="{PAPER}"/>',
        *(_box(box) for box in boxes if box.floor),
        *(_arrow(arrow) for arrow in arrows),
        *(_box(box) for box in boxes if not box.floor),
        *_legend(),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _text(x: float, y: float, text: str, look: str = f'font-size="12.5" fill="{SOFT}"') -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" {look}>{escape(text)}</text>'


def _box(box: Box) -> str:
    """A room: name, size and question, and its own layers if it has any."""
    frame = f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="12"'
    fill = f'fill="{box.shade}" fill-opacity=".11"' if box.floor else f'fill="{CARD}"'
    parts = [
        f'<g class="room" data-room="{box.room.name}" data-layer="{box.depth}">',
        f'<rect {frame} {fill} stroke="{box.shade}" stroke-opacity=".55"/>',
        _text(box.x + 14, box.y + 26, box.room.name, f'font-size="17" font-weight="700" fill="{box.shade}"'),
        *_words(box),
        *(_inside(box) if box.room.inside else ()),
        "</g>",
    ]
    return "".join(parts)


def _words(box: Box) -> Iterable[str]:
    """Size and question: in a column under the name, beside it in a wide room, in the first column on a floor."""
    x, y = box.x + 14, box.y + 26
    size = f"{max(round(box.room.lines, -2), 100):,} lines"
    if box.floor:
        yield _text(LEFT - 22, y, size, f'font-size="12" fill="{SOFT}" text-anchor="end"')
        words, y = _lines(box.room.question, LEFT), y + 19
    elif box.width > WIDE:
        yield _text(box.right - 14, y, size, f'font-size="12" fill="{SOFT}" text-anchor="end"')
        words, x = [box.room.question], x + 108
    else:
        yield _text(x, y + 18, size, f'font-size="12" fill="{SOFT}"')
        words, y = _lines(box.room.question, box.width), y + 38
    for number, line in enumerate(words):
        yield _text(x, y + 16 * number, line)


def _inside(box: Box) -> Iterable[str]:
    """A room's own layers from left to right, each using those to the right of it."""
    layers, y = box.room.inside, box.bottom - 46
    width = min(150.0, (box.width - 28 + 26) / len(layers) - 26)
    for number, layer in enumerate(layers):
        x = box.x + 14 + number * (width + 26)
        yield (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="34" rx="8" fill="{box.shade}"'
            ' fill-opacity=".13" data-part="' + " ".join(layer) + '"/>'
        )
        look = f'font-size="13" font-weight="600" fill="{box.shade}" text-anchor="middle"'
        yield _text(x + width / 2, y + 22, " · ".join(layer), look)
        if number:
            yield f'<path d="M{x - 21:.1f} {y + 17:.1f}h13" stroke="{box.shade}" stroke-width="1.6"/>'
            yield f'<path d="M{x - 10:.1f} {y + 12:.1f}l8 5l-8 5z" fill="{box.shade}"/>'


def _arrow(arrow: Arrow) -> str:
    """The arrow's line, a pale seam around it where lines cross, and its head."""
    head = 6 + 0.9 * arrow.thickness
    top, tip = arrow.source.bottom, arrow.target.y - 1
    way = f"M{arrow.start:.1f} {top:.1f}"
    if arrow.start != arrow.line:
        way += _bend(arrow.start, top, arrow.line)
    if arrow.end != arrow.line:
        way += f"V{tip - head - BEND:.1f}" + _bend(arrow.line, tip - head - BEND, arrow.end)
    way += f"V{tip - head:.1f}"
    shade, wing = arrow.target.shade, head * 0.62
    label = f"{arrow.source.room.name} → {arrow.target.room.name}: {arrow.imports} imports"
    return (
        f'<g fill="none"><title>{label}</title>'
        f'<path d="{way}" stroke="{PAPER}" stroke-width="{arrow.thickness + 3:.1f}" stroke-opacity=".8"/>'
        f'<path d="{way}" stroke="{shade}" stroke-width="{arrow.thickness:.1f}" stroke-opacity=".8"/>'
        f'<path d="M{arrow.end:.1f} {tip:.1f}l{-wing:.1f} {-head:.1f}h{2 * wing:.1f}z" fill="{shade}"/></g>'
    )


def _bend(x: float, y: float, to: float) -> str:
    """A curve that leaves a line downwards and comes to another line downwards."""
    return f"C{x:.1f} {y + 0.6 * BEND:.1f} {to:.1f} {y + 0.35 * BEND:.1f} {to:.1f} {y + BEND:.1f}"


def _legend() -> Iterable[str]:
    """What the picture shows, in the corner above the floors."""
    yield _text(MARGIN + 6, MARGIN + 30, "Haenyeo", f'font-size="30" font-weight="750" fill="{DEEP}"')
    yield _text(MARGIN + 6, MARGIN + 54, "Imports point down.", f'font-size="15" fill="{INK}"')
    words = (
        "Each box is a folder of src/haenyeo, with the question it answers. An arrow leads from a room to one that it"
        " imports, in the colour of that room's layer."
    )
    lines = wrap(words, 33)
    for number, line in enumerate(lines):
        yield _text(MARGIN + 6, MARGIN + 86 + 18 * number, line)
    y = MARGIN + 104 + 18 * len(lines)
    for count in (1, 10, 100):
        yield (
            f'<path d="M{MARGIN + 8} {y}h44" stroke="{DEEP}" stroke-width="{thickness(count):.1f}"'
            ' stroke-opacity=".8"/>'
        )
        yield _text(MARGIN + 64, y + 4, "1 import" if count == 1 else f"{count} imports")
        y += 22


def main() -> int:
    """Write the picture."""
    house = read_house()
    PICTURE.write_text(draw(house), encoding="utf-8")
    print(f"{PICTURE.relative_to(ROOT)}: {sum(map(len, house.layers))} rooms, {len(house.imports)} arrows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
