"""A few pages of a site in numbers, kept to learn from again when more is known about the site's texts."""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Self

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo.model.compression import zstd
from haenyeo.read.page.doubts import reconsidered
from haenyeo.read.page.judge import PageJudgement
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.texts import Bools, Floats, Keys, Numbers
from haenyeo.read.site.kinds import TextForm

MOST_PAGES = 24
MOST_BLOCKS = 5_000
MOST_PATH_CHARACTERS = 200_000
"""What a sample may hold; the oldest pages leave first."""

_LONGEST = MOST_BLOCKS // 4  # blocks of one page
_AT_HAND = 1 << 14  # bytes of paths
_MOST_WORDS = 65_535
_LEAST_TEXT = 20  # words, likely to be text, that stand above comments
_BLOCK_BYTES = 16.2
_PAGE_BYTES = 370  # of a page without its blocks
_BETWEEN_PATHS = "\n"  # stands in no path
_NUMBER = re.compile(r"\d+")


class SampledPage(msgspec.Struct, frozen=True, array_like=True):
    """The blocks of one page: which text, which path, how many words, how much linked, how likely text, what first.

    `comments` has a bit for each: does it stand where readers have written, below a text? `thread` is how likely the
    page is one of a forum, where that is the text.
    """

    keys: bytes
    where: bytes
    words: bytes
    link_share: bytes
    likely: bytes
    openings: bytes
    comments: bytes
    kind: str = ""
    thread: float = 0.0

    @property
    def blocks(self) -> int:
        """How many blocks are kept of the page."""
        return len(self.likely)

    @property
    def held(self) -> int:
        """The bytes of memory that it takes, nearly."""
        return _PAGE_BYTES + int(_BLOCK_BYTES * self.blocks)

    @property
    def form(self) -> TextForm:
        """The form of what is likely its text."""
        shares, likely = (np.frombuffer(part, np.uint8) / 255 for part in (self.link_share, self.likely))
        return TextForm.of_judged(np.frombuffer(self.words, np.uint16), shares, likely)

    def is_sound(self, paths: int) -> bool:
        """Whether every part has a value for each block, and there are as many `paths` as the blocks name."""
        sizes = (len(self.keys) / 8, len(self.where) / 2, len(self.words) / 2, len(self.link_share))
        if {*sizes, len(self.openings) / 2} != {self.blocks} or len(self.comments) != (self.blocks + 7) // 8:
            return False
        if not 0 <= self.thread <= 1:
            return False
        return int(np.frombuffer(self.where, np.uint16).max(initial=0)) < max(paths, 1)


class Sample(msgspec.Struct, frozen=True, array_like=True, dict=True):
    """Pages, and the paths that their blocks name by number, packed, for they are long and much alike."""

    pages: tuple[SampledPage, ...] = ()
    packed_paths: bytes = b""

    @classmethod
    def of(cls, pages: tuple[SampledPage, ...], paths: Iterable[str]) -> Self:
        """The sample of pages on these paths."""
        known = list(paths)
        joined = _BETWEEN_PATHS.join(known).encode("utf-8", "surrogatepass")
        sample = cls(pages, zstd.compress(joined, 1) if joined else b"")
        if len(joined) <= _AT_HAND:
            sample.__dict__["_unpacked"] = known if pages else []
        return sample

    def forget(self) -> None:
        """Take no room for what can be unpacked again."""
        self.__dict__.pop("_unpacked", None)

    @property
    def paths(self) -> list[str]:
        """The paths by number; they stay at hand while the site is learned, unless they are long."""
        known: list[str] | None = self.__dict__.get("_unpacked")
        if known is not None:
            return known
        joined = zstd.decompress(self.packed_paths) if self.packed_paths else b""
        return joined.decode("utf-8", "surrogatepass").split(_BETWEEN_PATHS) if self.pages else []

    @property
    def held(self) -> int:
        """The bytes of memory that it takes, nearly."""
        return sum([page.held for page in self.pages]) + len(self.packed_paths)

    @property
    def is_sound(self) -> bool:
        """Whether all parts have the lengths and numbers they must have; bytes that were damaged do not."""
        paths = len(self.paths)
        return all(page.is_sound(paths) for page in self.pages)

    def with_page(self, outline: PageOutline, judged: PageJudgement) -> Sample:
        """The sample with one more page that has been judged so, and without the oldest if it becomes too large.

        Of a very long page only the beginning is kept, and nothing of one whose paths alone are too much.
        """
        numbers = {path: number for number, path in enumerate(self.paths)}
        own = [numbers.setdefault(plain(path), len(numbers)) for path in outline.paths]
        page = SampledPage(
            outline.keys[:_LONGEST].tobytes(),
            np.array(own, np.uint16)[outline.where[:_LONGEST]].tobytes(),
            np.minimum(outline.weight[:_LONGEST], _MOST_WORDS).astype(np.uint16).tobytes(),
            np.rint(outline.link_share[:_LONGEST] * 255).astype(np.uint8).tobytes(),
            np.rint(judged.likely[:_LONGEST] * 255).astype(np.uint8).tobytes(),
            outline.measures.openings[:_LONGEST].tobytes(),
            np.packbits(_comments(outline, judged.likely)[:_LONGEST]).tobytes(),
            judged.kind,
            judged.thread,
        )
        paths, pages = list(numbers), (*self.pages, page)
        while len(pages) > 1 and not _fits(pages, paths):
            pages, paths = _without_unused(pages[1:], paths)
        return Sample.of(pages, paths) if _fits(pages, paths) else self

    def without_oldest(self) -> Sample:
        """The sample without the page that came first, and without the paths that only this one has."""
        return Sample.of(*_without_unused(self.pages[1:], self.paths))

    def arrays(self) -> SampleArrays:
        """The blocks of all pages together."""
        thread = math.fsum([page.thread for page in self.pages]) / max(1, len(self.pages))
        return SampleArrays(
            keys=_joined([page.keys for page in self.pages], np.uint64),
            page=np.repeat(np.arange(len(self.pages)), [page.blocks for page in self.pages]),
            where=_joined([page.where for page in self.pages], np.uint16).astype(np.intp),
            words=_joined([page.words for page in self.pages], np.uint16).astype(np.float32),
            link_share=_joined([page.link_share for page in self.pages], np.uint8).astype(np.float32) / np.float32(255),
            likely=np.concatenate([_likely(page, thread) for page in self.pages]),
            openings=_joined([page.openings for page in self.pages], np.uint16).astype(np.intp),
            comments=_bits([(page.comments, page.blocks) for page in self.pages]),
            paths=tuple(self.paths),
            pages=len(self.pages),
            thread=thread,
            kind=Counter([page.kind for page in self.pages]).most_common(1)[0][0],
        )


