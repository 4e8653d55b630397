"""Kim & Kim 2021: is text what is rare among the blocks of a site?

The data is a file of JSON lines, plain, gzip or zstandard, each {"site", "url", "html", "gold"}; pages without gold
text, and sites with fewer than ten pages, are left out. Without data the articles of the demo web are taken.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Url
from haenyeo.papers.report import Cell, Figure, Report, Table
from haenyeo.read.extract import extract_texts
from haenyeo.read.paper.density import dense
from haenyeo.read.paper.frequency import counts_of, frequency_limit, rare
from haenyeo.read.paper.labeller import SequenceLabeller
from haenyeo.read.paper.nodes import TextNode, all_nodes
from haenyeo.store.page_files import opened_for_reading

FEWEST, MOST = 10, 40  # pages of a site
CURVE = (1, 2, 5, 10, 20, 40)
DEMO_KINDS = frozenset({"article", "entry", "doc"})
PRINTED = {"frequency": (0.972, 0.998, 0.985), "density": ("", "", 0.706), "labeller": ("", "", 0.983)}
Note = Callable[[str], None]


class LabelledPage(NamedTuple):
    """A page, its blocks, and which of them stand in its true text."""

    url: Url
    html: str
    nodes: list[TextNode]
    is_text: list[bool]


Sites = dict[str, list[LabelledPage]]
Score = tuple[float, float, float]
"""Precision, recall and F."""


def repeat(data: Path | None, note: Note) -> Report:
    """The paper's comparison, block by block, with our own method beside it; and how each does with fewer pages."""
    sites = read_sites(data) if data else demo_sites(note)
    note(f"{sum(map(len, sites.values())):,} pages of {len(sites)} sites")
    scores = {
        "frequency": {site: score(pages, by_frequency(pages)) for site, pages in sites.items()},
        "density": {site: score(pages, [dense(page.nodes) for page in pages]) for site, pages in sites.items()},
        "labeller": by_labeller(sites, note),
        "container": {site: score(pages, by_container(pages)) for site, pages in sites.items()},
    }
    curve = _learning_curve(sites, note)
    return Report(
        tables=[_comparison(scores), _weak_points(sites, scores), _curve_table(curve)],
        figures=[curve],
        notes=[
            "Means over sites; a block is a text node, and right if it stands in the page's true text.",
            "The labeller learned from one half of each site's pages and was judged on the other, both ways.",
            "Links and emphasis are dropped before frequencies are counted, as in the paper: that costs recall here.",
        ],
    )


def read_sites(path: Path) -> Sites:
    """The sites in a data file."""
    found: dict[str, list[LabelledPage]] = defaultdict(list)
    with opened_for_reading(path) as file:
        for number, line in enumerate(file, 1):
            try:
                page = json.loads(line)
                if page.get("gold") and page.get("set") != "single" and len(found[page["site"]]) < MOST:
                    found[page["site"]].append(made(page["url"], page["html"], page["gold"]))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise UsageError(
                    f"{path}, line {number} is no page: {error!r}",
                    advice='write {"site", "url", "html", "gold"} in each line',
                ) from error
    return _large(found, str(path))


def demo_sites(note: Note) -> Sites:
    """The articles of the demo web."""
    from haenyeo.demo import DemoWeb
    from haenyeo.html.charset import decode

    web = DemoWeb()
    note("making the pages of the demo web")
    found: dict[str, list[LabelledPage]] = defaultdict(list)
    for truth in web.pages():
        if truth.kind in DEMO_KINDS and truth.text and len(found[truth.site]) < MOST:
            host, _, path = truth.url.partition("://")[2].partition("/")
            reply = web.answer(host, f"/{path}")
            html = decode(reply.body, next((v for k, v in reply.headers if k.lower() == "content-type"), None))
            found[truth.site].append(made(truth.url, html, truth.text))
    return _large(found, "the demo web")


def _large(found: dict[str, list[LabelledPage]], where: str) -> Sites:
    sites = {site: pages for site, pages in found.items() if len(pages) >= FEWEST}
    if not sites:
        raise UsageError(f"{where} has no site with {FEWEST} pages", advice="give more pages of each site")
    return sites


def made(url: str, html: str, gold: str) -> LabelledPage:
    """A page with its blocks labelled."""
    nodes = all_nodes(html)
    text = " ".join(gold.split())
    return LabelledPage(Url(url), html, nodes, [node.text in text for node in nodes])


def by_frequency(pages: Sequence[LabelledPage]) -> list[list[bool]]:
    """What the paper's method keeps of pages that are counted together."""
    return rare([page.nodes for page in pages])


