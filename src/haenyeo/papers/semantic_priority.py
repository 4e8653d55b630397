"""Kang & Kim 2020: does the meaning of a link's paragraph lead to more of the topic?

SPFC, PFC and FC (breadth first) from the same seed; how often the topic's words stand on the first 20, 30, 40 and 50
pages.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import fmean

from haenyeo.find.faithful.cosine import CosinePriority, said
from haenyeo.find.faithful.semantic import SemanticPriority
from haenyeo.model.parts import TopicScorer
from haenyeo.papers.frozen_web import FrozenTopic, FrozenWeb, frozen_web
from haenyeo.papers.report import Cell, Figure, Report, Table

POINTS = (20, 30, 40, 50)
CRAWLERS: dict[str, Callable[[str], TopicScorer | None]] = {
    "SPFC": lambda words: SemanticPriority(words=words),
    "PFC": lambda words: CosinePriority(words=words),
    "FC": lambda _: None,
}


def repeat(data: Path | None, note: Callable[[str], None]) -> Report:
    """Total frequency of the topic's words on the pages fetched, for each crawler and number of pages."""
    web = frozen_web(data)
    tables, means = [], {}
    found: dict[str, dict[str, list[int]]] = {}
    for name, make in CRAWLERS.items():
        note(f"{name}: {len(web.topics)} topics")
        found[name] = {title: _frequencies(web, make(topic.keywords), topic) for title, topic in web.topics.items()}
        means[name] = [fmean(column) for column in zip(*found[name].values(), strict=True)]
    columns = ["crawler", *(f"{point} pages" for point in POINTS)]
    tables.append(
        Table(title="mean of all topics", columns=columns, rows=[[name, *row] for name, row in means.items()])
    )
    for title in web.topics:
        rows: list[list[Cell]] = [[name, *found[name][title]] for name in CRAWLERS]
        tables.append(Table(title=title, columns=columns, rows=rows))
    lines = {name: [(float(x), y) for x, y in zip(POINTS, row, strict=True)] for name, row in means.items()}
    return Report(
        tables=tables,
        figures=[Figure(title="frequency of the topic's words", x="pages fetched", y="occurrences", lines=lines)],
        notes=[
            "in the paper SPFC finds more than PFC, and PFC more than FC",
            "WordNet knows English words alone: for a topic in another language SPFC is breadth first",
        ],
    )


def _frequencies(web: FrozenWeb, scorer: TopicScorer | None, topic: FrozenTopic) -> list[int]:
    wanted = set(said(topic.keywords))
    counts = [sum(word in wanted for word in said(page.text)) for page in web.crawl(scorer, topic, POINTS[-1])]
    return [sum(counts[:point]) for point in POINTS]
