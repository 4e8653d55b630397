"""What speaks for a link? Seven kinds of evidence, each in log-odds, and the page relevance its source has.

- hub: how relevant the pages were that its source page led to so far
- group: the same for the links at the same place of a page, such as one list, of all such places together
- anchor, around: whether its words and the words beside it stand on relevant pages elsewhere
- asked: words of its anchor that the topic names
- known: what links with such words, anchor pieces and address have led to
- leads: how much new such links have opened up (see `gains`)

A page's evidence is the mean over all links known to lead to it: that says far more than the best of them. Only lists
are taken together by the pages they have led to: one of a hundred that were mostly relevant says more than a hundred
pairs of arrows to the next page and the one before, of which hardly any has been followed.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np

from haenyeo import native
from haenyeo.find.learned.columns import Numbers
from haenyeo.find.learned.memory import Flags, Floats, Indexes, LinkMemory
from haenyeo.find.learned.regression import Regression, log_odds
from haenyeo.find.learned.weighing import LEFT_OUT, weigh

COMPILED = native.load("weighing")

HUB, GROUP, ANCHOR, AROUND_IT, ASKED, KNOWN, LEADS, SOURCE = range(8)
KINDS = 8
"""Kinds of evidence that are sums over the links to a page."""

_LED_TO = KINDS
SUMS = KINDS + 1
"""What is added up for a page: these kinds, and how many fetched pages the lists that name it have led to."""

NAMED, NAMED_BESIDE, NAMED_IN_ADDRESS, FROM_START, BESIDE = range(KINDS, KINDS + 5)
ALL_KINDS = KINDS + 5
"""All kinds: these, how many of the topic's words the best links to a page name, whether one stands on a page the crawl
began with, and what it says that a list names the page beside examples (see `naming`)."""

_HUB_PRIOR = 3.0  # links of a page (or a place) that are taken to have led to pages as relevant as the mean
_GROUP_PRIOR = 2.0
_SOURCE_PRIOR = 3.0


class Standards(msgspec.Struct, frozen=True):
    """What links are held against: `words` weighs words by how they fit the topic and whether it names them.

    `regression` weighs features by what they have led to and what they have opened up.
    """

    words: Numbers
    regression: Regression
    mean: float
    held: tuple[Numbers, Numbers, Floats]
    """The same as arrays."""

    @classmethod
    def of(cls, words: Numbers, regression: Regression, mean: float) -> Standards:
        """The standards made from these tables of words and weights."""
        return cls(words, regression, mean, (words, regression.weights, np.array([mean, *regression.offsets])))


class PageColumns(NamedTuple):
    """What is known of every page: sums over the links that lead to it and their number, what these name, and what it
    says that a list names it beside examples.
    """  # noqa: D205

    sums: Floats
    links: Indexes
    named: Numbers
    beside: Floats


def add_evidence(memory: LinkMemory, standards: Standards, sums: Floats, links: Indexes, first: int = 0) -> None:
    """Add the evidence of all described links from the link `first` on to the sums of the pages they lead to.

    `links` counts them. Links of pages that are not followed say nothing, and a fetched page needs no evidence.
    """
    if COMPILED is None:
        add_evidence_in_python(memory, standards, sums, links, first)
        return
    COMPILED.add_evidence(memory.features.arrays, memory.columns, standards.held, first, sums, links)


def add_evidence_in_python(
    memory: LinkMemory, standards: Standards, sums: Floats, links: Indexes, first: int = 0
) -> None:
    """The same without compiled code."""
    target = memory.target
    telling = memory.described & memory.followed[memory.source]
    used = telling & ~memory.fetched[target]
    evidence = link_sums(memory, standards, first, left_out=~used)[used[first:]]
    np.add.at(sums, target[first:][used[first:]], evidence)
    np.add.at(links, target[first:][telling[first:]], 1)


def link_sums(memory: LinkMemory, standards: Standards, first: int = 0, left_out: Flags | None = None) -> Floats:
    """What each link from the link `first` on adds, one row a link; some of it is left out for some links."""
    features = memory.features
    if left_out is not None:
        features = features._replace(targets=np.where(left_out, LEFT_OUT, features.targets))
    source, target = memory.source[first:], memory.target[first:]
    relevance = memory.in_context[target]
    evidence = np.empty((len(source), SUMS))
    total, count = _led_to(source, relevance)
    evidence[:, HUB] = log_odds((total + _HUB_PRIOR * standards.mean) / (count + _HUB_PRIOR))
    evidence[:, GROUP], evidence[:, _LED_TO] = _led_to(memory.group[first:], relevance)
    evidence[:, ANCHOR : LEADS + 1] = weigh(features, standards.words, standards.regression.weights, first)
    evidence[:, KNOWN : LEADS + 1] += standards.regression.offsets
    evidence[:, SOURCE] = np.nan_to_num(memory.in_context[source])
    return evidence


def page_evidence(gathered: PageColumns, pages: Indexes, mean: float) -> Floats:
    """All evidence of some pages, a row each, out of what was gathered of every page."""
    if COMPILED is None:
        return page_evidence_in_python(gathered, pages, mean)
    evidence = np.empty((len(pages), ALL_KINDS))
    COMPILED.page_evidence(gathered, pages, mean, evidence)
    return evidence


def page_evidence_in_python(gathered: PageColumns, pages: Indexes, mean: float) -> Floats:
    """The same without compiled code."""
    sums, links = gathered.sums[pages], gathered.links[pages]
    evidence = sums[:, :KINDS] / np.maximum(links, 1)[:, None]
    evidence[:, GROUP] = log_odds((sums[:, GROUP] + _GROUP_PRIOR * mean) / (sums[:, _LED_TO] + _GROUP_PRIOR))
    evidence[:, SOURCE] = log_odds((sums[:, SOURCE] + _SOURCE_PRIOR * mean) / (links + _SOURCE_PRIOR))
    return np.concatenate([evidence, gathered.named[pages], gathered.beside[pages, None]], axis=1)


def _led_to(kind: Indexes, relevance: Floats) -> tuple[Floats, Floats]:
    """Of the fetched pages that links of the same kind lead to, the sum of their relevance and how many they are."""
    of = kind - kind.min() if len(kind) else kind
    known = ~np.isnan(relevance)
    size = int(of.max(initial=0)) + 1
    count = np.bincount(of[known], minlength=size).astype(np.float64)
    total: Floats = np.bincount(of[known], relevance[known], size).astype(np.float64)
    return total[of], count[of]
