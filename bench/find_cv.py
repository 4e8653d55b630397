"""Would the default strategy find more if the weights its evidence begins with were chosen on other webs?

    python -m bench.find_cv FOLDER [--likes 3]

FOLDER has a folder for each web, with `pages.jsonl` and `topics.json` as `haenyeo paper 001 --data` takes them. Every
topic is crawled from its words, seeds and some liked pages, without counter-examples. Meanwhile the evidence for pages
that wait is noted, and with it whether they are on the topic. Then for each web the weights evidence begins with (see
`find/learned/balance.py`) are chosen on all other webs, by a logistic regression with weights of 0 and more, and its
topics are crawled again with these. Printed is for each web the share of relevant pages among the first ones fetched,
as many as there are to find but at most 200: with the weights in the package, which are alike for all kinds, and with
those chosen without this web.
The last line has the weights chosen on all webs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from haenyeo.find.learned.balance import SCALE, USUAL, Balance
from haenyeo.find.learned.regression import logistic
from haenyeo.find.learned.strategy import Learned
from haenyeo.html.urls import canonical
from haenyeo.model.pages import Url
from haenyeo.model.parts import LinkedPage
from haenyeo.papers.frozen_web import FrozenTopic, FrozenWeb, frozen_web

Floats = npt.NDArray[np.float64]

MOST_FETCHES = 200
MOMENTS = (0.05, 0.1, 0.25, 0.5, 0.8)  # shares of a crawl after which the pages that wait are looked at
MOST_WAITING = 400  # pages of those at one moment
FEWEST_RELEVANT = 3  # among them; others teach nothing
PENALTY = 2.0  # on squared weights; the moments of a web together count 100
ROUNDS = 40


class Moment(NamedTuple):
    """Pages that waited at one moment: the evidence for each, on the scale of its kind, and whether it is relevant."""

    evidence: Floats
    relevant: npt.NDArray[np.bool_]


class Watched(Learned):
    """The default strategy, which notes at some moments what speaks for the pages that wait."""

    def __init__(self, *, words: str, usual: Floats, relevant: set[int], moments: set[int]) -> None:
        super().__init__(words=words)
        self.learner.balance = Balance(usual=usual)
        self.moments: list[Moment] = []
        self._relevant, self._due, self._revisions = relevant, moments, 0

    def revise(self) -> tuple[Sequence[int], Sequence[float]]:
        """Revise as usual, then note if it is time."""
        found = super().revise()
        self._revisions += 1
        if self._revisions in self._due:
            waiting = self.learner.waiting()[0]
            some = waiting[:: 1 + len(waiting) // MOST_WAITING].tolist()
            known = [(ref, row) for ref in some if (row := self.learner.evidence_of(ref)) is not None]
            relevant = np.array([ref in self._relevant for ref, _ in known], np.bool_)
            if FEWEST_RELEVANT <= relevant.sum() < len(relevant):
                self.moments.append(Moment(np.array([row for _, row in known]) * SCALE, relevant))
        return found


def crawled(web: FrozenWeb, topic: FrozenTopic, usual: Floats, likes: int) -> tuple[float, list[Moment]]:
    """The share of relevant pages among the first a crawl fetches, and what was noted meanwhile."""
    known = {canonical(url) for url in (*topic.example_urls, *topic.seed_urls)}
    relevant = {url for named in topic.relevant_urls if (url := canonical(named)) and url not in known}
    fetches = min(len(relevant), MOST_FETCHES)
    moments = {max(1, int(share * fetches)) for share in MOMENTS}
    scorer = Watched(words=topic.keywords, usual=usual, relevant=set(map(web.number, relevant)), moments=moments)
    for text in topic.example_urls[:likes]:
        if (page := _page(web, text)) is not None:
            scorer.example(page, relevant=True)
    found = _fetched(web, scorer, topic, fetches)
    return len(relevant.intersection(found)) / fetches, scorer.moments


def _page(web: FrozenWeb, text: str, depth: int = 0) -> LinkedPage | None:
    url = canonical(text)
    return web.page(url, depth) if url else None


def _fetched(web: FrozenWeb, scorer: Watched, topic: FrozenTopic, fetches: int) -> list[Url]:
    """The pages a crawl fetches from the seeds on, always the one that is worth most by now."""
    order: list[Url] = []
    done = {url for text in topic.example_urls if (url := canonical(text))}
    starts = [page for text in topic.seed_urls if (page := _page(web, text)) is not None]
    while len(order) < fetches and (page := starts.pop(0) if starts else _best(web, scorer, done)) is not None:
        done.add(page.url)
        order.append(page.url)
        scorer.visit(page)
        scorer.revise()
    return order


def _best(web: FrozenWeb, scorer: Watched, done: set[Url]) -> LinkedPage | None:
    """The page that is worth most; addresses without a page are passed over, as a crawl would learn."""
    keys, worth = scorer.learner.waiting()
    for place in np.argsort(-worth, kind="stable").tolist():
        url = web.address(int(keys[place]))
        if url in done:
            continue
        if (page := web.page(url, depth=1)) is not None:
            return page
        done.add(url)
        scorer.visit(LinkedPage(key=int(keys[place]), url=url, depth=1))
    return None


def all_crawled(folder: Path, usual: Floats, likes: int) -> tuple[float, list[Moment]]:
    """The mean over a web's topics, and what was noted in all of their crawls."""
    web = frozen_web(folder)
    results = [crawled(web, topic, usual, likes) for topic in web.topics.values()]
    return fmean(share for share, _ in results), [moment for _, moments in results for moment in moments]


