"""Cho et al. 2005, section 6: does judging every link by the words around it beat judging whole pages?

Three crawlers: (1) the classic one, (2) hyperlink descriptors, (3) descriptors with backlinks; beside them the third
without the threshold of .76, which follows the best link there is. Precision and recall by number of features (figures
5 and 6) and relevant pages by pages fetched (figure 7).

All are compared after the same number of fetches, which depends on the number R of a topic's pages: precision after
R/2, recall after 2 R. A crawler that has run dry by then has found what it has found; what it did not fetch counts as
nothing. The paper counts each crawler's own pages, so that one that stops early looks precise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from statistics import fmean

import msgspec

from haenyeo.find.faithful.classic import ClassicFocused
from haenyeo.find.faithful.segment import SegmentedBacklinks, SegmentedContext
from haenyeo.html.urls import canonical
from haenyeo.model.pages import Link, Url
from haenyeo.model.parts import TopicScorer
from haenyeo.papers.frozen_web import FrozenTopic, FrozenWeb, frozen_web
from haenyeo.papers.report import Cell, Figure, Report, Table

FEATURES = (50, 200, 500, 2000)
PAGES = 1000
POINTS = (100, 250, 500, 1000)
STEPS = 20
THRESHOLD = 0.76
MOST_SHOWN = 40  # training pages
CLASSIC, DESCRIPTORS, BACKLINKS, BEST_FIRST = (
    "(1) classic", "(2) descriptors", "(3) with backlinks", "(3) best first"
)  # fmt: skip
PRINTED_PLACES = {CLASSIC: 7, DESCRIPTORS: 6, BACKLINKS: 4}
"""Section 6: as which page each crawler fetched the specification's introduction."""
PRINTED: Sequence[Sequence[Cell]] = (
    ("topics", "1 (CORBA)"), ("training pages", "12"), ("seeds", "1"), ("threshold", ".76"),
    ("words on each side", "10"), ("relevant pages", "8,822 collected"),
)  # fmt: skip

PROCEDURE: Sequence[Sequence[Cell]] = (
    ("1", "the classifier learns from the user's pages", "the same; and from counter-examples"),
    ("1.1", "pages that link to them are asked of a search engine", "known from the crawl's own links, or from a file"),
    ("1.2", "ten words on each side of those links are learnt", "the same"),
    ("2", "the seed is put on the list", "the same, on the list of each topic"),
    ("3", "the first address of the list is taken", "the best one"),
    ("4", "its links, with ten words on each side, are classified", "the same"),
    ("5", "links likely to be relevant are put on the list", "the same; best first without a threshold"),
    ("6", "the page is kept if it is relevant itself", "the same"),
    ("7", "the first address of the list is removed", "the same"),
    ("8", "all over again from 3 on, as long as there is one", "the same, or until the budget is used"),
)
"""Table 1: how the crawler works."""
TRAINING = (
    "http://www.omg.org/gettingstarted/corbafaq.htm", "http://www.cs.indiana.edu/~kksiazek/tuto.html",
    "http://www2.rad.com/networks/1998/corba/corba_t.htm", "http://holly.colostate.edu/~mabrake/",
    "http://www-mtl.mit.edu/CAPAM/memos/96-7/node7.html", "http://www-mtl.mit.edu/CAPAM/memos/96-7/node6.html",
    "http://www.cs.mtu.edu/~yinma/study/Corba/Corba.html", "http://www.cs.wustl.edu/~schmidt/corba-overview.html",
    "http://www.lnu.edu.cn/corba/c1/c1.html", "http://corba.ebi.ac.uk/intro.html", "http://www.iiom.org/corba.htm",
    "http://www.omg.org/gettingstarted/history_of_corba.htm",
)  # fmt: skip
"""Table 2: the pages the classifier learnt from."""

BacklinksOf = Callable[[Url], Sequence[Link]]


