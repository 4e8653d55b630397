"""Which blocks of a page are its text, with what the site has taught."""

from __future__ import annotations

import functools
import struct
from collections.abc import Callable, Sequence
from typing import Self

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.model.pages import Block
from haenyeo.read.page.expected import best_cut, expected_f
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.places import is_heading
from haenyeo.read.page.texts import Bools, Floats, Numbers, opening_key
from haenyeo.read.site.known_places import UNKNOWN
from haenyeo.read.site.lessons import IF_COMMENT, MOST_ODDS, Lessons, choose, is_often, is_repeated, likelihood, mixed
from haenyeo.read.site.menus import LINKED, menus
from haenyeo.read.site.rows import row_labels

REASONS = TEXT, SILENT, TEMPLATE, COMMENT, UNLIKELY, OUTSIDE = (
    "text",
    "line numbers, ways to other pages, or said before",
    "on most pages",
    "comment",
    "unlikely",
    "outside the text",
)
"""Why a block was kept or dropped; of several reasons the first is given."""

FEW_PAGES = 5
"""Fewer do not teach enough to do without the judge."""

_KNOWN = 0.8  # of a page's new words: what must stand at known places to do without the judge
_ODDS = 3.0  # how much likelier a block is for standing in the container that one page suggests
_ALMOST = 1 - 1e-6
_SURE = 0.5  # how likely text stands at a place where repeated blocks are kept between others


