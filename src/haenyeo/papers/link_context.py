"""Cho et al. 2005: does judging every link by the words around it beat judging whole pages?

Three crawlers: the classic one, hyperlink descriptors, and descriptors with backlinks. Precision (of the pages fetched)
and recall by number of features, and relevant pages by pages fetched. The paper's threshold of .76 often leaves a
crawler with nothing to follow, so the third one follows the best link there is.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import fmean

from haenyeo.find.faithful.classic import ClassicFocused
from haenyeo.find.faithful.segment import SegmentedBacklinks, SegmentedContext
from haenyeo.html.urls import canonical
from haenyeo.model.parts import TopicScorer
from haenyeo.papers.frozen_web import FrozenTopic, FrozenWeb, frozen_web
from haenyeo.papers.report import Figure, Report, Table

Row = list[str | float]
FEATURES = (50, 200, 500, 1000)
PAGES = 1000
STEPS = 20
CRAWLERS: dict[str, Callable[[str, int], TopicScorer]] = {
    "classic": lambda words, _: ClassicFocused(words=words),
    "descriptors": lambda words, features: SegmentedContext(words=words, features=features),
    "with backlinks": lambda words, features: SegmentedBacklinks(words=words, features=features),
}


def repeat(data: Path | None, note: Callable[[str], None]) -> Report:
    """Precision and recall of the three crawlers for each number of features, and their harvest over the crawl."""
    web = frozen_web(data)
    precision: list[Row] = []
    recall: list[Row] = []
    harvest: dict[str, list[float]] = {}
    for name, make in CRAWLERS.items():
        rows = []
        for features in FEATURES if name != "classic" else FEATURES[-1:]:
            note(f"{name}, {features} features")
            rows.append([_found(web, make(topic.keywords, features), topic) for topic in web.topics.values()])
        harvest[name] = [fmean(step) for step in zip(*(found for found, _, _ in rows[-1]), strict=True)]
        rows *= len(FEATURES) // len(rows)
        precision.append([name, *(fmean(share for _, share, _ in row) for row in rows)])
        recall.append([name, *(fmean(share for _, _, share in row) for row in rows)])
    columns = ["crawler", *(f"{features} features" for features in FEATURES)]
    lines = {
        name: [(PAGES * step / STEPS, count) for step, count in enumerate(found)] for name, found in harvest.items()
    }
    return Report(
        tables=[
            Table(title="precision of the pages fetched", columns=columns, rows=precision),
            Table(title=f"recall after {PAGES} pages", columns=columns, rows=recall),
        ],
        figures=[
            Figure(title="relevant pages by pages fetched", x="pages fetched", y="relevant pages", lines=lines),
            *(_by_features(title, rows) for title, rows in (("precision", precision), ("recall", recall))),
        ],
        notes=[f"means over {len(web.topics)} topics; the classic crawler has no features to choose"],
    )


def _found(web: FrozenWeb, scorer: TopicScorer, topic: FrozenTopic) -> tuple[list[int], float, float]:
    """How many relevant pages were fetched at each step; precision and recall at the end."""
    given = {canonical(url) for url in (*topic.seed_urls, *topic.example_urls, *topic.background_urls)}
    relevant = {canonical(url) for url in topic.relevant_urls} - given
    hits = [page.url in relevant for page in web.crawl(scorer, topic, PAGES)]
    counts = [sum(hits[: PAGES * step // STEPS]) for step in range(STEPS + 1)]
    return counts, counts[-1] / max(1, len(hits)), counts[-1] / max(1, len(relevant))


def _by_features(title: str, rows: list[Row]) -> Figure:
    lines = {str(row[0]): [(float(x), float(y)) for x, y in zip(FEATURES, row[1:], strict=True)] for row in rows}
    return Figure(title=f"{title} by number of features", x="features", y=title, lines=lines)