class CrawlHits(msgspec.Struct, frozen=True, kw_only=True):
    """Which of the pages a crawl fetched were relevant, in order, and how many there are in all."""

    hits: Sequence[bool]
    relevant: int

    def after(self, pages: int) -> int:
        """How many relevant pages were found after so many fetches."""
        return sum(self.hits[:pages])

    @property
    def precision(self) -> float:
        """The share of relevant pages among R/2 fetches."""
        pages = max(1, self.relevant // 2)
        return self.after(pages) / pages

    @property
    def recall(self) -> float:
        """The share of all relevant pages that is found after 2 R fetches."""
        return self.after(2 * self.relevant) / max(1, self.relevant)

    @property
    def first_place(self) -> int:
        """As which page the first relevant one came; one more than were fetched if none did."""
        return (list(self.hits).index(True) if True in self.hits else len(self.hits)) + 1


def repeat(data: Path | None, note: Callable[[str], None]) -> Report:
    """Precision and recall of the crawlers for each number of features, and their harvest over the crawl."""
    web = frozen_web(data)
    backlinks = web.backlinks(web.topics.values(), 2 * PAGES)
    found = {name: _by_features(web, name, backlinks, note) for name in (CLASSIC, DESCRIPTORS, BACKLINKS, BEST_FIRST)}
    last = {name: rows[FEATURES[-1]] for name, rows in found.items()}
    precision, recall = (
        {name: [fmean(getattr(each, what) for each in row) for row in rows.values()] for name, rows in found.items()}
        for what in ("precision", "recall")
    )
    columns = ["crawler", *(f"{features} features" for features in FEATURES)]
    return Report(
        tables=[
            Table(title="table 1: how the crawler works", columns=["step", "printed", "here"], rows=PROCEDURE),
            _training(web),
            _setting(web),
            _rows("figure 5: precision after R/2 pages, R being the number of a topic's pages", columns, precision),
            _rows("figure 6: recall after 2 R pages", columns, recall),
            _harvest_table(last),
            _places(last),
        ],
        figures=[
            Figure(
                title="figure 7: relevant pages by pages fetched",
                x="pages fetched",
                y="relevant pages, mean of the topics",
                lines={name: _harvest(row) for name, row in last.items()},
            ),
            _by_number("figure 5: precision by number of features", "precision after R/2 pages", precision),
            _by_number("figure 6: recall by number of features", "recall after 2 R pages", recall),
        ],
        notes=_claims(precision, recall, last),
    )


def _by_features(
    web: FrozenWeb, name: str, backlinks: BacklinksOf, note: Callable[[str], None]
) -> dict[int, list[CrawlHits]]:
    """What a crawler finds of each topic, by number of features.

    What is not the paper's is crawled with the most alone.
    """
    rows: dict[int, list[CrawlHits]] = {}
    for features in FEATURES if name != BEST_FIRST else FEATURES[-1:]:
        note(f"{name}, {features} features")
        pages = PAGES if features == FEATURES[-1] else 0
        rows[features] = [
            _found(web, _crawler(name, topic.keywords, features, backlinks), topic, pages)
            for topic in web.topics.values()
        ]
    return {features: rows.get(features, rows[FEATURES[-1]]) for features in FEATURES}


def _crawler(name: str, words: str, features: int, backlinks: BacklinksOf) -> TopicScorer:
    if name == CLASSIC:
        return ClassicFocused(words=words, features=features)
    if name == DESCRIPTORS:
        return SegmentedContext(words=words, features=features, threshold=THRESHOLD)
    threshold = THRESHOLD if name == BACKLINKS else 0.0
    return SegmentedBacklinks(words=words, features=features, threshold=threshold, backlinks=backlinks)


def _found(web: FrozenWeb, scorer: TopicScorer, topic: FrozenTopic, pages: int) -> CrawlHits:
    given = {canonical(url) for url in (*topic.seed_urls, *topic.example_urls, *topic.background_urls)}
    relevant = {canonical(url) for url in topic.relevant_urls} - given
    fetched = web.crawl(scorer, topic, max(pages, 2 * len(relevant)))
    return CrawlHits(hits=[page.url in relevant for page in fetched], relevant=len(relevant))


def _setting(web: FrozenWeb) -> Table:
    topics = list(web.topics.values())
    good, bad, seeds, relevant = (
        fmean(len(getattr(topic, f"{what}_urls")) for topic in topics)
        for what in ("example", "background", "seed", "relevant")
    )
    trained = f"{good:.1f}, and {bad:.1f} counter-examples"
    ours = [f"{len(topics)}", trained, f"{seeds:.0f}", ".76; none for the fourth", "10", f"{relevant:.0f} a topic"]
    rows = [[*printed, own] for printed, own in zip(PRINTED, ours, strict=True)]
    return Table(title="the experiment (section 6)", columns=["", "printed", "here"], rows=rows)


def _training(web: FrozenWeb) -> Table:
    """Table 2 beside the training pages of our topics."""
    ours = [f"{name}: {url}" for name, topic in web.topics.items() for url in topic.example_urls]
    rows = [list(pair) for pair in zip_longest(TRAINING, ours[:MOST_SHOWN], fillvalue="")]
    return Table(title="table 2: training pages", columns=["printed", "here"], rows=rows)


def _rows(title: str, columns: Sequence[str], values: Mapping[str, Sequence[float]]) -> Table:
    return Table(title=title, columns=columns, rows=[[name, *row] for name, row in values.items()])


def _harvest_table(last: Mapping[str, Sequence[CrawlHits]]) -> Table:
    rows: list[list[Cell]] = [
        [name, *(fmean(found.after(point) for found in row) for point in POINTS), fmean(len(f.hits) for f in row)]
        for name, row in last.items()
    ]
    columns = ["crawler", *(f"{point} pages" for point in POINTS), f"pages fetched of {PAGES}"]
    return Table(title="figure 7: relevant pages by pages fetched, mean of the topics", columns=columns, rows=rows)


def _places(last: Mapping[str, Sequence[CrawlHits]]) -> Table:
    """As which page a relevant one was fetched: the paper names one page, here it is each topic's first."""
    rows: list[list[Cell]] = []
    for name, row in last.items():
        ours = fmean(found.first_place for found in row)
        printed = PRINTED_PLACES.get(name)
        rows.append([name, printed or "", ours, ours - printed if printed else ""])
    return Table(
        title="as which page a relevant one was fetched",
        columns=["crawler", "printed", "here", "difference"],
        rows=rows,
    )


def _harvest(row: Sequence[CrawlHits]) -> list[tuple[float, float]]:
    steps = [PAGES * step // STEPS for step in range(STEPS + 1)]
    return [(float(pages), fmean(found.after(pages) for found in row)) for pages in steps]


def _by_number(title: str, what: str, values: Mapping[str, Sequence[float]]) -> Figure:
    lines = {name: [(float(x), y) for x, y in zip(FEATURES, row, strict=True)] for name, row in values.items()}
    return Figure(title=title, x="features", y=what, lines=lines)


def _claims(
    precision: Mapping[str, Sequence[float]],
    recall: Mapping[str, Sequence[float]],
    last: Mapping[str, Sequence[CrawlHits]],
) -> list[str]:
    """What the paper says of its figures, and whether it holds here."""
    harvest = {
        point: {name: fmean(found.after(point) for found in row) for name, row in last.items()} for point in POINTS
    }
    most = fmean(found.relevant for found in last[CLASSIC])
    ordered = "(3) finds more than (2), and (2) more than (1)"
    better = "(2) and (3) are better than (1)"
    return [
        _claim(f"figure 5, precision: {better}", {name: row[-1] for name, row in precision.items()}, _are_better),
        _claim(f"figure 6, recall: {better}", {name: row[-1] for name, row in recall.items()}, _are_better),
        *(_claim(f"figure 7, {point} pages: {ordered}", found, _are_in_order) for point, found in harvest.items()),
        (
            f"why: a topic has {most:.0f} pages here and had more than 8,822 in the paper; descriptors lead at the"
            " beginning, and once most is found every crawler catches up that does not stop"
        ),
        *_dry(last),
        "figures 5 to 7 are printed without numbers: only their order can be compared",
    ]


def _dry(last: Mapping[str, Sequence[CrawlHits]]) -> list[str]:
    """Which crawlers had nothing left to follow, and what can be done."""
    ended = {name: sum(len(found.hits) < PAGES for found in row) for name, row in last.items()}
    told = ", ".join(f"{name} on {count}" for name, count in ended.items() if count)
    if not told:
        return []
    topics = len(last[CLASSIC])
    further = "without a threshold the same scores lead on (haenyeo crawl NAME --strategy segment-backlinks)"
    return [f"ran dry before {PAGES} pages, of {topics} topics: {told}; {further}"]


def _are_in_order(one: float, two: float, three: float) -> bool:
    return three > two > one


def _are_better(one: float, two: float, three: float) -> bool:
    return min(two, three) > one


def _claim(said: str, values: Mapping[str, float], holds: Callable[[float, float, float], bool]) -> str:
    """The claim, whether it holds for the three crawlers, and by which values."""
    held = holds(*(values[name] for name in (CLASSIC, DESCRIPTORS, BACKLINKS)))
    shown = ", ".join(f"{name} {value:.3g}" for name, value in values.items())
    return f"{'held' if held else 'did not hold'}: {said} ({shown})"
