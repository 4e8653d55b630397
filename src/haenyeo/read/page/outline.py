"""A page in numbers: how long its blocks are, how much of them is linked, and how their places hang together."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import xxhash

from haenyeo.model.pages import Block
from haenyeo.read.page.places import is_within, may_contain, tag_of

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.intp]
Keys = npt.NDArray[np.uint64]

MAX_BLOCKS = 20_000
"""Blocks of a page that are looked at."""
MAX_PATHS = 2_000
"""Different paths of a page that are told apart; blocks at further ones are taken to stand at the first."""
MAX_PREFIXES = 4_000
"""Different elements around the blocks of a page that are told apart."""

_SHORT = 60  # characters of a text in which numbers are likely to be dates and counters
_LONG = 800  # characters of a text that nobody writes twice in one page
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_NUMBER = re.compile(r"\d+")
_FEW_DIGITS = 12
_OPENING = 4  # characters


class Outline:
    """The blocks of a page in numbers.

    `words` and `characters` count per block, `link_share` is how much of it is linked; `where` is the number of a
    block's path in `paths`. `silent` blocks are never text: line numbers beside code, and long texts that
    the page says again.
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = blocks = blocks[:MAX_BLOCKS]
        texts = [block.text for block in blocks]
        self.characters: Floats = np.array([len(text) for text in texts], np.float32)
        self.words: Floats = np.array([count_words(text) for text in texts], np.float32)
        share = np.array([block.linked for block in blocks], np.float32) / np.maximum(self.characters, 1)
        self.link_share: Floats = np.minimum(share, 1)
        self.paths, self.where = _numbered([block.path for block in blocks])
        self.silent: Bools = _silent(blocks, texts)
        self.weight: Floats = np.where(self.silent, np.float32(0), self.words)

    def __len__(self) -> int:
        return len(self.blocks)

    def to_bytes(self) -> bytes:
        """The numbers, from which `from_bytes` makes the outline of the same blocks again, sooner than anew."""
        columns = (self.keys, self.characters, self.words, self.link_share, self.where.astype(np.uint32), self.silent)
        return b"".join(column.tobytes() for column in columns)

    @classmethod
    def from_bytes(cls, blocks: Sequence[Block], data: bytes) -> Outline:
        """The outline that was written of these blocks."""
        outline = cls.__new__(cls)
        outline.blocks = blocks[:MAX_BLOCKS]
        size = len(outline.blocks)
        outline.keys = np.frombuffer(data, np.uint64, size)
        rest = np.frombuffer(data, np.float32, 3 * size, 8 * size)
        outline.characters, outline.words, outline.link_share = rest[:size], rest[size : 2 * size], rest[2 * size :]
        outline.where = np.frombuffer(data, np.uint32, size, 20 * size).astype(np.intp)
        outline.silent = np.frombuffer(data, np.bool_, size, 24 * size)
        outline.paths = _numbered([block.path for block in outline.blocks])[0]
        outline.weight = np.where(outline.silent, np.float32(0), outline.words)
        return outline

    @functools.cached_property
    def keys(self) -> Keys:
        """What tells the blocks' texts apart across pages; dates and counters in short texts do not."""
        return np.array([text_key(block.text) for block in self.blocks], np.uint64)

    @functools.cached_property
    def openings(self) -> npt.NDArray[np.uint16]:
        """How the blocks' texts begin."""
        return np.array([opening_key(block.text) for block in self.blocks], np.uint16)

    @functools.cached_property
    def tree(self) -> PathTree:
        """How the paths of the page hang together."""
        return PathTree(self.paths)

    def by_path(self, values: npt.NDArray[np.floating]) -> Floats:
        """The sums of the blocks' values, per path."""
        return np.bincount(self.where, values, len(self.paths)).astype(np.float32)