def by_container(pages: Sequence[LabelledPage]) -> list[list[bool]]:
    """What our method keeps: the blocks that stand in the texts it returns."""
    texts = extract_texts([(page.url, page.html) for page in pages])
    squeezed = [" ".join(text.split()) for text in texts]
    return [[node.text in text for node in page.nodes] for page, text in zip(pages, squeezed, strict=True)]


def by_labeller(sites: Sites, note: Note) -> dict[str, Score]:
    """The labeller's scores, each page judged by one that has not seen it."""
    kept: dict[str, list[list[bool]]] = {site: [[] for _ in pages] for site, pages in sites.items()}
    for half in (0, 1):
        note(f"training the labeller, half {half + 1} of 2")
        labeller = SequenceLabeller()
        taught = [page for pages in sites.values() for page in pages[half::2]]
        labeller.fit([(page.nodes, page.is_text) for page in taught])
        for site, pages in sites.items():
            for place in range(1 - half, len(pages), 2):
                kept[site][place] = labeller.label(pages[place].nodes)
    return {site: score(pages, kept[site]) for site, pages in sites.items()}


def score(pages: Sequence[LabelledPage], kept: Sequence[Sequence[bool]]) -> Score:
    """Precision, recall and F over the blocks of all pages."""
    pairs = [pair for page, keep in zip(pages, kept, strict=True) for pair in zip(page.is_text, keep, strict=True)]
    right = sum(is_text and keep for is_text, keep in pairs)
    precision = right / max(1, sum(keep for _, keep in pairs))
    recall = right / max(1, sum(is_text for is_text, _ in pairs))
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def _mean(scores: dict[str, Score]) -> list[float]:
    return [fmean(score[part] for score in scores.values()) for part in range(3)]


def _comparison(scores: dict[str, dict[str, Score]]) -> Table:
    rows: list[list[Cell]] = []
    for name, by_site in scores.items():
        rows.append([name, *_mean(by_site), *PRINTED.get(name, ("", "", ""))])
    columns = ["method", "precision", "recall", "F", "printed precision", "printed recall", "printed F"]
    return Table(title="Blocks that are text, told from the others", columns=columns, rows=rows)


def _weak_points(sites: Sites, scores: dict[str, dict[str, Score]]) -> Table:
    """Where the k-2 rule fails, the worst site first."""
    rows: list[list[Cell]] = []
    for site, pages in sorted(sites.items(), key=lambda item: scores["frequency"][item[0]][2]):
        frequencies = set(counts_of([page.nodes for page in pages]).values())
        values = [len(pages), len(frequencies), frequency_limit(frequencies), max(frequencies, default=0)]
        rows.append([site, *values, *scores["frequency"][site], scores["container"][site][2]])
    columns = ["site", "pages", "k", "limit", "highest", "precision", "recall", "F", "container's F"]
    return Table(title="The k-2 rule by site: blocks up to the limit are kept", columns=columns, rows=rows)


def _learning_curve(sites: Sites, note: Note) -> Figure:
    lines: dict[str, list[tuple[float, float]]] = {"frequency": [], "density": [], "container": []}
    for size in CURVE:
        note(f"reading sites {size} pages at a time")
        for name, method in (("frequency", by_frequency), ("container", by_container)):
            by_site = {site: score(*_in_groups(pages, size, method)) for site, pages in sites.items()}
            lines[name].append((size, _mean(by_site)[2]))
        flat = {site: score(pages, [dense(page.nodes) for page in pages]) for site, pages in sites.items()}
        lines["density"].append((size, _mean(flat)[2]))
    return Figure(title="F by the number of a site's pages that are read together", x="pages", y="F", lines=dict(lines))


def _curve_table(curve: Figure) -> Table:
    """The learning curve in numbers."""
    rows: list[list[Cell]] = [[size, *(dict(line)[size] for line in curve.lines.values())] for size in CURVE]
    return Table(title=curve.title, columns=[curve.x, *curve.lines], rows=rows)


def _in_groups(
    pages: Sequence[LabelledPage], size: int, method: Callable[[Sequence[LabelledPage]], list[list[bool]]]
) -> tuple[Sequence[LabelledPage], list[list[bool]]]:
    return pages, [kept for group in _groups(pages, size) for kept in method(group)]


def _groups(pages: Sequence[LabelledPage], size: int) -> Iterator[Sequence[LabelledPage]]:
    for start in range(0, len(pages), size):
        yield pages[start : start + size]
