"""Reads the pages of one site with what they have taught so far.

A reader begins knowing nothing, and then reads a page as it would any single page. With every page it learns it trusts
the site's own habits more: which texts are the template's, at which places new text stands, and in which container.
What it remembers has a bound and can be written as bytes.
"""

from __future__ import annotations

import functools
import math
import zlib
from collections.abc import Collection, Sequence

import msgspec
import numpy as np
from xxhash import xxh3_64_intdigest

from haenyeo.model.compression import zstd
from haenyeo.model.pages import Block
from haenyeo.read.page.judge import JudgedPage
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.signposts import signposts
from haenyeo.read.page.texts import Floats, Keys, Numbers, text_key
from haenyeo.read.site.kinds import SiteKinds, TextForm
from haenyeo.read.site.lessons import Lessons, learn_lessons
from haenyeo.read.site.menus import MANY_WORDS, are_links, has_long_run, is_mostly_links, menus
from haenyeo.read.site.reading import FEW_PAGES, SiteReading, needs_judge, read_alone, read_outline
from haenyeo.read.site.rows import row_labels
from haenyeo.read.site.sample import MOST_PAGES, Sample
from haenyeo.read.site.sketch import ROWS, WIDTH, TextSketch
from haenyeo.read.site.skim import MOST_SPOT_BYTES, Skimmer
from haenyeo.read.title import names_beside_headings, title_parts

VERSION = 6
"""Of what `to_bytes` writes."""

_MOST_TAUGHT = 100_000  # bytes of the sample and its lessons
_MOST_HELD = 120_000  # bytes, nearly, of a first page that is held until there is a second
_LETTER_BYTES, _BLOCK_BYTES = 2, 200
_SOME_PAGES = 3  # whose titles have a part in common that is no part of any one's own
_SAME_PAGE = 0.95  # of a page's words: what must be known for it to be a page met before
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


class _Written(msgspec.Struct, array_like=True):
    version: int
    learned: int
    pages: float
    texts: float
    cells: bytes
    sample: Sample

    @property
    def is_sound(self) -> bool:
        """Whether all parts have the lengths and numbers they must have; bytes that were damaged do not."""
        counts = self.learned >= 0 and 0 <= self.pages < math.inf and 0 <= self.texts < math.inf
        return counts and len(self.cells) == ROWS * WIDTH and self.sample.is_sound