def chosen(webs: Sequence[Sequence[Moment]]) -> Floats:
    """The weights that tell relevant pages best, none below 0; webs count alike, and so do both kinds of pages."""
    rows, targets, counts = [], [], []
    for moments in webs:
        for evidence, relevant in moments:
            rows.append(np.hstack([evidence - evidence.mean(axis=0), np.ones((len(evidence), 1))]))
            targets.append(relevant.astype(np.float64))
            share = np.where(relevant, relevant.sum(), (~relevant).sum())
            counts.append(50 / share / len(moments))
    return _fitted(np.vstack(rows), np.concatenate(targets), np.concatenate(counts))[:-1]


def _fitted(rows: Floats, targets: Floats, counts: Floats) -> Floats:
    """Newton's method over the weights that are above 0, or would be."""
    pull = np.append(np.full(rows.shape[1] - 1, PENALTY), 1e-6)
    weights = np.zeros(rows.shape[1])
    for _ in range(ROUNDS):
        expected = logistic(rows @ weights)
        slope = rows.T @ ((expected - targets) * counts) + pull * weights
        curve = (rows * (expected * (1 - expected) * counts)[:, None]).T @ rows + np.diag(pull)
        free = (weights > 0) | (slope < 0)
        free[-1] = True
        weights[free] -= np.linalg.solve(curve[np.ix_(free, free)], slope[free])
        weights[:-1] = weights[:-1].clip(0)
    return weights


def main(folder: Path, likes: int) -> int:
    """Crawl, choose, crawl again, and print."""
    folders = sorted(path.parent for path in folder.glob("*/topics.json"))
    shipped = {path: all_crawled(path, USUAL, likes) for path in folders}
    print(f"{'web':<16} {'as shipped':>12} {'chosen without it':>18}")
    for path in folders:
        others = chosen([moments for other, (_, moments) in shipped.items() if other != path])
        left_out, _ = all_crawled(path, others, likes)
        print(f"{path.name:<16} {shipped[path][0]:>12.3f} {left_out:>18.3f}", flush=True)
    print("weights:", *chosen([moments for _, moments in shipped.values()]).round(2))
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--likes", type=int, default=3)
    options = parser.parse_args()
    sys.exit(main(options.folder, options.likes))
