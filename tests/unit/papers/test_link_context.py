from __future__ import annotations

from pathlib import Path

from haenyeo.papers import link_context


def test_the_three_crawlers_of_2005_find_the_topic(folder: Path) -> None:
    report = link_context.repeat(folder, lambda _: None)
    precision, recall = report.tables
    assert [row[0] for row in precision.rows] == ["classic", "descriptors", "with backlinks"]
    assert recall.rows[2][-1] == 1.0
    assert len(report.figures) == 3
