"""Text blocks: the text of a page is squeezed as a whole and cut into blocks, and its links are found again in them."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from haenyeo import native
from haenyeo.model.pages import Block

COMPILED = native.load("scanner")

MAX_PATH = 1000
"""Characters of a path; what lies further in has the path of what is around it."""
MAX_CLASSES = 200
"""Characters of the classes of one element; of more only the first, in alphabetic order, count."""
MAX_SIGNS = 300
"""Characters of the signs of a block; what lies further in has the signs of what is around it."""

_WIDE_BLANK = re.compile("[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_SEGMENT = re.compile("S:[0-9a-f]{1,8}")
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.ASCII | re.IGNORECASE)
_HEADING = re.compile(r"(?:^|>)h([1-6])(?=[.>]|$)")
_MOST_PATHS = 1 << 12
_BLANK = 32  # and all below: control characters are taken for white space
_STOP = "."  # stands behind the last block

Mark = tuple[int, int, int, int]
"""Text in a link: the numbers of the link and of its block, and where it begins and ends in the text as gathered."""


class FoundLink(msgspec.Struct):
    """A link as written in the page, and the longest stretch of its text within one block."""

    href: str
    rel: str | None = None
    title: str | None = None
    alt: str | None = None
    block: int = -1
    start: int = 0
    end: int = 0

    def stand(self, block: int, start: int, end: int) -> None:
        """Note that text of this link stands there."""
        if block == self.block:
            self.end = end
        elif end - start > self.end - self.start:
            self.block, self.start, self.end = block, start, end


class GatheredText:
    """The text of a page in pieces, as it stands there, and where in it blocks begin and links stand.

    A blank stands before every block; `verbatim` has the numbers of the blocks whose white space is to stay.
    """

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.starts: list[int] = []
        self.paths: list[str] = []
        self.signs: list[str] = []
        self.marks: list[Mark] = []
        self.verbatim: list[int] = []

    def blocks(self, links: Sequence[FoundLink]) -> list[Block]:
        """The blocks, each stretch of white space as one blank; the links learn where they stand in them."""
        text, gone = self._squeezed()
        starts = [*_moved(self.starts, gone), -1]
        linked = [0] * len(self.starts)
        begins, ends = _moved([mark[2] for mark in self.marks], gone), _moved([mark[3] for mark in self.marks], gone)
        for (link, number, _, _), begin, end in zip(self.marks, begins, ends, strict=True):
            first, last = begin + (text[begin] == " "), end - (text[end - 1] == " ")
            if last > first:
                linked[number] += last - first
                links[link].stand(number, first - starts[number], last - starts[number])
        blocks = [
            Block(text[start:end].rstrip(), path, size, signs)
            for start, end, path, size, signs in zip(starts, starts[1:], self.paths, linked, self.signs, strict=False)
        ]
        for link_ in links if self.verbatim else ():
            if link_.block >= 0:  # the blanks at its end are gone with those of its block
                link_.end = min(link_.end, len(blocks[link_.block].text))
        return blocks if all(block.text for block in blocks) else _without_empty(blocks, links)

    def _squeezed(self) -> tuple[str, npt.NDArray[np.intp]]:
        """The squeezed text, and the places of the characters that are gone from it."""
        text = "".join([*self.pieces, _STOP])
        if not text.isascii():
            text = _WIDE_BLANK.sub(" ", text)
        codes, encoding = _codes(text)
        is_blank = codes <= _BLANK
        squeezed = np.maximum(codes, _BLANK)
        ends = [start - 1 for start in self.starts[1:]] + [-1]
        for number in self.verbatim:
            place = slice(self.starts[number], ends[number])
            is_blank[place] = False
            squeezed[place] = codes[place]
        is_gone = is_blank[1:] & is_blank[:-1]
        stays = np.concatenate(([True], ~is_gone))
        return squeezed[stays].tobytes().decode(encoding, "surrogatepass"), np.flatnonzero(is_gone) + 1


def _without_empty(blocks: list[Block], links: Sequence[FoundLink]) -> list[Block]:
    """The blocks that are more than control characters; the links are told the new numbers of theirs."""
    numbers = list(accumulate((bool(block.text) for block in blocks), initial=0))
    for link in links:
        if link.block >= 0:
            link.block = numbers[link.block]
    return [block for block in blocks if block.text]


def _codes(text: str) -> tuple[npt.NDArray[Any], str]:
    """The text as an array of character codes, as narrow as can be, and its encoding."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), np.uint8), "ascii"
    encoded = text.encode("utf-16-le", "surrogatepass")
    if len(encoded) == 2 * len(text):
        return np.frombuffer(encoded, np.uint16), "utf-16-le"
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32), "utf-32-le"


