from __future__ import annotations

from pathlib import Path

from haenyeo.papers import semantic_priority


def test_the_crawlers_of_2020_are_counted_at_20_to_50_pages(folder: Path) -> None:
    report = semantic_priority.repeat(folder, lambda _: None)
    assert report.tables[0].columns == ["crawler", "20 pages", "30 pages", "40 pages", "50 pages"]
    assert [row[0] for row in report.tables[1].rows] == ["SPFC", "PFC", "FC"]
    assert all(float(row[1]) > 0 for row in report.tables[1].rows)
