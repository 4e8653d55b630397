"""To which place does a page belong? A site, or a section of it.

A section is a directory that holds at least 20 pages but not nearly all of its site's; a page belongs to the deepest
one above it. Directories are counted as pages arrive, those met rarely are forgotten when there are too many (lossy
counting; Manku & Motwani 2002). Pages that came before their directory became a section move into it when they are next
visited.

What is learned of a place takes a *row* in several tables. The first places all get one; when there are many, only
large ones do, and small sites share row 0, small sections the row of their site.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import xxhash

from haenyeo.refresh.columns import Array, GrowingColumns

POOL = 0
_SECTION_PAGES = 20
_SECTION_SHARE = 0.8  # of the site's pages; a directory with more is as good as the site
_FREE_ROWS = 256
_LARGE_SITE = 32
_LARGE_SECTION = 64
_DEEPEST = 8
_FEW_DIRECTORIES = 1 << 14
_PAGES_A_DIRECTORY = 32  # directories counted at a time: one for so many pages

Places = npt.NDArray[np.uint32]


class Atlas:
    """All places, numbered as they were met; place 0 is nowhere, for pages without a site of their own."""

    def __init__(self) -> None:
        self._sites: dict[str, int] = {}
        self._sections: dict[int, int] = {}
        self._directories: Counter[int] = Counter()
        self._places = GrowingColumns(
            {"site": np.uint32, "met": np.uint32, "pages": np.uint32, "sections": np.uint32, "row": np.int32}
        )
        self._places.extend(1)
        self.parents: npt.NDArray[np.int32] = np.zeros(1, np.int32)

    @property
    def row_of(self) -> npt.NDArray[np.int32]:
        """The row of each place."""
        return self._places["row"]

    def met(self, places: Places) -> npt.NDArray[np.uint32]:
        """The hours at which the sites of these places were first met."""
        hours: npt.NDArray[np.uint32] = self._places["met"][self._places["site"][places]]
        return hours

    def settle(self, urls: Sequence[str], sites: Sequence[str], hour: int) -> Places:
        """The places of new pages; counts the pages, which may make directories into sections."""
        numbers = [self._site(site, hour) for site in sites]
        np.add.at(self._places["pages"], np.array(numbers, np.int64), 1)
        folders = list(zip(numbers, map(_folder, urls), strict=True))
        for (number, folder), pages in Counter(folders).items():
            for key in _directories(number, folder):
                self._directories[key] += pages
        for number in dict.fromkeys(numbers):
            self._grow(number)
        places = {each: self._deepest(*each) for each in dict.fromkeys(folders)}
        self._forget_directories()
        return np.array([places[each] for each in folders], np.uint32)

    def moved(self, places: Places, urls: Sequence[str]) -> Places:
        """The places to which known pages belong by now."""
        sites = self._places["site"][places]
        result = places.copy()
        for index in np.flatnonzero(self._places["sections"][sites]).tolist():
            result[index] = self._find(int(sites[index]), _folder(urls[index]))
        return result

    def rebase(self, hours: int) -> None:
        """Count hours from a later beginning."""
        met = self._places["met"]
        met[:] = np.maximum(met.astype(np.int64) - hours, 0)

    def state(self) -> tuple[dict[str, Array], list[str]]:
        """What is kept, by name, and the names of the sites."""
        return {
            **self._places.state(),
            "site_numbers": np.fromiter(self._sites.values(), np.int64, len(self._sites)),
            "section_keys": np.fromiter(self._sections.keys(), np.uint64, len(self._sections)),
            "section_numbers": np.fromiter(self._sections.values(), np.int64, len(self._sections)),
            "directory_keys": np.fromiter(self._directories.keys(), np.uint64, len(self._directories)),
            "directory_pages": np.fromiter(self._directories.values(), np.int64, len(self._directories)),
            "parents": self.parents,
        }, list(self._sites)

    def restore(self, arrays: Mapping[str, Array], sites: list[str]) -> None:
        """Take over what `state` gave."""
        self._places.restore(arrays)
        self._sites = dict(zip(sites, arrays["site_numbers"].tolist(), strict=True))
        self._sections = dict(zip(arrays["section_keys"].tolist(), arrays["section_numbers"].tolist(), strict=True))
        pages = dict(zip(arrays["directory_keys"].tolist(), arrays["directory_pages"].tolist(), strict=True))
        self._directories = Counter(pages)
        self.parents = arrays["parents"]

    def _site(self, site: str, hour: int) -> int:
        number = self._sites.get(site)
        if number is None:
            number = self._sites[site] = len(self._places)
            self._places.extend(1, site=number, met=hour, row=POOL)
        return number

    def _grow(self, site: int) -> None:
        """Give a site its own row as soon as it is large enough."""
        if self.row_of[site] == POOL and (len(self.parents) < _FREE_ROWS or self._places["pages"][site] >= _LARGE_SITE):
            self.row_of[site] = len(self.parents)
            self.parents = np.append(self.parents, self.row_of[site])

    def _deepest(self, site: int, folder: str) -> int:
        """The deepest section of new pages, founded if their directory has become one."""
        most = _SECTION_SHARE * int(self._places["pages"][site])
        for key in _directories(site, folder):
            section = self._sections.get(key)
            if section is None and _SECTION_PAGES <= self._directories[key] <= most:
                section = self._found(site, key)
            if section is not None:
                return section
        return site

    def _find(self, site: int, folder: str) -> int:
        found = (self._sections.get(key) for key in _directories(site, folder))
        return next((section for section in found if section is not None), site)

    def _found(self, site: int, key: int) -> int | None:
        """Make a directory a section if there is a row for it."""
        large = self._directories[key] >= _LARGE_SECTION
        row = int(self.row_of[site])
        if row == POOL or not (large or len(self.parents) < _FREE_ROWS):
            return None
        number = self._sections[key] = len(self._places)
        self._places.extend(1, site=site, row=len(self.parents))
        self._places["sections"][site] += 1
        self.parents = np.append(self.parents, np.int32(row))
        return number

    def _forget_directories(self) -> None:
        most = max(_FEW_DIRECTORIES, int(self._places["pages"].sum()) // _PAGES_A_DIRECTORY)
        if len(self._directories) > most:
            self._directories = Counter(dict(self._directories.most_common(most // 2)))


def _folder(url: str) -> str:
    """The host and directory of a page, without a slash at the end."""
    return url.partition("://")[2].partition("?")[0].rpartition("/")[0]


def _directories(site: int, folder: str) -> Iterator[int]:
    """The keys of a directory and of those above it within its site, deepest first."""
    for _ in range(_DEEPEST):
        if not folder:
            return
        yield xxhash.xxh3_64_intdigest(folder.encode("utf-8", "surrogatepass"), site)
        folder = folder.rpartition("/")[0]
