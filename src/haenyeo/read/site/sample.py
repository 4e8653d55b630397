"""A few pages of a site in numbers, kept to learn from again when more is known about the site's texts."""

from __future__ import annotations

import functools
import re
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.read.page.outline import Outline
from haenyeo.read.page.texts import Floats, Keys, Numbers

MOST_PAGES = 24
MOST_BLOCKS = 5_000
MOST_PATH_CHARACTERS = 30_000
"""What a sample may hold; the oldest pages leave first."""

_LONGEST = MOST_BLOCKS // 4  # blocks of one page
_MOST_WORDS = 65_535
_NUMBER = re.compile(r"\d+")


class SampledPage(msgspec.Struct, frozen=True, array_like=True):
    """The blocks of one page: which text, which path, how many words, how much linked, how likely text, what first."""

    keys: bytes
    where: bytes
    words: bytes
    link_share: bytes
    likely: bytes
    openings: bytes

    @property
    def blocks(self) -> int:
        """How many blocks are kept of the page."""
        return len(self.likely)


class Sample(msgspec.Struct, frozen=True, array_like=True):
    """Pages, and the paths that their blocks name by number."""

    pages: tuple[SampledPage, ...] = ()
    paths: tuple[str, ...] = ()

    def with_page(self, outline: Outline, likely: Floats) -> Sample:
        """The sample with one more page that has been judged, and without the oldest if it becomes too large.

        Of a very long page only the beginning is kept, and nothing of one whose paths alone are too much.
        """
        numbers = {path: number for number, path in enumerate(self.paths)}
        own = [numbers.setdefault(plain(path), len(numbers)) for path in outline.paths]
        page = SampledPage(
            outline.keys[:_LONGEST].tobytes(),
            np.array(own, np.uint16)[outline.where[:_LONGEST]].tobytes(),
            np.minimum(outline.weight[:_LONGEST], _MOST_WORDS).astype(np.uint16).tobytes(),
            np.rint(outline.link_share[:_LONGEST] * 255).astype(np.uint8).tobytes(),
            np.rint(likely[:_LONGEST] * 255).astype(np.uint8).tobytes(),
            outline.measures.openings[:_LONGEST].tobytes(),
        )
        sample = Sample((*self.pages, page), tuple(numbers))
        while len(sample.pages) > 1 and not sample.fits:
            sample = Sample(sample.pages[1:], sample.paths).without_unused_paths()
        return sample if sample.fits else self

    @property
    def fits(self) -> bool:
        """Is it within the bounds?"""
        return (
            len(self.pages) <= MOST_PAGES
            and sum(page.blocks for page in self.pages) <= MOST_BLOCKS
            and sum(map(len, self.paths)) <= MOST_PATH_CHARACTERS
        )

    def arrays(self) -> SampleArrays:
        """The blocks of all pages together."""
        return SampleArrays(
            keys=_joined([page.keys for page in self.pages], np.uint64),
            page=np.repeat(np.arange(len(self.pages)), [page.blocks for page in self.pages]),
            where=_joined([page.where for page in self.pages], np.uint16).astype(np.intp),
            words=_joined([page.words for page in self.pages], np.uint16).astype(np.float32),
            link_share=_joined([page.link_share for page in self.pages], np.uint8).astype(np.float32) / np.float32(255),
            likely=_joined([page.likely for page in self.pages], np.uint8).astype(np.float32) / np.float32(255),
            openings=_joined([page.openings for page in self.pages], np.uint16).astype(np.intp),
            paths=self.paths,
            pages=len(self.pages),
        )

    def without_unused_paths(self) -> Sample:
        """The sample without the paths on which none of its blocks stands."""
        wheres = [np.frombuffer(page.where, np.uint16) for page in self.pages]
        used = np.unique(np.concatenate(wheres))
        renumbered = np.zeros(len(self.paths), np.uint16)
        renumbered[used] = np.arange(len(used))
        pages = tuple(
            msgspec.structs.replace(page, where=renumbered[where].tobytes())
            for page, where in zip(self.pages, wheres, strict=True)
        )
        return Sample(pages, tuple(self.paths[number] for number in used))


class SampleArrays(msgspec.Struct):
    """All blocks of a sample; `page` and `where` are the numbers of each block's page and path."""

    keys: Keys
    page: Numbers
    where: Numbers
    words: Floats
    link_share: Floats
    likely: Floats
    openings: Numbers
    paths: tuple[str, ...]
    pages: int


@functools.lru_cache(maxsize=1 << 14)
def plain(path: str) -> str:
    """A path in which numbers do not count: `post-12` and `post-13` are the same part of two pages."""
    return _NUMBER.sub("0", path)


def _joined(arrays: list[bytes], kind: type[np.generic]) -> npt.NDArray[Any]:
    return np.frombuffer(b"".join(arrays), kind)