class SampleArrays(msgspec.Struct):
    """All blocks of a sample; `page` and `where` are the numbers of each block's page and path.

    `kind` is that of most of its pages, `thread` how likely they are threads on average.
    """

    keys: Keys
    page: Numbers
    where: Numbers
    words: Floats
    link_share: Floats
    likely: Floats
    openings: Numbers
    comments: Bools
    paths: tuple[str, ...]
    pages: int
    thread: float
    kind: str


@functools.lru_cache(maxsize=1 << 14)
def plain(path: str) -> str:
    """A path in which numbers do not count: `post-12` and `post-13` are the same part of two pages."""
    return _NUMBER.sub("0", path)


def _comments(outline: PageOutline, likely: Floats) -> Bools:
    """Which blocks are comments; none on a page that has little else, for there they are the text."""
    is_own = ~outline.at_comments
    return outline.at_comments & bool((likely * outline.weight)[is_own].sum() >= _LEAST_TEXT)


def _fits(pages: Sequence[SampledPage], paths: Sequence[str]) -> bool:
    """Whether a sample of these pages is within the bounds."""
    return (
        len(pages) <= MOST_PAGES
        and sum([page.blocks for page in pages]) <= MOST_BLOCKS
        and sum(map(len, paths)) <= MOST_PATH_CHARACTERS
    )


def _without_unused(pages: Sequence[SampledPage], paths: Sequence[str]) -> tuple[tuple[SampledPage, ...], list[str]]:
    """The pages, and only the paths on which blocks of theirs stand."""
    wheres = [np.frombuffer(page.where, np.uint16) for page in pages]
    is_used = np.zeros(len(paths), np.bool_)
    is_used[np.concatenate(wheres)] = True
    renumbered: npt.NDArray[np.uint16] = np.cumsum(is_used, dtype=np.uint16) - is_used.astype(np.uint16)
    moved = [
        msgspec.structs.replace(page, where=renumbered[where].tobytes())
        for page, where in zip(pages, wheres, strict=True)
    ]
    return tuple(moved), list(itertools.compress(paths, is_used))


def _likely(page: SampledPage, thread: float) -> Floats:
    """How likely the blocks of a page are text on a site whose pages are so likely threads."""
    likely = np.frombuffer(page.likely, np.uint8).astype(np.float32) / np.float32(255)
    return reconsidered(likely, _bits([(page.comments, page.blocks)]), page.thread, thread)


def _bits(packed: list[tuple[bytes, int]]) -> Bools:
    unpacked = [np.unpackbits(np.frombuffer(bits, np.uint8), count=count) for bits, count in packed]
    return np.concatenate(unpacked).astype(np.bool_)


def _joined(arrays: list[bytes], kind: type[np.generic]) -> npt.NDArray[Any]:
    return np.frombuffer(b"".join(arrays), kind)
