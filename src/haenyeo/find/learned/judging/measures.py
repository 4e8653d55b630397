"""What speaks for a page? Measures of it beside all others, each on the scale that is usual for the topic's pages.

The topic's words, each counted once: in the main text, title, opening, headings and address (`cover`). A ridge
regression on words: the examples and the pages most like the topic against the lower half of what was fetched, which is
a sample of everything else (`learnt`). The mean of both over a page's nearest pages. How much of the topic's words it
has beside the examples. The words of its address, and whether that is the address of a list. And, the same for all
pages, how many have about as much of the topic's words as the examples, and how far a few pages stand out from all
others in the topic's words (`outstanding cover`) and in those learnt: where few do and these far, the topic is rare.
Whether a list that the user began with names it beside examples (`offered`). Last, how relevant those pages are by all
this that were fetched at about the same time, those that lead to the same pages, and those that stand beside it in
lists; and a bound on how many may be relevant, which takes back what links say first.

The scale is that of the best pages, twice as many as are likely relevant, as in the crawls the weights were learnt
from: were it that of all, then every page that has nothing to do with the topic would make those look better that have
a little, and the longer a crawl went on, the more would be kept.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from haenyeo.find.learned.judging.cut import STILL_SEEKING
from haenyeo.find.learned.judging.linkage import Linkage
from haenyeo.find.learned.judging.moments import shares_around
from haenyeo.find.learned.judging.traits import PARTS, PageTraits
from haenyeo.find.learned.judging.vectors import (
    DIMENSIONS,
    NEIGHBOURS,
    PageVectors,
    Pool,
    Sketches,
    WordWeights,
    measure,
    nearest,
    pool_of,
    unit,
)
from haenyeo.find.learned.memory import Flags, Floats, Indexes
from haenyeo.find.learned.regression import logistic

SCALED = ("cover", "learnt", "cover nearby", "learnt nearby")
"""Measures in units of their spread over all pages."""
RARITY = ("share", "outstanding cover", "outstanding learnt")
"""What says how rare the topic is, the same for all pages."""
MOMENT = "fetched with"
"""How relevant what was fetched at about the same time is; known only where a page is judged together with others."""
LINKED = ("leads alike", "listed beside")
"""What links say; known only there, too."""
BOUND = "few alike"
"""By how much all pages are lowered since too many would be relevant; known only there, too."""
TOGETHER = (MOMENT, BOUND, *LINKED)
EVIDENCE = (*SCALED, "cover of examples", "opening of examples", "address", "list", *RARITY, "offered", *TOGETHER)
"""The evidence in the order of its columns."""

_AT = {name: place for place, name in enumerate(EVIDENCE)}
_SCALED = slice(len(SCALED))
_OF_EXAMPLES = slice(_AT["cover of examples"], _AT["opening of examples"] + 1)
_RARITY = slice(_AT[RARITY[0]], _AT[RARITY[-1]] + 1)
_LINKED = slice(_AT["leads alike"], _AT["listed beside"] + 1)
_PART = {name: place for place, name in enumerate(PARTS)}
_COVER = np.array([1.0, 2.0, 1.0, 1.0, 1.0]) / 6  # of each part; title and first heading count twice
_AT_ONCE = 512  # sketches that are copied, twice as large, to be multiplied exactly
_TOP = 0.08  # share of pages taken for relevant, beside the examples
_FEWEST_TOP = 3
_THIN = 4  # of so many pages one is looked at, and of the neighbours as few, where a page is judged by itself
_MOST_OTHERS = 1_000  # pages of the lower half that are used
_REST = 0.5  # share of pages that are surely not the topic's best
_EXAMPLES = 100.0  # pages that the examples and the others are taken to be, against a penalty of 1
_LEVEL = 50  # without examples, one page in so many tells what relevant pages reach
_LOWEST, _HIGHEST = -3.0, 4.0  # spreads beyond which nothing is surer
_MOST_OF_EXAMPLES = 2.0
_AS_EXAMPLES = 0.6  # of what the examples have of the topic's words
_USUAL_SHARE = -1.35  # mean over five webs, where there are no examples
_SOME_WORDS = 0.5  # of the topic's words: what the best pages of nearly every crawl have that finds any
_FEWEST_WORDS = 0.01
_NOTHING_FOUND = 7.5  # how much smaller the share is taken to be, in logarithms, the fewer of them the best pages have
_SLACK = 0.1  # of what the best page has: examples that have next to nothing make no page exceptional
_USUAL = np.array([[0.09, -0.2, 0.1, -0.15], [0.09, 0.45, 0.04, 0.25]])  # mean and spread of the measures
_USUAL_PAGES = 10.0  # how many pages the usual scale counts for: the first pages of a crawl have none of their own
_LIFT = 1.0  # log-odds; F on six webs is the same without a bound, a chapter on another topic is not kept for its links
_USUAL_SKEWNESS = 1.0  # of both measures, in the mean of six webs
_TINY = 1e-6
_ALONE = (0.0,) * len(TOGETHER)  # what is said by that of a page that is judged by itself
_FEWEST_BEST = 300  # pages that make the scale, if there are as many
_BEST = 2.0  # the same for each that is likely relevant
_FEWER = 0.98  # of those that made it before, at most, or it stays
_ROUNDS = 5
_MOST_FOR_EACH = 2.0  # pages that may be relevant for each that has about as much of the topic's words as the examples
_LESS_SURE = 2.0  # times as many where there are no examples, and what the best pages have stands for them
_MOST_DOWN, _HALVINGS = 8.0, 24  # log-odds


class Gathered(msgspec.Struct, frozen=True):
    """Pages as columns: vectors, the share of the topic's words in each part, and whether each is a list.

    `offered` says how strongly a list that the user began with names each beside the examples.
    """

    vectors: PageVectors
    coverage: Floats
    listing: Flags
    offered: Floats

    @classmethod
    def of(cls, pages: Sequence[PageTraits], vectors: PageVectors, offered: Sequence[float] = ()) -> Gathered:
        """These pages, whose vectors are known; where nothing is said of it, none is `offered`."""
        listing = np.array([page.listing for page in pages], np.bool_)
        return cls(vectors, _stored(pages), listing, np.array(offered or [0.0] * len(pages), np.float64))


class Standard(msgspec.Struct, frozen=True, kw_only=True):
    """What pages are measured by; fixed until the judge has seen many more."""

    weights: WordWeights
    direction: Floats
    pool: Pool
    scale: Floats
    level: Floats
    lists: float
    rarity: tuple[float, ...]

    def evidence(self, page: PageTraits, offered: float = 0.0) -> tuple[Floats, Sketches]:
        """The evidence for a page that was not known when the standard was made, with a last 1, and its sketch.

        The same as that of `put_together`, without arrays of a single row.
        """
        sketch, learnt, nearby = measure(page.words, self.weights.signed, self.direction, self.pool)
        coverage = _stored([page])[0]
        raw = float(coverage @ _COVER), learnt, *nearby
        means, spreads = self.scale.tolist()
        parts, level = coverage.tolist(), self.level.tolist()
        scaled = ((each - mean) / spread for each, mean, spread in zip(raw, means, spreads, strict=True))
        found = [
            *(min(max(each, _LOWEST), _HIGHEST) for each in scaled),
            min(raw[0] / level[0], _MOST_OF_EXAMPLES),
            min(parts[_PART["opening"]] / level[1], _MOST_OF_EXAMPLES),
            parts[_PART["address"]],
            page.listing * (1 - self.lists),
            *self.rarity,
            offered,
            *_ALONE,
            1.0,
        ]
        return np.array(found), sketch

    def put_together(self, coverage: Floats, listing: Flags, offered: Floats, raw: Floats) -> Floats:
        """The evidence for pages whose measures of `SCALED` are these; links say nothing of them yet."""
        found = np.ones((len(raw), len(EVIDENCE) + 1))
        found[:, _SCALED] = np.minimum(np.maximum((raw - self.scale[0]) / self.scale[1], _LOWEST), _HIGHEST)
        found[:, _AT["cover of examples"]] = raw[:, 0]
        found[:, _AT["opening of examples"]] = coverage[:, _PART["opening"]]
        found[:, _OF_EXAMPLES] = np.minimum(found[:, _OF_EXAMPLES] / self.level, _MOST_OF_EXAMPLES)
        found[:, _AT["address"]] = coverage[:, _PART["address"]]
        found[:, _AT["list"]] = listing * (1 - self.lists)
        found[:, _RARITY] = self.rarity
        found[:, _AT["offered"]] = offered
        found[:, _AT[MOMENT] : -1] = 0.0
        return found


def standard_for(pages: Gathered, weights: WordWeights, likes: Indexes, alone: Floats) -> tuple[Standard, Floats]:
    """The standard that these pages make, `likes` among them being examples, and the evidence for each of them.

    `alone` are the weights of evidence that tell how many pages are likely relevant.
    """
    sketches, named, cover = pages.vectors.sketches, pages.vectors.named, pages.coverage @ _COVER
    chosen = pool_of(len(sketches))
    own = np.full(len(sketches), -1)
    own[chosen] = np.arange(len(chosen))
    near = nearest(sketches, sketches[chosen], own)
    rank = _scaled(cover) + _scaled(named) + _scaled(_mean_of(cover[chosen, None], near, cover[:, None])[:, 0])
    if len(likes):
        rank += _scaled(_likeness(sketches, likes))
    order = np.argsort(-rank, kind="stable")
    direction = _direction(sketches, order, likes)
    mine = _measured(pages, direction)
    raw = _beside(mine, _mean_of(mine[chosen], near, mine))
    thin = _THIN if len(chosen) >= _THIN * NEIGHBOURS else 1
    top = likes if len(likes) else order[: max(_FEWEST_TOP, len(order) // _LEVEL)]
    level = np.stack([cover, pages.coverage[:, _PART["opening"]]], axis=1)
    level = level[top].mean(axis=0) + _SLACK * level.max(axis=0) + _TINY
    standard = Standard(
        weights=weights,
        direction=direction,
        pool=Pool(sketches[chosen[::thin]], mine[chosen[::thin]], NEIGHBOURS // thin),
        scale=_scale_of(raw),
        level=level,
        lists=float(pages.listing[top].mean()),
        rarity=(_share(cover / level[0]) if len(likes) else _share_by_words(pages), *_outstanding(mine)),
    )
    return _scaled_by_best(standard, pages, raw, order, alone)


def with_moments(evidence: Floats, before: int, odds: Floats) -> Floats:
    """The evidence with how relevant what was fetched with each page is by these log-odds, after so many others."""
    found = evidence.copy()
    found[:, _AT[MOMENT]] = shares_around(logistic(odds), before)
    return found


def with_links(evidence: Floats, linkage: Linkage, likes: Indexes, odds: Floats) -> Floats:
    """The evidence with what links say: how relevant the pages around each are by these log-odds, examples surely so.

    Relevance is counted from the mean on: where it is the same everywhere links say nothing.
    """
    chances = _chances(odds, likes)
    usual = logistic(odds).mean() if len(odds) else 0.0
    found = evidence.copy()
    found[:, _AT["leads alike"]] = linkage.leading.around(chances - usual)
    found[:, _AT["listed beside"]] = linkage.listed.around(chances - usual)
    return found


def within_reach(evidence: Floats, weights: Floats, linkage: Linkage, likes: Indexes, odds: Floats) -> Floats:
    """The evidence, of these weights, with less of what links say where that lifts a page too far.

    The text of all pages of a chapter is misread together, so that many that are somewhat likely do not make each
    other certain: links lift a page little above what it and the pages around it are by these log-odds of their text.
    """
    chances = _chances(odds, likes)
    around = np.maximum(linkage.leading.mean_around(chances), linkage.listed.mean_around(chances))
    around = around.clip(_TINY, 1 - _TINY)
    reach = np.maximum(odds, np.log(around / (1 - around))) + _LIFT
    by_links = evidence[:, _LINKED] @ weights[_LINKED]
    too_far = (evidence @ weights - reach).clip(0, by_links.clip(0))
    found = evidence.copy()
    found[:, _LINKED] *= (1 - too_far / np.maximum(by_links, _TINY))[:, None]
    return found


def within_bound(evidence: Floats, weights: Floats, likes: Indexes) -> Floats:
    """The evidence, of these weights, with less of what links say, and then of all, if too many pages seem relevant.

    Pages that have about as much of the topic's words as the examples are hardly ever fewer than half of those that are
    relevant. Where far more seem to be, links may have lifted a whole book by its few pages on the topic: their lift is
    taken back, as much as it takes. Were all pages lowered alike, others would have to pay for that book. What is still
    too many, as of a manual whose pages all mention everything, shows that the level is too high. A single example may
    have more of the words than most pages of the topic, so that it lowers half the way, and words alone not at all.
    """
    found, odds = evidence.copy(), evidence @ weights
    most = _most_relevant(evidence, likes)
    if logistic(odds).sum() <= most:
        return found
    by_links = (evidence[:, _LINKED] * weights[_LINKED]).clip(0)
    taken = _steps_down(odds, by_links.sum(axis=1), most, 1.0)
    found[:, _LINKED] *= np.where(by_links > 0, 1 - taken, 1.0)
    odds = found @ weights
    found[:, _AT[BOUND]] = -_steps_down(odds, np.ones(len(odds)), most, _MOST_DOWN) * len(likes) / (len(likes) + 1)
    return found


def _most_relevant(evidence: Floats, likes: Indexes) -> float:
    """How many pages may be relevant for all that have about as much of the topic's words as the examples."""
    if len(likes) and len(evidence):
        return _MOST_FOR_EACH * len(evidence) * float(np.exp(evidence[0, _AT["share"]]))
    alike = np.exp(_share(evidence[:, _AT["cover of examples"]]))
    return _LESS_SURE * _MOST_FOR_EACH * len(evidence) * float(alike)