class SiteReader:
    """Learns a site page by page, and says of each page's blocks which are its text.

    The first `judged` pages it learns, and of the later ones the fewer the greater `growth` is, are shown to the judge
    of single pages, which is the dearest part of learning.

    >>> reader = SiteReader()
    >>> reader.pages
    0
    """

    def __init__(self, *, judged: int = MOST_PAGES, growth: float = 1 / 16) -> None:
        self.judged, self.growth = judged, growth
        self._sketch = TextSketch()
        self._folded = b""
        self._lessons = Lessons()
        self._learned = 0
        self._kinds = SiteKinds()
        self._first: JudgedPage | None = None  # is learned when there is a second, for alone it teaches nothing
        self.skimmer: Skimmer | None = None
        self._sample_due, self._lessons_due = 1, 2  # a page alone teaches nothing that its judge does not know

    @property
    def pages(self) -> int:
        """How many different pages have been learned."""
        return self._learned

    @property
    def first(self) -> JudgedPage | None:
        """The only page met so far, if it has not been learned yet: then there is nothing else to remember."""
        return self._first

    def kind_of(self, blocks: Sequence[Block], kept: list[int]) -> str:
        """The kind of a page that was not judged, whose text are these of its blocks; empty if no page ever was."""
        return self._kinds.likeliest(TextForm.of(blocks, kept))

    @property
    def containers(self) -> tuple[str, ...]:
        """The paths to the elements that hold the site's texts, by template, as far as they are known."""
        return self._lessons.containers

    @property
    def held(self) -> int:
        """The bytes of memory that all it remembers takes, nearly; with what it skims with when it knows enough."""
        first = _size(self._first.outline) if self._first else 0
        skimmer = MOST_SPOT_BYTES if self.skimmer else 0
        return self._sketch.cells.nbytes + self._sample.held + self._lessons.held + skimmer + first

    @functools.cached_property
    def _sample(self) -> Sample:
        """Some pages to learn from again; few visits need them, so they stay folded the longest."""
        folded, self._folded = self._folded, b""
        return msgspec.msgpack.decode(zstd.decompress(folded), type=Sample) if folded else Sample()

    def fold(self) -> int:
        """Take as little room as will do until it is asked again; returns how many bytes that are, nearly."""
        if "_sample" in self.__dict__:
            self._folded = zstd.compress(msgspec.msgpack.encode(self._sample), 1)
            del self._sample
        if self.skimmer:
            self.skimmer.forget()
        self._lessons.forget()
        first = _size(self._first.outline) if self._first else 0
        return self._sketch.fold() + len(self._folded) + self._lessons.held + first

    def learn(self, page: JudgedPage) -> bool:
        """Learn from a page; returns False for a near-duplicate of an earlier page, which teaches nothing."""
        self._learn_first()
        if self._has_met(page.outline):
            return False
        self._learned += 1
        if self._learned == 1 and not page.is_judged and _size(page.outline) <= _MOST_HELD:
            self._first = page
        else:
            self._take_in(page)
        return True

    def _learn_first(self) -> None:
        first, self._first = self._first, None
        if first is not None:
            self._take_in(first)

    def _take_in(self, page: JudgedPage) -> None:
        parts = _part_keys(title_parts(page.title))
        self._sketch.add(np.concatenate([page.outline.keys, parts]) if len(parts) else page.outline.keys)
        if self._learned >= self._sample_due:
            self._sample = self._sample.with_page(page.outline, page.judgement)
            outline = page.outline
            self._kinds.note(TextForm.of_judged(outline.weight, outline.link_share, page.likely), page.kind)
            self._sample_due = self._learned + 1 + int(max(0, self._learned - self.judged) * self.growth)

    def read(self, page: JudgedPage) -> SiteReading:
        """Which blocks of a page are text; best called after the page itself has been learned."""
        self._review()
        if self._learned <= 1:
            return read_alone(page.outline, page.likely)
        counts = self._sketch.count(page.outline.keys)
        is_asked = needs_judge(page.outline, self._lessons, counts)
        judged = page.likely_among(self._lessons.thread) if is_asked else None
        reading = read_outline(page.outline, judged, self._lessons, counts)
        reading.names = self.names_in(page.title, page.outline.blocks)
        return reading

    def names_in(self, title: str, blocks: Sequence[Block]) -> frozenset[str]:
        """The parts of a page's title element that most pages of the site have: the site's name, as a rule.

        Where there are none, those that some pages have, if the rest is a heading: the name of one of many manuals.
        """
        parts = sorted(title_parts(title)) if self._learned > 1 else []
        if not parts:
            return frozenset()
        counts = dict(zip(parts, self._sketch.count(_part_keys(parts)).tolist(), strict=True))
        names = frozenset(part for part, count in counts.items() if count > self._half)
        some = [part for part, count in counts.items() if count >= _SOME_PAGES] if not names else []
        own = {part for part, count in counts.items() if count <= 1} if some else set()
        return names_beside_headings(title, some, own, blocks) if own else names

    @property
    def _half(self) -> float:
        return max(1.0, self._sketch.pages / 2)

    def skim(self, blocks: tuple[Block, ...]) -> list[int] | None:
        """The numbers of the blocks that are text, found quickly; None if the page must be read in full.

        That is so too if they are mostly links: these may be a menu that is met for the first time.
        """
        self._review()
        kept = self.skimmer.kept(blocks) if self.skimmer else None
        if kept is None:
            return None
        kept = _with_labels(blocks, self._without_menus(blocks, _without_signposts(blocks, kept)))
        return None if _are_mostly_links(blocks, kept) else kept

    def skim_any(self, blocks: tuple[Block, ...]) -> list[int]:
        """The same as `skim`; for a page of no known template, the numbers of the blocks that are not repeated."""
        self._review()
        kept = self.skimmer.kept_or_own(blocks) if self.skimmer else list(range(len(blocks)))
        return _with_labels(blocks, self._without_menus(blocks, _without_signposts(blocks, kept)))

    def _without_menus(self, blocks: Sequence[Block], kept: list[int]) -> list[int]:
        if not has_long_run(blocks, kept):
            return kept
        is_link = are_links(map(blocks.__getitem__, kept))

        def counts(places: Numbers) -> Floats:
            texts = [blocks[kept[place]].text for place in places.tolist()]
            return self._sketch.count(np.array([text_key(text) for text in texts], np.uint64))

        words = np.array([len(blocks[number].text.split(None, MANY_WORDS)) for number in kept])
        menu = menus(np.array(is_link, np.bool_), words, counts)
        return [number for number, is_menu in zip(kept, menu.tolist(), strict=True) if not is_menu]

    def to_bytes(self) -> bytes:
        """All that has been learned."""
        self._learn_first()
        sketch = self._sketch
        written = _Written(VERSION, self._learned, sketch.pages, sketch.texts, sketch.to_bytes(), self._sample)
        return zstd.compress(msgspec.msgpack.encode(written), 1)

    @classmethod
    def from_bytes(cls, data: bytes, *, judged: int = MOST_PAGES, growth: float = 1 / 16) -> SiteReader:
        """A reader with the state that `to_bytes` gave; a new one if the bytes are damaged or of another version."""
        reader = cls(judged=judged, growth=growth)
        written = _written(data)
        if written is not None:
            reader._learned = reader._sample_due = written.learned
            reader._sketch = TextSketch.from_bytes(written.cells, written.pages, written.texts)
            reader._sample = written.sample
            for page in written.sample.pages:
                reader._kinds.note(page.form, page.kind)
            written.sample.forget()
        return reader

    def _has_met(self, outline: PageOutline) -> bool:
        total = float(outline.weight.sum())
        if not self._learned or not total:
            return not total
        known = self._sketch.count(outline.keys) > 0
        return float(outline.weight[known].sum()) >= _SAME_PAGE * total

    def _review(self) -> None:
        """Compute the lessons of the sample again if enough pages have been learned since."""
        if self._learned >= self._lessons_due:
            self._lessons = self._drawn()
            while len(self._sample.pages) > 1 and self._sample.held + self._lessons.held > _MOST_TAUGHT:
                self._sample = self._sample.without_oldest()
                self._lessons = self._drawn()
            self._sample.forget()
            self._lessons_due = self._learned + 1 + self._learned // 2
            knows_enough = self._lessons.pages >= FEW_PAGES and self._lessons.containers
            self.skimmer = Skimmer(self._lessons, self._sketch) if knows_enough else None

    def _drawn(self) -> Lessons:
        if not self._sample.pages:  # none was short enough
            return Lessons()
        sample = self._sample.arrays()
        return learn_lessons(sample, self._sketch.count(sample.keys), self._sketch.pages)


