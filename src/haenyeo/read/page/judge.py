"""How likely is each block of a page to be its text? Told by the page alone.

Two forests (`forest`): the first sees a block, its place and its neighbours' form; the second also sees what the first
took the neighbours and the places around for. They were trained on pages with known text by `bench/train_reader.py`.
"""

from __future__ import annotations

import functools
import io
from importlib import resources
from typing import IO, Self

import msgspec
import numpy as np

from haenyeo.model.compression import zstd
from haenyeo.model.pages import Block, Markup
from haenyeo.read.page.features import first_features, second_features
from haenyeo.read.page.forest import Forest
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.texts import Floats

FILE = "judge.npz"

_decoder = msgspec.msgpack.Decoder(tuple[tuple[Block, ...], str, bytes, bytes])

_IF_COMMENT = 0.05  # what is left of a block's odds where readers' comments stand


class JudgedPage:
    """A page's outline and the probabilities of its blocks, which are computed when they are first asked for."""

    def __init__(self, outline: PageOutline, title: str, likely: Floats | None = None) -> None:
        self.outline, self.title = outline, title
        self._likely = likely

    @classmethod
    def of(cls, markup: Markup) -> Self:
        """The page that has this markup."""
        return cls(PageOutline(markup.blocks), markup.title)

    def to_bytes(self) -> bytes:
        """The judged page in a tenth of the memory, for `from_bytes`."""
        judged = (self.outline.blocks, self.title, self.outline.to_bytes(), self.likely.tobytes())
        return zstd.compress(msgspec.msgpack.encode(judged), 1)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The page that was packed."""
        blocks, title, numbers, likely = _decoder.decode(zstd.decompress(data))
        return cls(PageOutline.from_bytes(blocks, numbers), title, np.frombuffer(likely, np.float32))

    @property
    def likely(self) -> Floats:
        """For each block, the probability that it is text."""
        if self._likely is None:
            self._likely = judge(self.outline, self.title)
            self.outline.forget()
        return self._likely

    def judged(self) -> Self:
        """This page, after its probabilities have been computed."""
        _ = self.likely
        return self

    @property
    def is_judged(self) -> bool:
        """Whether the probabilities have been computed."""
        return self._likely is not None


def judge(outline: PageOutline, title: str) -> Floats:
    """For each block, the probability that it is text."""
    if not len(outline):
        return np.zeros(0, np.float32)
    return judged(outline, first_features(outline, title), forests())


def judged(outline: PageOutline, features: Floats, by: tuple[Forest, Forest]) -> Floats:
    """The same, from the features of the blocks, by these forests."""
    first, second = by
    likely = second.probabilities(second_features(outline, features, first.probabilities(features)))
    # Comments are written like texts. On a page of little else than comments they are still the likeliest.
    less = likely * _IF_COMMENT / (likely * _IF_COMMENT + 1 - likely)
    return np.where(outline.at_comments, less, likely).astype(np.float32)


@functools.cache
def forests() -> tuple[Forest, Forest]:
    """The two forests in the package."""
    return read_forests(io.BytesIO(resources.files(__package__).joinpath(FILE).read_bytes()))


def read_forests(packed: IO[bytes]) -> tuple[Forest, Forest]:
    """The two forests of a file that training wrote."""
    with np.load(packed) as file:
        first, second = (
            Forest(
                file[f"features{stage}"],
                file[f"thresholds{stage}"],
                file[f"values{stage}"],
                float(file[f"base{stage}"]),
            )
            for stage in (1, 2)
        )
        return first, second