def _moved(places: list[int], gone: npt.NDArray[np.intp]) -> list[int]:
    """Where the characters of these places stand when the others are gone."""
    array = np.array(places, np.intp)
    moved: list[int] = (array - gone.searchsorted(array)).tolist()
    return moved


@functools.lru_cache(maxsize=1 << 13)
def path_to(path: str, name: str, classes: str) -> str:
    """The path to an element inside the one that `path` leads to; an element without a name adds no step.

    It does not depend on the order of the classes: pages made by one template give the same path to the same part.
    A class may have the sign that parts the steps in its name (`[&>li]:mt-2`); the path has it without.

    >>> path_to("div.content", "ul", "wide list"), path_to("", "ul", "[&>li]:mt-2")
    ('div.content>ul.list.wide', 'ul.[&li]:mt-2')
    """
    if not name:
        return path
    step = name + "".join(f".{word}" for word in sorted(set(classes.replace(">", "").split())))
    longer = f"{path}>{step}" if path else step
    return longer if len(longer) <= MAX_PATH else path


def signs_to(outer: str, name: str, role: str, prop: str, style: str, hidden: bool) -> str:  # noqa: FBT001
    """The signs of an element inside the one that has those of `outer`, from its attributes.

    A segment that is streamed behind the page (React's `S:1`) is hidden only until a script puts it in its place.

    >>> signs_to("#page", "top", "main", "", "DISPLAY: none", False)
    '#page #top @main !hidden'
    """
    values = (("#", name), ("@", role), ("@", prop))
    own = [f"{mark}{word}" for mark, value in values if len(value) <= MAX_SIGNS for word in value.split()]
    if (hidden and not _SEGMENT.fullmatch(name)) or (style and _HIDING.search(style[:MAX_SIGNS])):
        own.append("!hidden")
    signs = " ".join([outer, *own]) if outer else " ".join(own)
    return signs if own and len(signs) <= MAX_SIGNS else outer


def first_classes(classes: str) -> str:
    """The first classes in alphabetic order, as many as `MAX_CLASSES` has room for."""
    words = " ".join(sorted(set(classes.split())))
    return words if len(words) <= MAX_CLASSES else words[: MAX_CLASSES + 1].rpartition(" ")[0]


class PathLevels(dict[str, int]):
    """By path, what `find` says of it, such as the level of a heading; remembered, as every block is asked."""

    def __init__(self, find: Callable[[str], int], *, most: int) -> None:
        self.find, self.most = find, most

    def __missing__(self, path: str) -> int:
        if len(self) >= self.most:
            self.clear()
        level = self[path] = self.find(path)
        return level


def numbers_at(blocks: Sequence[Block], levels: PathLevels) -> list[int]:
    """The numbers of the blocks whose paths are of another level than 0."""
    if COMPILED is None:
        return numbers_at_in_python(blocks, levels)
    found: list[int] = COMPILED.numbers_at(blocks, levels, levels.__missing__)
    return found


def numbers_at_in_python(blocks: Sequence[Block], levels: PathLevels) -> list[int]:
    """The same without compiled code."""
    return [number for number, block in enumerate(blocks) if levels[block.path]]


def headings(blocks: Sequence[Block]) -> tuple[str, str]:
    """The headings of the first level, one a line, and those of all others."""
    levels = _LEVELS
    found = [blocks[number] for number in numbers_at(blocks, levels)]
    first = [block.text for block in found if levels[block.path] == 1]
    others = [block.text for block in found if levels[block.path] > 1]
    return "\n".join(first), "\n".join(others)


def _level_around(path: str) -> int:
    """The level of the heading that a block of this path stands in, 0 if in none."""
    match = _HEADING.search(path)
    return int(match[1]) if match else 0


_LEVELS = PathLevels(_level_around, most=_MOST_PATHS)
