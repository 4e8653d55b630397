"""Which pages belong together by links? Those that a list names side by side, and those that lead to the same pages.

A list is what links at one place of a page lead to. The shorter it is the more those it names have in common: a
chapter's contents say more than a whole site's. So with pages that are led to: the fewer lead to one, the more these
have in common; each counts as leading to itself, so that what links to a page is like it. Co-citation is due to
H. Small (1973), bibliographic coupling to M. Kessler (1963).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from haenyeo import native
from haenyeo.find.learned.columns import Numbers
from haenyeo.find.learned.memory import Floats, Indexes
from haenyeo.html.page_links import PageLinks
from haenyeo.model.pages import Link
from haenyeo.model.parts import LinkedPage

COMPILED = native.load("features")

Marks = npt.NDArray[np.uint32]
Lists = npt.NDArray[np.uint16]

MOST_LINKS = 500
"""Links of a page that are looked at."""

MARK = (1 << 32) - 1
"""Of a page's key: two pages in a hundred thousand share their mark by chance."""

NO_LISTS = np.zeros(0, np.uint16)
"""The numbers of lists that a page does not have."""

_PLACE_BITS = 16
_INSIDE = ">"  # between the parts of a path
_ENOUGH = 20.0  # pages alike in every way, to which a few others that are hardly alike add up before they count fully
_TINY = 1e-9
_SOMETHING = 1e-3  # less is shared only by rounding
_ORDERS = 4  # in which pages are looked at to find things that the same pages have
_LINKS_AN_ENTRY = 1.2  # at most: where more stand together they stand in running text


class PageLinking(NamedTuple):
    """Where a page leads: the marks of pages, and the number of the list each stands in, counted from 0.

    `offers` are the numbers of lists with a link an entry, if the crawl began with the page: the user chose it for
    these. Of contents with chapters and sections each chapter's sections are a list there.
    """

    targets: Marks
    lists: Lists
    offers: Lists = NO_LISTS

    @classmethod
    def of(cls, page: LinkedPage) -> PageLinking:
        """The links of a page; one that stands in a list twice counts once."""
        links = page.links
        if COMPILED is None or page.depth == 0 or not isinstance(links, PageLinks):
            return cls.of_in_python(page)
        blocks, outlinks = links.blocks, links.outlinks
        marks, lists = COMPILED.page_linking(blocks, outlinks, list(page.targets), MOST_LINKS)
        return cls(np.frombuffer(marks, np.uint32), np.frombuffer(lists, np.uint16))

    @classmethod
    def of_in_python(cls, page: LinkedPage) -> PageLinking:
        """The same without compiled code, and where the crawl began."""
        links = page.links
        paths = (links.paths if isinstance(links, PageLinks) else [link.path for link in links])[:MOST_LINKS]
        each, offers = _numbered(paths), NO_LISTS
        if page.depth == 0:
            each, offers = _in_parts(links, paths, each)
        places = np.array(each, np.int64)
        marks = np.array(page.targets[: len(paths)], np.int64) & MARK
        pairs = dict.fromkeys((marks << _PLACE_BITS | places[: len(marks)]).tolist())
        both = np.fromiter(pairs, np.int64, len(pairs))
        return cls((both >> _PLACE_BITS).astype(np.uint32), both.astype(np.uint16), offers)

    def named_in(self, offer: int) -> set[int]:
        """The marks of the pages that a list names."""
        return set(self.targets[self.lists == offer].tolist())


