from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from haenyeo.papers.report import Figure


def test_a_figure_is_well_formed_and_names_its_lines() -> None:
    figure = Figure(title="a < b", x="pages", y="recall", lines={"first & best": [(0, 0), (10, 0.5)], "other": []})
    drawn = ET.fromstring(figure.svg())
    words = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a < b", "pages", "recall", "first & best", "other"} <= set(words)


@pytest.mark.parametrize(
    ("most", "ticks"),
    [
        (0.6149, ["0", "0.2", "0.4", "0.6", "0.8"]),
        (100, ["0", "20", "40", "60", "80", "100"]),
        (98.7, ["0", "20", "40", "60", "80", "100"]),
        (40, ["0", "10", "20", "30", "40"]),
        (0.0123, ["0", "0.0025", "0.005", "0.0075", "0.01", "0.0125"]),
    ],
)
def test_ticks_are_numbers_that_people_write(most: float, ticks: list[str]) -> None:
    drawn = Figure(title="f", x="x", y="y", lines={"l": [(0, 0), (1, most)]}).svg()
    assert re.findall(r'text-anchor="end" font-size="12">([^<]+)<', drawn) == ticks