def _steps_down(odds: Floats, step: Floats, most: float, limit: float) -> float:
    """How many steps down it takes until no more pages than so many are relevant, but not more than the limit."""
    low, high = 0.0, limit
    if logistic(odds).sum() <= most:
        return low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if logistic(odds - middle * step).sum() <= most else (middle, high)
    return high


def _scaled_by_best(
    standard: Standard, pages: Gathered, raw: Floats, order: Indexes, alone: Floats
) -> tuple[Standard, Floats]:
    """The standard with the scale of the first pages in this order, as many as it takes to be near the topic.

    The fewer make it the fewer are likely relevant, so that it is made again until there are about as many as before.
    """
    found = standard.put_together(pages.coverage, pages.listing, pages.offered, raw)
    count = len(raw)
    for _ in range(_ROUNDS):
        best = max(_FEWEST_BEST, int(_BEST * logistic(found @ alone).sum()))
        if best >= _FEWER * count:
            break
        count = best
        standard = msgspec.structs.replace(standard, scale=_scale_of(raw[order[:count]]))
        found = standard.put_together(pages.coverage, pages.listing, pages.offered, raw)
    return standard, found


def _chances(odds: Floats, likes: Indexes) -> Floats:
    """How likely pages are by these log-odds; examples surely."""
    chances = logistic(odds)
    chances[likes] = 1.0
    return chances


