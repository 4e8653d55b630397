"""How much does each kind of evidence for a page count? Learns it from collections whose right pages are known.

    python bench/judge_weights.py FOLDER                          each web judged by weights learnt on the others
    python bench/judge_weights.py FOLDER --out weights.toml       and learnt on everything, written for the package
    python bench/judge_weights.py FOLDER --as-shipped ...         the weights for text alone left as they are

FOLDER has a folder for each web, that one for each topic with a collection `collection` (made by `haenyeo new` with
examples, and crawled with the default strategy) and two lists of addresses: `relevant.txt`, the topic's pages, and
`uncounted.txt`, those given to the crawl, which are judged too but neither learnt from nor counted. Every topic is
judged with all its examples, with one and with none. Printed are for each web the mean F-measure of what would be kept,
for all together the expected calibration error: the mean distance between probability and share, in tenths.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from haenyeo.collect.adapters.archive import archived_markup
from haenyeo.collect.settings_file import read_settings
from haenyeo.find.learned.judging.cut import best_cut
from haenyeo.find.learned.judging.keywords import Keywords
from haenyeo.find.learned.judging.linkage import MARK, Linkage
from haenyeo.find.learned.judging.measures import (
    BOUND,
    EVIDENCE,
    MOMENT,
    RARITY,
    Gathered,
    standard_for,
    with_links,
    with_moments,
    within_bound,
    within_reach,
)
from haenyeo.find.learned.judging.offers import offered
from haenyeo.find.learned.judging.traits import PageTraits, traits_of
from haenyeo.find.learned.judging.vectors import WordWeights
from haenyeo.find.learned.judging.weights import OFFSET, Weights, shipped_weights
from haenyeo.find.learned.regression import logistic
from haenyeo.html.blocks import headings
from haenyeo.html.page_links import PageLinks
from haenyeo.html.urls import canonical, url_hash
from haenyeo.model.parts import LinkedPage
from haenyeo.model.visits import Outcome
from haenyeo.store import Store
from haenyeo.store.columns import KEY_MASK

Floats = npt.NDArray[np.float64]

EXAMPLES = (None, 1, 0)  # how many of the examples are used; None for all
PENALTY = 10.0  # on squared weights of standardised evidence; a topic's pages together count 1000 / topics of its web
ROUNDS = 30
AS_SAID = [EVIDENCE.index("offered"), EVIDENCE.index(BOUND)]
"""Evidence that is in log-odds already. What is offered is not learnt: topics of the webs are chapters and tags more
often than those of users are, and would have it count more."""
EITHER_WAY = RARITY[1:]  # evidence of which is not known beforehand for what it speaks
HEAD = "# Made by bench/judge_weights.py. Log-odds for one unit of each kind of evidence.\n"


class Case(NamedTuple):
    """The pages of a topic: evidence for each, what they share, whether each counts, and whether it is on the topic."""

    web: str
    examples: int
    given: npt.NDArray[np.int64]
    pages: Floats
    linkage: Linkage
    counted: npt.NDArray[np.bool_]
    on_topic: npt.NDArray[np.bool_]

    @property
    def relevant(self) -> npt.NDArray[np.bool_]:
        """Which of the pages that count are on the topic."""
        return self.on_topic[self.counted]

    @property
    def evidence(self) -> Floats:
        """The evidence for the pages that count."""
        return self.pages[self.counted]

    def linked(self, alone: Floats) -> Case:
        """With what links say, and what was fetched at the same time, where all else has these weights."""
        text = self.pages @ alone
        return self._replace(pages=with_moments(with_links(self.pages, self.linkage, self.given, text), 0, text))

    def judged(self, weights: Weights) -> Case:
        """With what links say as far as it counts where all evidence has these weights."""
        text = self.pages @ weights.alone
        known = with_links(self.pages, self.linkage, self.given, text)
        held = within_reach(known, weights.together, self.linkage, self.given, text)
        return self._replace(pages=within_bound(with_moments(held, 0, text), weights.together, self.given))


def main(folder: Path, out: Path | None, alone: Floats | None) -> int:
    """Learn, compare, print and write; `alone` are the weights for text alone if these are not to be learnt."""
    cases = [
        case
        for topic in sorted(folder.glob("*/**/relevant.txt"))
        for case in cases_of(topic.parent, topic.relative_to(folder).parts[0])
    ]
    webs = sorted({case.web for case in cases})
    if len(webs) < 2:
        print(f"there are no two webs in {folder}", file=sys.stderr)
        return 1
    chances, truth = [], []
    for web in webs:
        weights = learnt([case for case in cases if case.web != web], alone)
        own = [case.judged(weights) for case in cases if case.web == web]
        print(
            web,
            *(
                f"{kept_well(own, weights.together, examples):.3f}"
                for examples in sorted({c.examples for c in own})[::-1]
            ),
        )
        chances += [logistic(case.evidence @ weights.together) for case in own]
        truth += [case.relevant for case in own]
    print(f"expected calibration error {calibration(np.concatenate(chances), np.concatenate(truth)):.3f}")
    if out:
        tables = learnt(cases, alone)._asdict().items()
        out.write_text(HEAD + "".join(table(name, weights) for name, weights in tables), encoding="utf-8")
    return 0


def table(name: str, weights: Floats) -> str:
    """Weights as a table of the file."""
    named = zip((*EVIDENCE, OFFSET), weights, strict=True)
    return f"[{name}]\n" + "".join(f'"{kind}" = {value:.3f}\n' for kind, value in named)


def cases_of(folder: Path, web: str) -> Iterator[Case]:
    """One topic, with more and fewer examples."""
    relevant, uncounted = (_addresses(folder / f"{name}.txt") for name in ("relevant", "uncounted"))
    (topic,) = read_settings(folder / "collection").topic.values()
    keywords = Keywords(topic.words)
    likes = [url for named in topic.like if (url := canonical(named))]
    urls, pages = zip(*pages_of(folder / "collection", keywords), strict=True)
    weights = WordWeights.of([page.words for page in pages], keywords.asked)
    vectors = weights.vectors([page.words for page in pages])
    linkage = Linkage.of([key_of(url) for url in urls], [page.linking for page in pages])
    counted = np.array([url not in uncounted for url in urls])
    right = np.array([url in relevant for url in urls])
    for most in EXAMPLES:
        given = set(likes[:most])
        rows = np.array([row for row, url in enumerate(urls) if url in given], np.int64)
        starts = [page.linking for url, page in zip(urls, pages, strict=True) if url not in likes]
        named = offered(starts, {key_of(url) & MARK for url in given}, {key_of(url) & MARK for url in urls})
        gathered = Gathered.of(pages, vectors, [named.of(key_of(url) & MARK) for url in urls])
        _, evidence = standard_for(gathered, weights, rows, shipped_weights().alone)
        yield Case(web, len(likes[:most]), rows, evidence, linkage, counted, right)


def key_of(url: str) -> int:
    """The key of a page, as the judge of a crawl knows it."""
    return url_hash(url) & int(KEY_MASK)


def pages_of(folder: Path, keywords: Keywords) -> Iterator[tuple[str, PageTraits]]:
    """The pages of a collection as the judge sees them."""
    with Store.open(folder, writing=False) as store:
        for page in store.pages(kept_only=False):
            if page.outcome is not Outcome.PAGE:
                continue
            markup = archived_markup(store, page)
            heading, below = headings(markup.blocks) if markup else ("", "")
            outlinks = [link for link in markup.links if link.url != page.url] if markup else []
            seen = LinkedPage(
                key=key_of(page.url),
                url=page.url,
                title=page.title,
                depth=page.depth,
                main=page.text,
                heading=heading,
                subheadings=below,
                links=PageLinks(markup, outlinks) if markup else (),
                targets=[key_of(link.url) for link in outlinks],
            )
            yield page.url, traits_of(seen, keywords)


def learnt(cases: Sequence[Case], alone: Floats | None) -> Weights:
    """The weights of what is known of a page by itself, and of all evidence with what that says of others."""
    known = fitted(cases, EVIDENCE[: EVIDENCE.index(MOMENT)]) if alone is None else alone
    return Weights(known, fitted([case.linked(known) for case in cases], EVIDENCE))


def fitted(cases: Sequence[Case], kinds: Sequence[str]) -> Floats:
    """Weights of logistic regression; evidence that would count the other way round than it is meant is left out.

    With links, what is in log-odds already counts as much as it says.
    """
    meant = np.array([{"list": -1.0}.get(name, 0.0 if name in EITHER_WAY else 1.0) for name in EVIDENCE])
    said = float(kinds == EVIDENCE)
    used = np.delete(np.arange(len(kinds)), AS_SAID if said else [])
    while True:
        found = regression(cases, np.append(used, len(EVIDENCE)), said)
        wrong = found[:-1] * meant[used]
        if wrong.min() >= 0:
            weights = np.zeros(len(EVIDENCE) + 1)
            weights[np.append(used, len(EVIDENCE))] = found
            weights[AS_SAID] = np.where(said, said, weights[AS_SAID])
            return weights
        used = np.delete(used, wrong.argmin())


def regression(cases: Sequence[Case], columns: npt.NDArray[np.int64], said: float) -> Floats:
    """The weights of these columns, the last of them the offset, by Newton's method, where `AS_SAID` has the weight."""
    rows = np.concatenate([case.evidence[:, columns] for case in cases])
    given = said * np.concatenate([case.evidence[:, AS_SAID].sum(axis=1) for case in cases])
    target = np.concatenate([case.relevant for case in cases]).astype(float)
    of_web = {web: sum(case.web == web for case in cases) for web in {case.web for case in cases}}
    counts = np.concatenate([np.full(len(c.relevant), 3000 / of_web[c.web] / len(c.relevant)) for c in cases])
    mean = np.average(rows, axis=0, weights=counts)
    spread = np.sqrt(np.average((rows - mean) ** 2, axis=0, weights=counts)) + 1e-6
    mean[-1], spread[-1] = 0.0, 1.0
    rows = (rows - mean) / spread
    penalty = np.diag([*[PENALTY] * (len(columns) - 1), 1e-6])
    weights = np.zeros(len(columns))
    for _ in range(ROUNDS):
        expected = logistic(rows @ weights + given)
        slope = rows.T @ (counts * (expected - target)) + penalty @ weights
        curve = (rows * (counts * expected * (1 - expected))[:, None]).T @ rows + penalty
        weights -= np.linalg.solve(curve, slope)
    plain = weights / spread
    plain[-1] = weights[-1] - plain[:-1] @ mean[:-1]
    return plain


def kept_well(cases: Sequence[Case], weights: Floats, examples: int) -> float:
    """The mean F-measure over topics with so many examples."""
    figures = []
    for case in cases:
        if case.examples == examples:
            odds = case.evidence @ weights
            kept = logistic(odds) >= best_cut(odds)
            figures.append(2 * (kept & case.relevant).sum() / max(1, kept.sum() + case.relevant.sum()))
    return fmean(figures)


def calibration(chances: Floats, truth: npt.NDArray[np.bool_]) -> float:
    """The expected calibration error."""
    tenth = (chances * 10).astype(int).clip(0, 9)
    counts = np.bincount(tenth, minlength=10)
    apart = np.abs(np.bincount(tenth, chances, 10) - np.bincount(tenth, truth, 10))
    return float(apart.sum() / counts.sum())


def _addresses(path: Path) -> set[str]:
    return {url for line in path.read_text(encoding="utf-8").splitlines() if (url := canonical(line))}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--as-shipped", action="store_true", help="leave the weights for text alone as they are")
    options = parser.parse_args()
    sys.exit(main(options.folder, options.out, shipped_weights().alone if options.as_shipped else None))
