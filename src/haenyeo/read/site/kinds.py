"""Of what kind is a page that nobody judged? Of that of the judged pages of its site whose text has its form.

One site has articles and lists of them, a manual chapters and indexes: what most of its pages are says little of one.
Texts are compared by how long they are and how much of them is linked.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from haenyeo import native
from haenyeo.model.pages import Block

COMPILED = native.load("reading")

_MOST = 64  # pages that are remembered
_AS_LONG = 0.25  # weight of a difference in length, of e times, beside one in links that is ...
_AS_LINKED = 16.0  # ... as great as can be
_NEAR = 0.1  # of such a difference all pages are about as near
_TEXT = 0.5  # probability from which on a block is taken for text


class TextForm(NamedTuple):
    """The logarithm of a text's length in words, and the share of it that is linked."""

    length: float
    linked: float

    @classmethod
    def of(cls, blocks: Sequence[Block], kept: list[int]) -> TextForm:
        """The form of these blocks, by number, of a page."""
        letters, blanks, linked = text_sizes(blocks, kept)
        return cls(math.log1p(blanks + len(kept)), linked / max(1, letters))

    @classmethod
    def of_judged(cls, words: npt.NDArray[Any], link_share: npt.NDArray[Any], likely: npt.NDArray[Any]) -> TextForm:
        """The form of a page whose blocks are as long and linked as this, and as likely its text."""
        weight = np.where(likely > _TEXT, words, 0.0)
        total = float(weight.sum())
        return cls(math.log1p(total), float(weight @ link_share) / max(1.0, total))


def text_sizes(blocks: Sequence[Block], kept: list[int]) -> tuple[int, int, int]:
    """How many letters, blanks and linked letters these blocks, by number, of a page have together."""
    if COMPILED is None:
        return text_sizes_in_python(blocks, kept)
    sizes: tuple[int, int, int] = COMPILED.text_sizes(blocks, kept)
    return sizes


def text_sizes_in_python(blocks: Sequence[Block], kept: list[int]) -> tuple[int, int, int]:
    """The same without compiled code."""
    texts = [blocks[number].text for number in kept]
    linked = sum([blocks[number].linked for number in kept])
    return sum(map(len, texts)), sum([text.count(" ") for text in texts]), linked


class SiteKinds:
    """Remembers the form and the kind of the newest judged pages of a site."""

    def __init__(self) -> None:
        self._known: deque[tuple[TextForm, str]] = deque(maxlen=_MOST)

    def note(self, form: TextForm, kind: str) -> None:
        """Remember a page that was judged."""
        if kind:
            self._known.append((form, kind))

    def likeliest(self, form: TextForm) -> str:
        """The kind of the pages most like one of this form; empty if none is known."""
        votes: dict[str, float] = {}
        for known, kind in self._known:
            length, linked = known.length - form.length, known.linked - form.linked
            vote = 1 / (_NEAR + _AS_LONG * length * length + _AS_LINKED * linked * linked)
            votes[kind] = votes.get(kind, 0.0) + vote
        return max(votes, key=votes.__getitem__, default="")
