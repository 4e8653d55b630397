from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from haenyeo.papers.report import Figure, Report, Table, show


def test_a_figure_is_well_formed_and_names_its_lines() -> None:
    figure = Figure(title="a < b", x="pages", y="recall", lines={"first & best": [(0, 0), (10, 0.5)], "other": []})
    drawn = ET.fromstring(figure.svg())
    words = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a < b", "pages", "recall", "first & best", "other"} <= set(words)


def test_tables_and_notes_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(title="recall", columns=["crawler", "20"], rows=[["bfs", 0.25], ["pfc", 3]])
    show(Report(tables=[table], notes=["on the demo web"]))
    printed = capsys.readouterr().out
    assert "0.250" in printed
    assert "on the demo web" in printed
