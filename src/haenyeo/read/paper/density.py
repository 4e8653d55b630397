"""Word and link density: the first baseline of Kim and Kim (2021) §4.3, formulas 4 to 7.

    D_word = words / sentences, where sentences := characters / mean characters of the page's blocks
    D_link = linked words / words
A block is text by the tree of Kohlschütter, Fankhauser and Nejdl, "Boilerplate Detection using Shallow Text Features"
(2010), which looks at the densities of the block and of its neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple, Self

import msgspec

from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Block, Document, Url
from haenyeo.read.paper.nodes import TextNode, all_nodes

MOST_LINKED, MOST_LINKED_BEFORE = 1 / 3, 5 / 9
"""The link densities of the tree's first two questions."""


class Density(NamedTuple):
    """D_word and D_link of a block."""

    words: float
    links: float


_NOTHING = Density(0.0, 0.0)


class DensityMethod:
    """Keeps the blocks of a page that are dense in words and not in links; learns nothing from other pages.

    `most_linked` and `most_linked_before` are the link densities that a block and the one before it may have.
    """

    def __init__(self, *, most_linked: float = MOST_LINKED, most_linked_before: float = MOST_LINKED_BEFORE) -> None:
        self.most_linked, self.most_linked_before = most_linked, most_linked_before

    def learn(self, url: Url, html: str) -> bytes:
        """Read the page at once."""
        markup = parse_html(html, url)
        nodes = all_nodes(html)
        kept = [
            node.text
            for node, keep in zip(nodes, dense(nodes, self.most_linked, self.most_linked_before), strict=True)
            if keep
        ]
        document = Document(
            url=url,
            title=markup.title,
            text="\n".join(kept),
            language=markup.language,
            blocks=tuple(Block(text, "") for text in kept),
        )
        return msgspec.msgpack.encode(document)

    def read(self, prepared: bytes) -> Document:
        """What the page says."""
        return msgspec.msgpack.decode(prepared, type=Document)

    def to_bytes(self) -> bytes:
        """Empty, because nothing is learned from other pages."""
        return b""

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """A new method, because there is no state."""
        del data
        return cls()


def dense(
    nodes: Sequence[TextNode], most_linked: float = MOST_LINKED, most_linked_before: float = MOST_LINKED_BEFORE
) -> list[bool]:
    """Which blocks of a page are text."""
    densities = densities_of(nodes)
    around = [_NOTHING, *densities, _NOTHING]
    threes = zip(around, densities, around[2:], strict=False)
    return [is_text(*three, most_linked, most_linked_before) for three in threes]


def densities_of(nodes: Sequence[TextNode]) -> list[Density]:
    """D_word and D_link of each block of a page."""
    if not nodes:
        return []
    mean = fmean(len(node.text) for node in nodes)
    return [_density(node, mean) for node in nodes]


def _density(node: TextNode, mean_characters: float) -> Density:
    words = len(node.text.split())
    sentences = len(node.text) / mean_characters
    return Density(words / sentences, float(node.linked))


def is_text(
    before: Density,
    block: Density,
    behind: Density,
    most_linked: float = MOST_LINKED,
    most_linked_before: float = MOST_LINKED_BEFORE,
) -> bool:
    """The tree of Kohlschütter et al. (2010), figure 2(b), on text densities."""
    if block.links > most_linked:
        return False
    if before.links > most_linked_before:
        return behind.words > 11  # noqa: PLR2004 - the figures are those of the paper's tree
    if block.words > 9:  # noqa: PLR2004
        return behind.words > 0
    return behind.words > 10 or before.words > 4  # noqa: PLR2004