NOWHERE = PageLinking(np.zeros(0, np.uint32), NO_LISTS)


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
        return self.mean_around(values, _ENOUGH)

    def mean_around(self, values: Floats, enough: float = _TINY) -> Floats:
        """The same, drawn to 0 as if there were as much that is 0 as `enough` says; 0 where there is nothing."""
        alone = np.bincount(self.rows, self.weights.astype(np.float64) ** 2, self.pages)
        nearby = (self._times(np.ones(self.pages)) - alone).clip(0)
        found: Floats = (self._times(values) - alone * values) / (nearby + enough)
        return np.where(nearby > _SOMETHING, found, 0.0)

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

    def without_copies(self) -> Shared:
        """The same where things that the same pages have count together as the root of their number.

        Eighty links of a menu are not eighty things that the pages of a site have in common.
        """
        if not len(self.rows):
            return self
        less: Floats = self.weights / np.sqrt(np.sqrt(self._copies()[self.columns]))
        alone = (1 - np.bincount(self.rows, self.weights.astype(np.float64) ** 2, self.pages)).clip(0)
        lengths = np.sqrt(np.bincount(self.rows, less * less, self.pages) + alone) + _TINY
        return self._replace(weights=(less / lengths[self.rows]).astype(np.float32))

    def _copies(self) -> Floats:
        """For each thing how many there are that the same pages have, itself among them, by how much they are the same.

        As often as the first page of both is the same, in any order of the pages, they are the same (A. Broder, "On the
        resemblance and containment of documents", 1997).
        """
        order = np.argsort(self.columns, kind="stable")
        rows, columns = self.rows[order], self.columns[order]
        starts = np.flatnonzero(_changes(columns))
        found = np.zeros(self.things)
        for number in range(_ORDERS):
            place = np.random.default_rng(number).permutation(self.pages)
            firsts = np.minimum.reduceat(place[rows], starts)
            found[columns[starts]] += np.bincount(firsts, minlength=self.pages)[firsts] / _ORDERS
        return found.clip(1)

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
        marks = np.array([key & MARK for key in keys], np.uint32)
        sizes = np.array([len(page.targets) for page in links], np.int64)
        rows = np.repeat(np.arange(len(keys)), sizes)
        targets = np.concatenate([np.zeros(0, np.uint32), *(page.targets for page in links)])
        lists = np.concatenate([np.zeros(0, np.uint16), *(page.lists for page in links)]).astype(np.int64)
        counts = _highest(lists, sizes) + 1
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

    def without_copies(self) -> Linkage:
        """The same where menus and lists that stand on many pages count less."""
        return Linkage(self.leading.without_copies(), self.listed.without_copies())

    def likeness(self, others: Linkage) -> Floats:
        """How much each page shares with each of the others, 0 to 2; these are of the same pages."""
        return self.leading.likeness(others.leading) + self.listed.likeness(others.listed)


def _numbered(paths: Sequence[str]) -> list[int]:
    """For each path its number, in the order in which they first occur."""
    number = {path: number for number, path in enumerate(dict.fromkeys(paths))}
    return [number[path] for path in paths]


def _with_a_link_an_entry(links: Sequence[Link], places: Sequence[int]) -> list[int]:
    """The lists, of those that links stand in, whose entries have a link each; an entry is a block of the page."""
    if not isinstance(links, PageLinks):
        return sorted(set(places))
    entries = {(place, link.block) for place, link in zip(places, links.outlinks, strict=False) if link.block >= 0}
    counts, of_entries = Counter(places), Counter(place for place, _ in entries)
    return [place for place, count in of_entries.items() if counts[place] <= _LINKS_AN_ENTRY * count]


def _in_parts(links: Sequence[Link], paths: Sequence[str], places: Sequence[int]) -> tuple[list[int], Lists]:
    """The number of the list each link stands in, lists parted as a reader sees them, and the numbers of these.

    A list whose entries have a link each ends where an entry of one comes that is less deep, as sections do with the
    next chapter.
    """
    listed, depths = set(_with_a_link_an_entry(links, places)), [path.count(_INSIDE) for path in dict.fromkeys(paths)]
    current, found, parts = dict[int, int](), list[int](), list[int]()
    for place in places:
        if place in listed:
            current = {
                other: at for other, at in current.items() if other not in listed or depths[other] <= depths[place]
            }
        if place not in current:
            current[place] = max(found, default=-1) + 1
            parts += [current[place]] if place in listed else []
        found.append(current[place])
    return found, np.array(parts, np.uint16)


def _leading(marks: Marks, rows: Indexes, targets: Marks) -> Shared:
    """Where pages lead, each to itself as well."""
    pages = len(marks)
    pairs = np.concatenate([rows << 32 | targets, np.arange(pages) << 32 | marks])
    pairs.sort()
    pairs = pairs[_changes(pairs)]
    columns, counts = _numbered_marks(pairs & MARK)
    return Shared.weighed(pairs >> 32, columns, _rarity(counts, pages)[columns], pages)


def _highest(values: Indexes, sizes: Indexes) -> Indexes:
    """The highest value of each stretch of so many, 0 for those that are empty."""
    found = np.zeros(len(sizes), np.int64)
    some = sizes > 0
    if some.any():
        found[some] = np.maximum.reduceat(values, (sizes.cumsum() - sizes)[some])
    return found


def _changes(ordered: Numbers) -> npt.NDArray[np.bool_]:
    """Whether each value differs from the one before it."""
    found = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=found[1:])
    return found


def _numbered_marks(marks: Indexes) -> tuple[Indexes, Indexes]:
    """For each mark its place among the different ones in order, and how often each of these occurs.

    Marks are sorted together with their places, as single numbers: in half the time that finding an order takes.
    """
    both = marks.astype(np.uint64) << np.uint64(32) | np.arange(len(marks), dtype=np.uint64)
    both.sort()
    numbers = np.cumsum(_changes(both >> np.uint64(32))) - 1
    found = np.empty(len(marks), np.int64)
    found[(both & np.uint64(MARK)).astype(np.int64)] = numbers
    return found, np.bincount(numbers)


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
