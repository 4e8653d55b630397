from __future__ import annotations

from pathlib import Path

from haenyeo.papers import link_context
from haenyeo.papers.link_context import BACKLINKS, CLASSIC, DESCRIPTORS, CrawlHits


def test_the_crawlers_of_2005_find_the_topic(folder: Path) -> None:
    report = link_context.repeat(folder, lambda _: None)
    procedure, training, setting, precision, recall, harvest, places = report.tables
    assert len(procedure.rows) == 10
    assert [row[0] for row in training.rows if row[0]] == list(link_context.TRAINING)
    assert [row[1] for row in setting.rows] == ["1 (CORBA)", "12", "1", ".76", "10", "8,822 collected"]
    for table in (precision, recall, harvest):
        assert [row[0] for row in table.rows][:3] == [CLASSIC, DESCRIPTORS, BACKLINKS]
    assert recall.rows[2][-1] == 1.0
    assert [row[1] for row in places.rows] == [7, 6, 4, ""], "as section 6 has it"
    assert len(report.figures) == 3
    claims = [note for note in report.notes if note.startswith(("held", "did not hold"))]
    assert len(claims) == 2 + len(link_context.POINTS)


def test_crawlers_are_compared_after_equal_numbers_of_fetches() -> None:
    stopped = CrawlHits(hits=[True] * 5, relevant=100)
    going_on = CrawlHits(hits=[True] * 30 + [False] * 170, relevant=100)
    assert stopped.precision == 5 / 50, "what was not fetched counts as nothing"
    assert going_on.precision == 30 / 50
    assert (stopped.recall, going_on.recall) == (0.05, 0.3)
    assert CrawlHits(hits=[False, False, True], relevant=1).first_place == 3
