"""A page in numbers: how long its blocks are, how much of them is linked, and how their places hang together."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from haenyeo.model.pages import Block
from haenyeo.read.page.comments import below_headings
from haenyeo.read.page.places import FAR, PLACE_FEATURES, TO_COMMENT, features_of, tag_of
from haenyeo.read.page.signposts import signposts
from haenyeo.read.page.texts import Bools, Floats, Measures, Numbers, measure
from haenyeo.read.page.tree import PathTree, sums_by_place, table

MAX_BLOCKS = 20_000
"""Blocks of a page that are looked at."""
MAX_PATHS = 2_000
"""Different paths of a page that are told apart; blocks at further ones are taken to stand at the first."""

_LEAF = PLACE_FEATURES.index("leaf")
_H1, _H6 = 4, 9  # as leaves
_LONG = 800  # characters of a text that nobody writes twice in one page
_FEW_DIGITS = 12
_WHOLE = 0.2  # of a page's characters: a copy of its text has more
_PIECE = 40  # characters of a text that does not stand in another by chance
_SAID = 0.7  # of a text: how much of it must stand in other blocks for it to be said again
_MOST_COMPARED = 2_000_000  # characters


class PageOutline:
    """The blocks of a page in numbers.

    `words` and `characters` count per block, `link_share` is how much of it is linked; `keys` tell texts apart; `where`
    is the number of a block's path in `paths`. `silent` blocks are never text: line numbers beside code, bars that lead
    to the next page, and long texts that the page says again.
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = blocks = tuple(blocks[:MAX_BLOCKS])
        self.characters, self.words, self.keys = self.measures.characters, self.measures.words, self.measures.keys
        share = np.array([block.linked for block in blocks], np.float32) / np.maximum(self.characters, 1)
        self.link_share: Floats = np.minimum(share, 1)
        self.paths, self.where = _numbered([block.path for block in blocks])
        self.silent: Bools = _silent(blocks, self.measures)
        self.weight: Floats = np.where(self.silent, np.float32(0), self.words)

    def __len__(self) -> int:
        return len(self.blocks)

    def to_bytes(self) -> bytes:
        """The numbers as bytes; `from_bytes` makes the outline from them quicker than from the texts."""
        columns = (
            *(self.keys, self.characters, self.words, self.link_share),
            *(self.where.astype(np.uint32), self.silent, self.at_comments),
        )
        return b"".join(column.tobytes() for column in columns)

    @classmethod
    def from_bytes(cls, blocks: Sequence[Block], data: bytes) -> PageOutline:
        """The outline that was written of these blocks."""
        outline = cls.__new__(cls)
        outline.blocks = tuple(blocks[:MAX_BLOCKS])
        size = len(outline.blocks)
        outline.keys = np.frombuffer(data, np.uint64, size)
        rest = np.frombuffer(data, np.float32, 3 * size, 8 * size)
        outline.characters, outline.words, outline.link_share = rest[:size], rest[size : 2 * size], rest[2 * size :]
        outline.where = np.frombuffer(data, np.uint32, size, 20 * size).astype(np.intp)
        outline.silent = np.frombuffer(data, np.bool_, size, 24 * size)
        outline.at_comments = np.frombuffer(data, np.bool_, size, 25 * size)
        outline.paths = _numbered([block.path for block in outline.blocks])[0]
        outline.weight = np.where(outline.silent, np.float32(0), outline.words)
        return outline

    @functools.cached_property
    def measures(self) -> Measures:
        """What the blocks' texts are by themselves."""
        return measure([block.text for block in self.blocks])

    @functools.cached_property
    def places(self) -> Floats:
        """What the blocks' places say; see `PLACE_FEATURES`."""
        return features_of(self.blocks)

    @functools.cached_property
    def at_comments(self) -> Bools:
        """Which blocks stand at the place of what readers have written below a page."""
        comments: Bools = (self.places[TO_COMMENT] != FAR) | self.below_comments
        return comments

    @functools.cached_property
    def below_comments(self) -> Bools:
        """Which blocks stand below a heading that says that comments follow."""
        return below_headings(self.blocks, self.paths)

    @functools.cached_property
    def levels(self) -> Floats:
        """The level of each block that is a heading, 0 of others."""
        leaf = self.places[_LEAF]
        return np.where((leaf >= _H1) & (leaf <= _H6), leaf - (_H1 - 1), 0).astype(np.float32)

    @functools.cached_property
    def names(self) -> str:
        """All steps and signs of the page's places, each once, in small letters."""
        steps = {prefix[prefix.rfind(">") + 1 :] for prefix in self.tree.prefixes}
        return " ".join([*steps, *{block.signs for block in self.blocks}]).lower()

    def forget(self) -> None:
        """Free the memory of what can be computed again."""
        for found in ("places", "tree", "names", "levels"):
            self.__dict__.pop(found, None)

    @functools.cached_property
    def tree(self) -> PathTree:
        """How the paths of the page hang together."""
        return PathTree(self.paths)

    def by_paths(self, values: Sequence[Floats] | Floats) -> Floats:
        """Of each row of the blocks' values, the sums per path."""
        rows = values if isinstance(values, np.ndarray) else table(values)
        return sums_by_place(self.where, rows, len(self.paths))

    def by_path(self, values: npt.NDArray[np.floating]) -> Floats:
        """The sums of the blocks' values, per path."""
        return np.bincount(self.where, values, len(self.paths)).astype(np.float32)


def _numbered(paths: Sequence[str]) -> tuple[list[str], Numbers]:
    """The different paths, and for each block the number of its own."""
    numbers = {path: number for number, path in enumerate(dict.fromkeys(paths))}
    where = np.fromiter(map(numbers.__getitem__, paths), np.intp, len(paths))
    return list(numbers)[:MAX_PATHS], np.where(where < MAX_PATHS, where, 0)


def is_line_numbers(text: str, path: str = "") -> bool:
    """Whether this is the gutter beside a listing: numbers that count up by one, or a single 1 beside code.

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


def _silent(blocks: Sequence[Block], measures: Measures) -> Bools:
    """Which blocks are line numbers, ways to other pages, or long texts that the page says again, even in pieces."""
    silent = np.zeros(len(blocks), np.bool_)
    for number in measures.numeric.nonzero()[0].tolist():
        silent[number] = is_line_numbers(blocks[number].text, blocks[number].path)
    said: set[str] = set()
    for number in (measures.characters > _LONG).nonzero()[0].tolist():
        text = blocks[number].text
        silent[number] = text in said
        said.add(text)
    silent[_in_pieces(blocks, measures)] = True
    silent[signposts(blocks)] = True
    return silent


def _in_pieces(blocks: Sequence[Block], measures: Measures) -> list[int]:
    """The long texts that consist of other blocks: copies of the text for machines, as a whole."""
    least = max(_LONG, _WHOLE * float(measures.characters.sum()))
    suspects = (measures.characters > least).nonzero()[0].tolist()
    pieces = [block.text for block in blocks if len(block.text) >= _PIECE] if suspects else []
    copies = []
    for number in suspects:
        text = blocks[number].text
        if len(text) * len(pieces) < _MOST_COMPARED:
            inside = sum([len(piece) for piece in pieces if len(piece) < len(text) and piece in text])
            copies += [number] if inside >= _SAID * len(text) else []
    return copies
