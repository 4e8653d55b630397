"""Which pages belong together by links? Those that a list names side by side, and those that lead to the same pages.

A list is what links at one place of a page lead to. The shorter it is the more those it names have in common: a
chapter's contents say more than a whole site's. So with pages that are led to: the fewer lead to one, the more these
have in common; each counts as leading to itself, so that what links to a page is like it. Co-citation is due to
H. Small (1973), bibliographic coupling to M. Kessler (1963).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from haenyeo.find.learned.columns import Numbers
from haenyeo.find.learned.memory import Floats, Indexes
from haenyeo.html.page_links import PageLinks
from haenyeo.model.parts import LinkedPage

Marks = npt.NDArray[np.uint32]

MOST_LINKS = 500
"""Links of a page that are looked at."""

_MARK = (1 << 32) - 1  # of a page's key: two pages in a hundred thousand share their mark by chance
_PLACE_BITS = 16
_ENOUGH = 20.0  # pages alike in every way, to which a few others that are hardly alike add up before they count fully
_TINY = 1e-9


class PageLinking(NamedTuple):
    """Where a page leads: the marks of pages, and the number of the list each stands in, counted from 0."""

    targets: Marks
    lists: npt.NDArray[np.uint16]

    @classmethod
    def of(cls, page: LinkedPage) -> PageLinking:
        """The links of a page; one that stands in a list twice counts once."""
        links = page.links
        paths = (links.paths if isinstance(links, PageLinks) else [link.path for link in links])[:MOST_LINKS]
        number = {path: number for number, path in enumerate(dict.fromkeys(paths))}
        places = np.array([number[path] for path in paths], np.int64)
        marks = np.array(page.targets[: len(paths)], np.int64) & _MARK
        pairs = dict.fromkeys((marks << _PLACE_BITS | places[: len(marks)]).tolist())
        both = np.fromiter(pairs, np.int64, len(pairs))
        return cls((both >> _PLACE_BITS).astype(np.uint32), both.astype(np.uint16))


NOWHERE = PageLinking(np.zeros(0, np.uint32), np.zeros(0, np.uint16))


class Shared(NamedTuple):
    """What pages share with others: a row, a column and a weight for each thing a page has, rows of length 1."""

    rows: Numbers
    columns: Numbers
    weights: Numbers
    pages: int
    things: int

    @classmethod
    def weighed(cls, rows: Indexes, columns: Indexes, weights: Floats, pages: int) -> Shared:
        """Rows of these weights drawn to length 1; what only one page has is left out then."""
        lengths = np.sqrt(np.bincount(rows, weights * weights, pages)) + _TINY
        things = int(columns.max(initial=-1)) + 1
        several = np.bincount(columns, minlength=things)[columns] > 1
        kept = rows[several]
        drawn = (weights[several] / lengths[kept]).astype(np.float32)
        return cls(kept.astype(np.int32), columns[several].astype(np.int32), drawn, pages, things)

    def around(self, values: Floats) -> Floats:
        """The mean of values over the pages each shares something with, drawn to 0 where these are few."""
        alone = np.bincount(self.rows, self.weights.astype(np.float64) ** 2, self.pages)
        nearby = self._times(np.ones(self.pages)) - alone
        found: Floats = (self._times(values) - alone * values) / (nearby.clip(0) + _ENOUGH)
        return found

    def at(self, rows: Indexes) -> Shared:
        """Some of the pages."""
        place = np.full(self.pages, -1)
        place[rows] = np.arange(len(rows))
        inside = place[self.rows] >= 0
        return Shared(place[self.rows[inside]], self.columns[inside], self.weights[inside], len(rows), self.things)

    def likeness(self, others: Shared) -> Floats:
        """How much each page shares with each of the others, 0 to 1; these are of the same pages."""
        found = np.zeros((self.pages, others.pages))
        for page in range(others.pages if len(self.rows) else 0):
            mine = others.rows == page
            has = np.zeros(self.things)
            has[others.columns[mine]] = others.weights[mine]
            found[:, page] = np.bincount(self.rows, self.weights * has[self.columns], self.pages)
        return found

    def _times(self, values: Floats) -> Floats:
        """The product with the values of the pages and with these rows again."""
        of_things = np.bincount(self.columns, self.weights * values[self.rows], self.things)
        return np.bincount(self.rows, self.weights * of_things[self.columns], self.pages).astype(np.float64, copy=False)


class Linkage(NamedTuple):
    """What pages share: pages that they lead to, and lists that name them."""

    leading: Shared
    listed: Shared

    @classmethod
    def of(cls, keys: Sequence[int], links: Sequence[PageLinking]) -> Linkage:
        """The pages with these keys and links."""
        marks = np.array([key & _MARK for key in keys], np.uint32)
        rows = np.repeat(np.arange(len(keys)), [len(page.targets) for page in links])
        targets = np.concatenate([np.zeros(0, np.uint32), *(page.targets for page in links)])
        counts = np.array([int(page.lists.max(initial=0)) + 1 for page in links], np.int64)
        lists = np.concatenate([np.zeros(0, np.uint16), *(page.lists for page in links)]).astype(np.int64)
        lists += (counts.cumsum() - counts)[rows]
        return cls(_leading(marks, rows, targets), _listed(marks, targets, lists))

    @classmethod
    def unknown(cls, pages: int) -> Linkage:
        """Pages of whose links nothing is known."""
        none = np.zeros(0, np.int32)
        nothing = Shared(none, none, np.zeros(0, np.float32), pages, 0)
        return cls(nothing, nothing)

    def at(self, rows: Indexes) -> Linkage:
        """Some of the pages."""
        return Linkage(self.leading.at(rows), self.listed.at(rows))

    def likeness(self, others: Linkage) -> Floats:
        """How much each page shares with each of the others, 0 to 2; these are of the same pages."""
        return self.leading.likeness(others.leading) + self.listed.likeness(others.listed)


def _leading(marks: Marks, rows: Indexes, targets: Marks) -> Shared:
    """Where pages lead, each to itself as well."""
    pages = len(marks)
    pairs = np.concatenate([rows << 32 | targets, np.arange(pages) << 32 | marks])
    pairs = np.unique(pairs)
    _, columns, counts = np.unique(pairs & _MARK, return_inverse=True, return_counts=True)
    return Shared.weighed(pairs >> 32, columns, _rarity(counts, pages)[columns], pages)


def _listed(marks: Marks, targets: Marks, lists: Indexes) -> Shared:
    """The lists that pages are named in."""
    pages = len(marks)
    order = np.argsort(marks, kind="stable")
    at = np.searchsorted(marks[order], targets).clip(0, max(pages - 1, 0))
    known = marks[order][at] == targets if pages else np.zeros(0, np.bool_)
    rarity = _rarity(np.bincount(lists, minlength=int(lists.max(initial=-1)) + 1), pages)
    return Shared.weighed(order[at[known]], lists[known], rarity[lists[known]], pages)


def _rarity(counts: Indexes, pages: int) -> Floats:
    found: Floats = np.log((pages + 1) / (counts + 0.5)).clip(0)
    return found
