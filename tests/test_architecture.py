"""The picture of the architecture in the docs shows the rooms and layers that the code has."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def architecture() -> ModuleType:
    """The command that draws the picture."""
    spec = importlib.util.spec_from_file_location("architecture", ROOT / "tools" / "architecture.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["architecture"] = module
    spec.loader.exec_module(module)
    return module


def shown(picture: str) -> list[tuple[str, int, list[str]]]:
    """Each room in a picture with its layer and the layers inside it."""
    return sorted(
        (name, int(depth), re.findall(r'data-part="([^"]+)"', body))
        for name, depth, body in re.findall(r'data-room="(\w+)" data-layer="(\d+)">(.*?)</g>', picture)
    )


def test_the_picture_has_every_room_in_its_layer(architecture: ModuleType) -> None:
    """Draw it anew with `python tools/architecture.py` when this fails."""
    house = architecture.read_house()
    assert shown(architecture.PICTURE.read_text(encoding="utf-8")) == shown(architecture.draw(house))


def test_every_folder_of_the_package_is_a_room(architecture: ModuleType) -> None:
    folders = {path.parent.name for path in (ROOT / "src" / "haenyeo").glob("*/__init__.py")}
    assert {room.name for layer in architecture.read_house().layers for room in layer} == folders


def test_no_arrow_points_up(architecture: ModuleType) -> None:
    house = architecture.read_house()
    arrows = architecture.route(house, architecture.place(house))
    assert len(arrows) > 20
    assert [arrow for arrow in arrows if arrow.target.depth <= arrow.source.depth] == []


def test_arrows_between_rooms_leave_the_rooms_in_between_alone(architecture: ModuleType) -> None:
    house = architecture.read_house()
    boxes = architecture.place(house)
    rows = [box for box in boxes if not box.floor and sum(other.depth == box.depth for other in boxes) > 1]
    crossed = [
        (arrow.source.room.name, arrow.target.room.name, box.room.name)
        for arrow in architecture.route(house, boxes)
        for box in rows
        if arrow.source.depth < box.depth < arrow.target.depth and box.x < arrow.line < box.right
    ]
    assert crossed == []


def test_the_picture_needs_nothing_from_elsewhere(architecture: ModuleType) -> None:
    picture = architecture.PICTURE.read_text(encoding="utf-8")
    assert re.findall(r"https?://[^\"]+", picture) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<script|href|url\(|@import", picture)