class PathTree:
    """Paths and all their prefixes: `inside[path, prefix]` is 1 where the path leads through the prefix.

    `up[path, n]` is the number of the prefix n steps above the path's end.
    """

    LEVELS = 4

    def __init__(self, paths: Sequence[str]) -> None:
        self._ways: dict[str, list[int]] = {"": [0]}
        ways = [self._way(path) for path in paths]
        self.prefixes = list(self._ways)
        self.inside: Floats = np.zeros((len(paths), len(self._ways)), np.float32)
        rows = np.repeat(np.arange(len(paths)), [len(way) for way in ways])
        self.inside[rows, [number for way in ways for number in way]] = 1
        up = [(way[-1:-5:-1] + way[:1] * self.LEVELS)[: self.LEVELS] for way in ways]
        self.up: Numbers = np.array(up, np.intp).reshape(len(paths), self.LEVELS)
        self.may_contain: Bools = np.array([may_contain(prefix) for prefix in self._ways], np.bool_)
        self.depth: Floats = np.array([len(way) - 1 for way in self._ways.values()], np.float32)

    def _way(self, path: str) -> list[int]:
        """The numbers of all prefixes of a path; new ones are numbered while there is room."""
        ways = self._ways
        new = []
        while path not in ways:
            new.append(path)
            path = path.rpartition(">")[0]
        way = ways[path]
        if len(ways) < MAX_PREFIXES:
            for prefix in reversed(new):
                way = ways[prefix] = [*way, len(ways)]
        return way

    def inside_of(self, prefix: int) -> Bools:
        """Which prefixes lie in another."""
        outer = self.prefixes[prefix]
        return np.array([is_within(inner, outer) and inner != outer for inner in self.prefixes], np.bool_)

    def shared_depth(self, prefix: int) -> Floats:
        """For each path, how many steps it has in common with a prefix."""
        shared: Floats = self.inside[:, self._ways[self.prefixes[prefix]]].sum(axis=1) - 1
        return shared


def _numbered(paths: Sequence[str]) -> tuple[list[str], Numbers]:
    """The different paths, and for each block the number of its own."""
    numbers: dict[str, int] = {}
    where = np.array([numbers.setdefault(path, len(numbers)) for path in paths], np.intp)
    return list(numbers)[:MAX_PATHS], np.where(where < MAX_PATHS, where, 0)


def count_words(text: str) -> int:
    """The words of a text; a character of Chinese or Japanese is a word of its own."""
    blanks = text.count(" ") + text.count("\n") + 1
    return blanks if text.isascii() else blanks + len(_UNSPACED.findall(text))


def text_key(text: str) -> int:
    """A number that equal texts share, and short texts that differ in their numbers only."""
    if len(text) < _SHORT and not text.isalpha():
        text = _NUMBER.sub("0", text)
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"))


def opening_key(text: str) -> int:
    """A number that texts share which begin alike, as lines do that say what they are: `Posted by`, `작성자:`."""
    opening = text[:_OPENING]
    if not opening.isalpha():
        opening = _NUMBER.sub("0", opening)
    return xxhash.xxh3_64_intdigest(opening.encode("utf-8", "surrogatepass")) & 0xFFFF


def is_line_numbers(text: str, path: str = "") -> bool:
    """Is this the gutter beside a listing: numbers that count up by one, or a lone 1 where code stands?

    >>> is_line_numbers("1 2 3 4"), is_line_numbers("2 apples"), is_line_numbers("1", "table>tr>td>pre")
    (True, False, True)
    """
    if not (text[:1].isdigit() and text[-1].isdigit()):
        return False
    numbers = text.split()
    if len(numbers) == 1:
        return text == "1" and tag_of(path.rpartition(">")[2]) == "pre"
    if not all(number.isascii() and number.isdigit() and len(number) < _FEW_DIGITS for number in numbers):
        return False
    first = int(numbers[0])
    return all(int(number) == first + place for place, number in enumerate(numbers))


def _silent(blocks: Sequence[Block], texts: Sequence[str]) -> Bools:
    silent = np.zeros(len(blocks), np.bool_)
    said: set[str] = set()
    for number, text in enumerate(texts):
        if len(text) > _LONG:
            silent[number] = text in said
            said.add(text)
        elif text[:1].isdigit() and is_line_numbers(text, blocks[number].path):
            silent[number] = True
    return silent