class SiteReading:
    """`kept` says of each block whether it is text; `expected` is the F to be expected of that.

    `why` gives the numbers of the reasons among `REASONS`, for whoever wants to know. `names` are the parts of the
    page's title element that most pages of the site have.
    """

    names: frozenset[str] = frozenset()

    def __init__(self, kept: Bools, expected: float, why: Callable[[], npt.NDArray[np.integer]]) -> None:
        self.kept: list[bool] = kept.tolist()
        self.expected = expected
        self._why = why

    def to_bytes(self) -> bytes:
        """The reading as bytes, for `from_bytes`."""
        return struct.pack("<d", self.expected) + self._why().astype(np.uint8).tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The reading that was written."""
        numbers = np.frombuffer(data, np.uint8, offset=8)
        return cls(numbers == REASONS.index(TEXT), struct.unpack_from("<d", data)[0], lambda: numbers)

    @functools.cached_property
    def reasons(self) -> tuple[str, ...]:
        """Why each block was kept or dropped."""
        return tuple(map(REASONS.__getitem__, self._why().tolist()))


def _reading(outline: PageOutline, kept: Bools, inside: Bools, often: Bools, expected: float) -> SiteReading:
    def why() -> npt.NDArray[np.integer]:
        cases = (kept, outline.silent, often, outline.at_comments, inside)
        numbers = np.full(len(kept), len(cases), np.uint8)
        for number in reversed(range(len(cases))):  # `np.select` takes ten times as long for so few
            numbers[cases[number]] = number
        return numbers

    return SiteReading(kept, expected, why)


class _Evidence(msgspec.Struct):
    """What is known of each block of a page; `within` of each of its paths."""

    likely: Floats
    often: Bools
    aside: Bools
    fixed: Bools
    at_place: Floats
    within: Floats
    labelled: Bools


def needs_judge(outline: PageOutline, lessons: Lessons, counts: Floats) -> bool:
    """Whether the judge of single pages must be asked, because too little is known of pages like this one.

    `counts` are the numbers of the site's pages on which the blocks' texts stand.
    """
    if lessons.pages < FEW_PAGES:
        return True
    repeated = is_repeated(counts, outline.words, lessons.pages)
    new_words = outline.by_path(np.where(repeated, 0, outline.weight))
    is_known = np.array([known.number != UNKNOWN for known in lessons.known(outline.paths)], np.bool_)
    return float(new_words[is_known].sum()) < _KNOWN * float(new_words.sum())


def read_alone(outline: PageOutline, judged: Floats) -> SiteReading:
    """Which blocks are text on the first page of a site; only the judge of single pages counts."""
    kept, expected = best_cut(judged, outline.weight)
    return _reading(outline, kept, _between(kept), np.zeros(len(outline), np.bool_), expected)


def read_outline(outline: PageOutline, judged: Floats | None, lessons: Lessons, counts: Floats) -> SiteReading:
    """Which blocks of a page are text, and why; `judged` is None if the page was not judged by itself."""
    if not len(outline):
        nothing = np.zeros(0, np.bool_)
        return _reading(outline, nothing, nothing, nothing, 0.0)
    evidence = _evidence(outline, judged, lessons, counts)
    inside, odds = _container(outline, evidence, lessons)
    of_container = np.where(inside & evidence.aside, 1, np.where(inside, odds, 1 / odds))
    likely = _with_odds(evidence.likely, of_container)
    labelled = evidence.labelled
    menu = menus(outline.link_share > LINKED, np.where(evidence.often, 0, outline.weight), counts.__getitem__)
    often = evidence.often | labelled | menu
    kept, expected = best_cut(np.where(often, 0, likely).astype(np.float32), outline.weight)
    headings = _headings(outline)
    between = np.where(labelled, _between(kept & ~headings), _between(kept, headings & often & inside))
    is_promise = evidence.fixed & ~np.append(kept[1:], np.False_)
    kept |= between & inside & often & (evidence.at_place > _SURE) & ~is_promise & ~menu & ~outline.silent
    kept[row_labels(outline.blocks, np.flatnonzero(kept).tolist())] = True
    return _reading(outline, kept, inside, often, expected)


def _evidence(outline: PageOutline, judged: Floats | None, lessons: Lessons, counts: Floats) -> _Evidence:
    pages = lessons.pages
    known, places = lessons.known(outline.paths), lessons.places
    where = np.array([path.number for path in known], np.intp)[outline.where]
    often, repeated = is_often(counts, pages, places.share[where]), is_repeated(counts, outline.words, pages)
    new, every = _with_judged(places.new[where], judged), _with_judged(places.every[where], judged)
    likely = likelihood(new, outline.link_share, often, repeated, pages)
    likely = np.where(places.for_comments[where], np.float32(IF_COMMENT), likely)
    within = np.array([path.within for path in known], np.float32).reshape(len(known), len(lessons.containers))
    labelled = _labelled(outline.blocks, where, lessons.labels)
    return _Evidence(likely, often, places.aside[where], places.fixed[where], every, within, labelled)


def _labelled(blocks: Sequence[Block], where: Numbers, labels: dict[int, frozenset[int]]) -> Bools:
    """Which blocks are lines that say what they are, as on other pages; `where` has the numbers of their places."""
    labelled = np.zeros(len(blocks), np.bool_)
    for block, place in enumerate(where.tolist() if labels else ()):
        if place in labels:
            labelled[block] = opening_key(blocks[block].text) in labels[place]
    return labelled


def _headings(outline: PageOutline) -> Bools:
    """Which blocks are headings: what stands between them and the text is about the text, not of it."""
    headings: Bools = np.array([is_heading(path) for path in outline.paths], np.bool_)[outline.where]
    return headings


def _with_judged(at_place: Floats, judged: Floats | None) -> Floats:
    """How likely the blocks are by their places, unless these are unknown, and by themselves if they were judged."""
    by_itself = np.full(len(at_place), _SURE, np.float32) if judged is None else judged
    both = at_place if judged is None else mixed(at_place, judged)
    return np.where(np.isnan(at_place), by_itself, both).astype(np.float32)


def _container(outline: PageOutline, evidence: _Evidence, lessons: Lessons) -> tuple[Bools, float]:
    """Which blocks stand in the page's container, and how much likelier that makes them."""
    text = evidence.likely * outline.weight
    new_text = outline.by_path(np.where(evidence.often, 0, text))
    words = outline.by_path(np.where(evidence.often, 0, outline.weight))
    total = np.float32(text.sum())
    within = evidence.within
    f = expected_f(new_text @ within, words @ within, total)
    # No part of a page is worth more than 1, so a first container that is worth enough of that needs no comparison.
    if choose(f[:1], 1.0) == 0:
        return within[outline.where, 0] > 0, _odds(lessons)
    tree = outline.tree
    text_inside, words_inside = tree.sums((new_text, words))
    own = np.where(tree.may_contain, expected_f(text_inside, words_inside, total), 0)
    chosen = choose(f, max(float(own.max()), float(f.max(initial=0))))
    if chosen >= 0:
        return within[outline.where, chosen] > 0, _odds(lessons)
    innermost = int(np.where(own >= own.max() * _ALMOST, tree.depth, -1).argmax())
    return tree.is_inside(innermost)[outline.where], 1.0


def _odds(lessons: Lessons) -> float:
    """How much likelier standing in a container of the site makes a block: the more pages agree on it, the more."""
    if lessons.pages >= FEW_PAGES:
        return MOST_ODDS
    return min(MOST_ODDS, float(_ODDS ** (2 * max(1.0, lessons.pages) - 1)))


def _with_odds(likely: Floats, odds: Floats) -> Floats:
    """Probabilities after their odds have been multiplied."""
    multiplied: Floats = likely * odds / (likely * odds + 1 - np.minimum(likely, _ALMOST))
    return multiplied


def _between(kept: Bools, headings: Bools | None = None) -> Bools:
    """Which blocks have a kept one before and behind them, and which of these headings stand right above the first.

    Every page of a manual may begin with the same heading.
    """
    between = np.zeros(len(kept), np.bool_)
    places = np.flatnonzero(kept)
    if len(places):
        first = int(places[0])
        while headings is not None and first and headings[first - 1]:
            first -= 1
        between[first : places[-1]] = True
    return between