def _stored(pages: Sequence[PageTraits]) -> Floats:
    """The share of the topic's words in each part of pages, as exactly as they are known after a restart."""
    stored = np.array([page.coverage for page in pages], np.float32)
    return stored.astype(np.float64).reshape(-1, len(PARTS))


def _share(of_examples: Floats) -> float:
    """The logarithm of the share of pages that have about as much of the topic's words as the examples."""
    return float(np.log(((of_examples > _AS_EXAMPLES).sum() + 2) / (len(of_examples) + 4)))


def _share_by_words(pages: Gathered) -> float:
    """The same without examples: as usual, but far smaller if even the best pages hardly have a word of the topic.

    Then nothing that was fetched is about it, and what stands out among such pages does so by chance.
    """
    main = np.sort(pages.coverage[:, _PART["main"]])[::-1]
    best = float(main[: max(_FEWEST_TOP, len(main) // _LEVEL)].mean())
    missing = min(0.0, float(np.log(max(best, _FEWEST_WORDS) / _SOME_WORDS)))
    return _USUAL_SHARE + _NOTHING_FOUND * missing * max(0.0, 1 - STILL_SEEKING / len(main))


def _outstanding(values: Floats) -> list[float]:
    """The skewness of each column, drawn to the usual one while there are few pages."""
    scaled = (values - values.mean(axis=0)) / (values.std(axis=0) + _TINY)
    skewness = scaled.clip(_LOWEST, _HIGHEST) ** 3
    share = len(values) / (len(values) + _USUAL_PAGES)
    found: list[float] = (share * skewness.mean(axis=0) + (1 - share) * _USUAL_SKEWNESS).tolist()
    return found


def _measured(pages: Gathered, direction: Floats) -> Floats:
    found = np.empty((len(pages.coverage), 2))
    found[:, 0] = pages.coverage @ _COVER
    sketches = pages.vectors.sketches
    for start in range(0, len(sketches), _AT_ONCE):
        found[start : start + _AT_ONCE, 1] = sketches[start : start + _AT_ONCE] @ direction
    return found


def _beside(mine: Floats, nearby: Floats) -> Floats:
    return np.concatenate([mine, nearby], axis=1)


def _mean_of(values: Floats, near: Indexes, alone: Floats) -> Floats:
    """The mean of each column of values over each page's neighbours; a page's own where there are none."""
    found: Floats = values[near].mean(axis=1) if near.shape[1] else alone
    return found


def _scaled(values: Floats) -> Floats:
    found: Floats = (values - values.mean()) / (values.std() + _TINY)
    return found


def _scale_of(raw: Floats) -> Floats:
    """Mean and spread of each measure, drawn to the usual ones while there are few pages."""
    share = len(raw) / (len(raw) + _USUAL_PAGES)
    return share * np.stack([raw.mean(axis=0), raw.std(axis=0)]) + (1 - share) * _USUAL


def _likeness(sketches: Sketches, likes: Indexes) -> Floats:
    """How near each page is to the examples; an example to the others."""
    total = sketches[likes].sum(axis=0)
    near = (sketches @ unit(total)).astype(np.float64)
    if len(likes) > 1:
        near[likes] = (sketches[likes] * unit(total - sketches[likes])).sum(axis=1)
    else:
        near[likes] = np.sort(near)[-4:].mean()
    return near


def _direction(sketches: Sketches, order: Indexes, likes: Indexes) -> Floats:
    """The direction of relevant pages: examples and the first in this order against the lower half of it."""
    top = max(_FEWEST_TOP, int(np.ceil(_TOP * len(order))))
    good = np.unique(np.concatenate([likes, order[:top]]))
    rest = np.setdiff1d(order[int(_REST * len(order)) :], good)
    if not len(rest):
        return np.zeros(DIMENSIONS)
    rest = rest[:: 1 + len(rest) // _MOST_OTHERS]
    rows = sketches[np.concatenate([good, rest])]
    target = np.repeat([1.0, -1.0], [len(good), len(rest)])
    counts = np.repeat([_EXAMPLES / 2 / len(good), _EXAMPLES / 2 / len(rest)], [len(good), len(rest)])
    return ridge(rows, target, counts)


def ridge(rows: Sketches, target: Floats, counts: Floats) -> Floats:
    """The direction along which rows reach their targets, each counted so many times, against a penalty of 1.

    Whichever system of equations is the smaller is solved: a row each, or a dimension each.
    """
    roots = np.sqrt(counts)
    scaled: Sketches = rows * roots[:, None].astype(np.float32)
    wanted: Floats = roots * target
    if len(rows) < rows.shape[1]:
        inner: Floats = (scaled @ scaled.T).astype(np.float64) + np.eye(len(rows))
        dual: Floats = scaled.T @ np.linalg.solve(inner, wanted)
        return dual
    outer: Floats = (scaled.T @ scaled).astype(np.float64) + np.eye(rows.shape[1])
    along: Floats = scaled.T.astype(np.float64) @ wanted
    return np.asarray(np.linalg.solve(outer, along), np.float64)
