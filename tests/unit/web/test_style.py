"""Words can be read on what they stand on, in the light and in the dark (WCAG 2.2, 1.4.3: contrast of at least 4.5)."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

ROOT = re.compile(r":root\s*\{(.*?)\}", re.DOTALL)
PAIRS = [
    *[
        ("ink", ground)
        for ground in ("paper", "card", "tint", "mark", "sea-pale", "heat-0", "heat-1", "heat-2", "heat-3")
    ],
    *[("soft", ground) for ground in ("paper", "card", "tint")],
    *[("link", ground) for ground in ("paper", "card", "tint")],
    *[("buoy", ground) for ground in ("card", "tint")],
    *[(name, f"{name}-pale") for name in ("red", "sand", "moss")],
    ("sea", "card"),
]


def looks() -> dict[str, dict[str, str]]:
    style = files("haenyeo.web").joinpath("static/style.css").read_text(encoding="utf-8")
    light, dark = [dict(re.findall(r"--([\w-]+): (#\w{6})", block)) for block in ROOT.findall(style)]
    return {"light": light, "dark": light | dark}


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize(("words", "ground"), PAIRS)
def test_words_stand_out(look: str, words: str, ground: str) -> None:
    colours = looks()[look]
    assert contrast(colours[words], colours[ground]) >= 4.5


@pytest.mark.parametrize(("look", "words"), [("light", "#ffffff"), ("dark", "#04181c")])
@pytest.mark.parametrize("shade", ["heat-4", "heat-5", "heat-6"])
def test_names_in_dark_boxes_of_the_map_stand_out(look: str, words: str, shade: str) -> None:
    assert contrast(looks()[look][shade], words) >= 4.5
