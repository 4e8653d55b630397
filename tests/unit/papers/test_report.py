from __future__ import annotations

from xml.etree import ElementTree as ET

from haenyeo.papers.report import Figure


def test_a_figure_is_well_formed_and_names_its_lines() -> None:
    figure = Figure(title="a < b", x="pages", y="recall", lines={"first & best": [(0, 0), (10, 0.5)], "other": []})
    drawn = ET.fromstring(figure.svg())
    words = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a < b", "pages", "recall", "first & best", "other"} <= set(words)
