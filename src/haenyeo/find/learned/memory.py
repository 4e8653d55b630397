"""Which pages and links are known? Numbers only, in columns, so that all of them can be weighed at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import isnan
from typing import cast

import numpy as np
import numpy.typing as npt

from haenyeo.find.learned.columns import Column, Lists, Numbers
from haenyeo.find.learned.features import (
    FOLDER,
    LINK_KINDS,
    SITE,
    LinkFeatures,
    address_features,
    features_on_page,
    link_features,
)
from haenyeo.find.learned.features.mentions import Thrift, mark_doors, worth_describing
from haenyeo.find.learned.features.parts import folder_of, folders_around, mark_of
from haenyeo.find.learned.weighing import Features
from haenyeo.html.page_links import PageLinks
from haenyeo.model.pages import Link

Floats = npt.NDArray[np.float64]
Indexes = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_COLUMNS = {
    "ref": np.int64, "relevance": np.float64, "in_context": np.float64, "found_by": np.int64, "followed": np.bool_,
    "given": np.bool_, "mentions": np.int64, "site": np.int64, "folder": np.int64, "beneath": np.bool_,
    "share": np.float64, "home": np.int64, "door": np.bool_, "start": np.bool_,
    "source": np.int64, "target": np.int64, "group": np.int64, "described": np.bool_,
}  # fmt: skip
_LISTS = ("addresses", "on_pages")
_OF_LINKS = ("source", "target", "group", "described")
_OF_PAGES = tuple(name for name in _COLUMNS if name not in _OF_LINKS)
_ENOUGH_LINKS = 20_000  # from so many on, those to fetched pages, from which one learns, abound
_LITTLE_THRIFT, _GREAT_THRIFT = Thrift(), Thrift(rarely=4)
_MOST_MENTIONS = 1 << 40  # more than there can be links
NOBODY = -1


class LinkMemory:
    """The pages met so far, fetched or not, and the links between them.

    A page is known to the caller by its reference, here by its number. Of pages: `relevance` is NaN until one is
    fetched, and what it is `in_context`, by the links around it as well, is what its sources are held to; `found_by` is
    the page that linked to it first; links of a page that is not `followed` say nothing about where to go; the
    relevance of a `given` page is the user's; `mentions` counts the pages that link to it; one is `beneath` the page
    that found it if it is in its folder; `share` of its relevance counts for learning; `home` marks the folder a page
    is in, and it is a `door` to this if a page outside links to it. Of links: `group` numbers the places links stand
    at, which are those of one page with one path. The more links lead to a page the fewer further ones are `described`:
    navigation says the same on every page. The others have no features.
    """

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._columns = {name: Column(dtype) for name, dtype in _COLUMNS.items()}
        self.groups = 0
        self.addresses, self.on_pages = Lists(), Lists(LINK_KINDS)

    @property
    def pages(self) -> int:
        """How many pages are known."""
        return len(self._columns["ref"])

    @property
    def links(self) -> int:
        """How many links are known."""
        return len(self._columns["source"])

    @property
    def relevance(self) -> Floats:
        """The relevance of each page."""
        return self._columns["relevance"].values

    @property
    def in_context(self) -> Floats:
        """The same in the light of the pages around each, as far as the judge has looked at these."""
        return self._columns["in_context"].values

    def rate(self, pages: int | Indexes | slice, relevance: float | Floats) -> None:
        """Note how relevant pages are, by themselves and, until more is known, in context."""
        self.relevance[pages] = self.in_context[pages] = relevance

    @property
    def fetched(self) -> Flags:
        """Whether each page was fetched."""
        return ~np.isnan(self.relevance)

    @property
    def found_by(self) -> Indexes:
        """The page that first linked to each, `NOBODY` if none did."""
        return self._columns["found_by"].values

    @property
    def followed(self) -> Flags:
        """Whether the links of each page are followed."""
        return self._columns["followed"].values

    @property
    def given(self) -> Flags:
        """Whether the user said how relevant each page is."""
        return self._columns["given"].values

    @property
    def start(self) -> Flags:
        """Whether the crawl began with each page."""
        return self._columns["start"].values

    @property
    def source(self) -> Indexes:
        """The page each link stands on."""
        return self._columns["source"].values

    @property
    def target(self) -> Indexes:
        """The page each link leads to."""
        return self._columns["target"].values

    @property
    def group(self) -> Indexes:
        """The place each link stands at."""
        return self._columns["group"].values

    @property
    def site(self) -> Indexes:
        """The site of each page, as the place of a feature."""
        return self._columns["site"].values

    @property
    def folder(self) -> Indexes:
        """The topmost folder each page is in, or its site's top, as the place of a feature."""
        return self._columns["folder"].values

    @property
    def described(self) -> Flags:
        """Whether each link's features are known."""
        return self._columns["described"].values

    @property
    def features(self) -> Features:
        """What each link looks like."""
        return Features(self.on_pages, self.addresses, self.target)

    @property
    def columns(self) -> tuple[Indexes, Indexes, Flags, Floats, Flags]:
        """Source, group and described of links, relevance in context and followed of pages."""
        return self.source, self.group, self.described, self.in_context, self.followed

    @property
    def ref(self) -> Indexes:
        """Each page's reference."""
        return self._columns["ref"].values

    def is_fetched(self, number: int) -> bool:
        """Whether this page was fetched."""
        return not isnan(self._columns["relevance"].values[number])

    def number_of(self, ref: int) -> int | None:
        """The number of a known page."""
        return self._numbers.get(ref)

    def numbers_of(self, refs: Iterable[int] | Indexes) -> Indexes:
        """The numbers of pages, `NOBODY` for those that are not known."""
        asked = refs.tolist() if isinstance(refs, np.ndarray) else refs
        return np.array([self._numbers.get(ref, NOBODY) for ref in asked], np.int64)

    @property
    def beneath(self) -> Flags:
        """Whether each page is in the folder of the page that linked to it first, or deeper."""
        return self._columns["beneath"].values

    @property
    def share(self) -> Floats:
        """How much of each page's relevance there is to learn from: `relevance` is what is left of it."""
        return self._columns["share"].values

    def doors(self, page: int) -> int:
        """How many pages of a page's folder are linked to from outside of it, or known from the user."""
        home = self._columns["home"].values
        return int(np.count_nonzero((home == home[page]) & (self._columns["door"].values | self.given)))

    def numbers(self, refs: Sequence[int], urls: Sequence[str], found_by: int = NOBODY, at: str = "") -> list[int]:
        """The numbers of pages; those met for the first time become known, as found by a page with the address `at`."""
        known = self._numbers
        found = list(map(known.get, refs))
        if None not in found:
            return cast("list[int]", found)
        new = {ref: url for ref, url in zip(refs, urls, strict=True) if ref not in known}
        known.update({ref: number for number, ref in enumerate(new, self.pages)})
        self._add_pages(new, found_by, folder_of(at))
        return [known[ref] for ref in refs]

    def _add_pages(self, new: dict[int, str], found_by: int, folder: str) -> None:
        addresses = list(map(address_features, new.values()))
        self.addresses.extend(np.concatenate(addresses), np.array(list(accumulate(map(len, addresses)))))
        count = len(new)
        self._columns["ref"].extend(np.fromiter(new, np.int64, count))
        self._columns["relevance"].grow(count)[:] = np.nan
        self._columns["in_context"].grow(count)[:] = np.nan
        self._columns["found_by"].grow(count)[:] = found_by
        self._columns["followed"].grow(count)[:] = True
        self._columns["given"].grow(count)
        self._columns["mentions"].grow(count)
        self._columns["site"].extend([features[SITE] for features in addresses])
        self._columns["folder"].extend([features[FOLDER] for features in addresses])
        beneath = self._columns["beneath"].grow(count)
        if folder:
            beneath[:] = [url.startswith(folder) for url in new.values()]
        self._columns["share"].grow(count)[:] = 1
        self._columns["home"].extend([mark_of(folder_of(url)) for url in new.values()])
        self._columns["door"].grow(count)
        self._columns["start"].grow(count)

    def add_links(self, page: int, url: str, refs: Sequence[int], links: Sequence[Link]) -> int:
        """Add the links of a page with this address; returns the number of the first."""
        first = self.links
        targets = self.numbers(refs, urls_of(links), page, url)
        numbers = np.array(targets, np.int64)
        self._note_doors(url, numbers)
        places = self._worth_describing(numbers)
        found = _features(url, links, places)
        self.on_pages.extend(found.flat, found.ends)
        self._columns["source"].grow(len(links))[:] = page
        self._columns["target"].extend(numbers)
        self._columns["described"].grow(len(links))[places] = True
        self._columns["group"].extend(found.group + self.groups)
        self.groups += found.groups
        return first

    def _note_doors(self, url: str, targets: Indexes) -> None:
        """Mark the pages among these that a page outside of their folder, with this address, links to."""
        around = np.array([mark_of(folder) for folder in folders_around(url)], np.int64)
        mark_doors(targets, self._columns["home"].values, around, self._columns["door"].values)

    def _worth_describing(self, targets: Indexes) -> Indexes:
        thrift = _GREAT_THRIFT if self.links > _ENOUGH_LINKS else _LITTLE_THRIFT
        return worth_describing(targets, self._columns["mentions"].values, self.relevance, thrift)

    def keep(self, pages: Flags, most_links: int) -> Indexes:
        """Forget all pages but these, and the links to others; a kept page's new number, `NOBODY` for the others.

        Of too many links those that say what waits is worth are kept before others, new ones before old ones. The pages
        that kept links stand on are kept as well.
        """
        links = self._newest_links(pages, most_links)
        pages = pages.copy()
        pages[self.source[links]] = True
        kept = np.flatnonzero(pages)
        number = np.full(self.pages, NOBODY)
        number[kept] = np.arange(len(kept))
        self.addresses.keep(kept)
        self.on_pages.keep(links)
        for names, rows in ((_OF_PAGES, kept), (_OF_LINKS, links)):
            for name in names:
                self._columns[name].replace(self._columns[name].values[rows])
        self._renumber(number)
        return number

    def _newest_links(self, pages: Flags, most: int) -> Indexes:
        links = np.flatnonzero(pages[self.target])
        if len(links) <= most:
            return links
        telling = self.described[links] & ~self.fetched[self.target[links]]
        newest: Indexes = links[telling.argsort(kind="stable")[-most:]]
        newest.sort()
        return newest

    def _renumber(self, number: Indexes) -> None:
        finder = self.found_by
        finder[:] = np.where(finder >= 0, number[finder], NOBODY)
        for name in ("source", "target"):
            column = self._columns[name].values
            column[:] = number[column]
        used = np.zeros(self.groups, np.bool_)
        used[self.group] = True
        self.group[:] = (np.cumsum(used) - 1)[self.group]
        self.groups = int(np.count_nonzero(used))
        self._columns["mentions"].values[:] = np.bincount(self.target[self.described], minlength=self.pages)
        self._numbers = {ref: at for at, ref in enumerate(self.ref.tolist())}

    def state(self) -> dict[str, Numbers]:
        """What `restore` needs."""
        state = {name: column.values for name, column in self._columns.items()}
        for name in _LISTS:
            state |= {f"{name}.{part}": values for part, values in getattr(self, name).state().items()}
        return state

    def restore(self, state: dict[str, Numbers]) -> None:
        """Become what another one was when it gave its state."""
        for name, column in self._columns.items():
            column.replace(state[name])
        for name in _LISTS:
            getattr(self, name).restore({part: state[f"{name}.{part}"] for part in ("flat", "lengths")})
        self._check()
        self._numbers = {ref: at for at, ref in enumerate(self.ref.tolist())}
        self.groups = int(self.group.max(initial=-1)) + 1

    def _check(self) -> None:
        """Raise `ValueError` unless all columns are as long as they must be and lead to pages that there are."""
        lengths = {name: len(column) for name, column in self._columns.items()}
        lengths |= {"addresses": len(self.addresses), "on_pages": len(self.on_pages)}
        of_links = {*_OF_LINKS, "on_pages"}
        wrong = [name for name, rows in lengths.items() if rows != (self.links if name in of_links else self.pages)]
        bounds = {"source": (0, self.pages), "target": (0, self.pages), "found_by": (NOBODY, self.pages)}
        bounds |= {"group": (0, max(self.links, 1)), "mentions": (0, _MOST_MENTIONS)}
        for name, (least, end) in bounds.items():
            values = self._columns[name].values
            if len(values) and not least <= int(values.min()) <= int(values.max()) < end:
                wrong.append(name)
        if wrong:
            raise ValueError(f"columns of links and pages do not fit together: {', '.join(wrong)}")


def urls_of(links: Sequence[Link]) -> Sequence[str]:
    """Where links lead, without describing them if that can be."""
    return links.urls if isinstance(links, PageLinks) else [link.url for link in links]


def _features(url: str, links: Sequence[Link], places: Indexes) -> LinkFeatures:
    """The features of the links at these places of a page; the others have none."""
    if isinstance(links, PageLinks):
        return features_on_page(url, links, places)
    some = set(places.tolist())
    described = [link if place in some else None for place, link in enumerate(links)]
    return link_features(url, described, [link.path for link in links])