def _are_mostly_links(blocks: Sequence[Block], kept: list[int]) -> bool:
    if not has_long_run(blocks, kept):
        return False
    is_link = np.array(are_links(map(blocks.__getitem__, kept)), np.bool_)
    return is_mostly_links(is_link, np.array([len(blocks[number].text) for number in kept]))


def _without_signposts(blocks: Sequence[Block], kept: list[int]) -> list[int]:
    shown = set(signposts(blocks))
    return [number for number in kept if number not in shown] if shown else kept


def _with_labels(blocks: Sequence[Block], kept: list[int]) -> list[int]:
    labels = row_labels(blocks, kept)
    return sorted([*kept, *labels]) if labels else kept


def _part_keys(parts: Collection[str]) -> Keys:
    """The keys under which parts of titles are counted: no text has them, and numbers count in them."""
    return np.array([xxh3_64_intdigest(f"<title>{part}".encode("utf-8", "surrogatepass")) for part in parts], np.uint64)


def _written(data: bytes) -> _Written | None:
    """What `to_bytes` wrote; None if another version wrote it, or if the bytes are damaged."""
    try:
        unpack = zstd.decompress if data.startswith(_ZSTD_MAGIC) else zlib.decompress  # as earlier versions wrote
        written = msgspec.msgpack.decode(unpack(data), type=_Written)
        is_sound = written.version == VERSION and written.is_sound
    except (zstd.ZstdError, zlib.error, msgspec.DecodeError, UnicodeDecodeError):
        return None
    return written if is_sound else None


def _size(outline: PageOutline) -> int:
    """The bytes of memory that a page takes, nearly."""
    return _LETTER_BYTES * int(outline.characters.sum()) + _BLOCK_BYTES * len(outline)
