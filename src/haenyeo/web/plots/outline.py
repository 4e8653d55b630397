"""A page's blocks as boxes in boxes, top to bottom: a picture of its layout without its looks."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby, pairwise
from typing import NamedTuple

import msgspec

from haenyeo.watch.differences import moved_lines

WIDTH = 460
LINE, GAP, INSET, HEADING = 18, 4, 8, 18
CHARACTER = 6.4  # pixels of a narrow one
LETTERS = 64  # of a text in a full line
MOST_BARS = 3  # lines drawn below a block's first one
MOST_BLOCKS = 70
DEEPEST = 7  # boxes in boxes
LONGEST = 8  # texts directly in one box; further ones are counted


STILL_SAID = 0.8  # share of a text's phrases that the other version must have for it to be there still


class OutlinePiece(NamedTuple):
    """A block of a page: the elements it stands in, and its text."""

    steps: tuple[str, ...]
    text: str


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """A box with a label; `kind` is same, moved, lost or fresh, `bars` are the lines of text below the label."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    label: str
    title: str
    bars: int = 0
    is_text: bool = False


class DrawnOutline(msgspec.Struct, frozen=True, kw_only=True):
    """All that is drawn."""

    boxes: tuple[Drawn, ...]
    height: float
    width: int = WIDTH


def outlines(before: Sequence[OutlinePiece], after: Sequence[OutlinePiece]) -> tuple[DrawnOutline, DrawnOutline]:
    """Two versions of a page, each coloured by what has become of its parts in the other."""
    texts = [piece.text for piece in after]
    moved = {text for text in moved_lines([piece.text for piece in before], texts) if texts.count(text) == 1}
    return _Sheet(after, "lost", moved).drawn(before), _Sheet(before, "fresh", moved).drawn(after)


class _Sheet:
    """Draws one version, knowing the other one and what has `moved`; what is not there is of the kind `absent`."""

    def __init__(self, other: Sequence[OutlinePiece], absent: str, moved: AbstractSet[str]) -> None:
        self._absent, self._moved = absent, moved
        self._texts = {piece.text for piece in other}
        self._said = _phrases(" ".join(piece.text for piece in other))
        self._paths = {piece.steps[:length] for piece in other for length in range(1, len(piece.steps) + 1)}
        self._boxes: list[Drawn] = []

    def drawn(self, pieces: Sequence[OutlinePiece]) -> DrawnOutline:
        """The whole picture."""
        bottom = self._column(pieces[:MOST_BLOCKS], 0, 0.0, GAP)
        left = len(pieces) - MOST_BLOCKS
        if left > 0:
            bottom = self._further(left, 0.0, bottom)
        return DrawnOutline(boxes=tuple(sorted(self._boxes, key=lambda box: box.is_text)), height=bottom + GAP)

    def _column(self, pieces: Sequence[OutlinePiece], depth: int, x: float, y: float) -> float:
        """Draw what stands below one another; returns where it ends."""
        shown = 0
        for step, group in groupby(pieces, key=lambda piece: piece.steps[depth : depth + 1]):
            inside = list(group)
            if step and not _is_leaf(inside, depth):
                y = self._container(inside, depth, x, y)
                continue
            for piece in inside[: max(0, LONGEST - shown)]:
                y = self._text(piece, x, y)
            shown += len(inside)
        return self._further(shown - LONGEST, x, y) if shown > LONGEST else y

    def _container(self, pieces: list[OutlinePiece], depth: int, x: float, y: float) -> float:
        """A box around these blocks; boxes with nothing but one box in them are drawn as one."""
        end = depth + 1
        while all(len(piece.steps) > end for piece in pieces) and len({piece.steps[end] for piece in pieces}) == 1:
            end += 1
        path = pieces[0].steps[:end]
        bottom = self._column(pieces, end, x + INSET, y + HEADING) + GAP / 2
        kind = "same" if path in self._paths else self._absent
        room = int((WIDTH - 2 * x - 2 * INSET) / CHARACTER)
        box = Drawn(
            x=x + GAP,
            y=y,
            width=WIDTH - 2 * x - 2 * GAP,
            height=bottom - y,
            kind=kind,
            label=_shortened(path[-1], room),
            title=" > ".join(path),
        )
        self._boxes.append(box)
        return bottom + GAP

    def _has(self, text: str) -> bool:
        """Whether the other version says this, in one block or in several."""
        if text in self._texts:
            return True
        phrases = _phrases(text)
        return len(phrases & self._said) >= STILL_SAID * len(phrases) > 0

    def _text(self, piece: OutlinePiece, x: float, y: float) -> float:
        bars = min(len(piece.text) // LETTERS, MOST_BARS)
        height = LINE + bars * LINE / 2
        where = "same" if piece.steps in self._paths and piece.text not in self._moved else "moved"
        kind = where if self._has(piece.text) else ("same" if where == "same" else self._absent)
        room = int((WIDTH - 2 * x - 3 * INSET) / CHARACTER)
        label = _shortened(" ".join(piece.text.split()), room)
        title = f"{' > '.join(piece.steps)}: {kind}"
        box = Drawn(
            x=x + GAP,
            y=y,
            width=WIDTH - 2 * x - 2 * GAP,
            height=height,
            kind=kind,
            label=label,
            title=title,
            bars=bars,
            is_text=True,
        )
        self._boxes.append(box)
        return y + height + GAP

    def _further(self, count: int, x: float, y: float) -> float:
        words = f"… {count:,} more {'block' if count == 1 else 'blocks'}"
        box = Drawn(
            x=x + GAP, y=y, width=WIDTH - 2 * x - 2 * GAP, height=LINE, kind="further", label=words, title=words
        )
        self._boxes.append(msgspec.structs.replace(box, is_text=True))
        return y + LINE + GAP


def counts(outline: DrawnOutline) -> Mapping[str, int]:
    """How many texts are of which kind."""
    kinds = [box.kind for box in outline.boxes if box.is_text]
    return {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}


def _is_leaf(pieces: Sequence[OutlinePiece], depth: int) -> bool:
    """Is this one element with nothing but its text, or too deep to be drawn as a box?"""
    return depth >= DEEPEST or all(len(piece.steps) == depth + 1 for piece in pieces)


def _shortened(text: str, room: int) -> str:
    """As much of a text as fits; wide characters take the room of two."""
    used = 0
    for place, letter in enumerate(text):
        used += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if used > room:
            return text[: max(0, place - 1)] + "…"
    return text


def _phrases(text: str) -> set[tuple[str, ...]]:
    """Each two words that follow each other, and a word that stands alone: blocks are cut in other places elsewhere."""
    words = text.split()
    return set(pairwise(words)) if len(words) > 1 else {(word,) for word in words}
