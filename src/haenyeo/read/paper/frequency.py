"""Kim and Kim (2021) §III: text is what is rare among the blocks of a site.

Every text node is a block; its frequency is the number of blocks of all pages with exactly its text. The k different
frequencies are ranked from the rarest; blocks of rank k-2 and below are text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Self

import msgspec
import xxhash

from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Block, Document, Url
from haenyeo.read.paper.nodes import DROPPED, TextNode, plain_nodes


class _CountedPage(msgspec.Struct, array_like=True):
    url: Url
    title: str
    language: str
    nodes: list[str]


_decoder = msgspec.msgpack.Decoder(_CountedPage)


TOP_RANKS = 2
"""The ranks of the most frequent texts that are no text: those above k-2 (section III)."""


class FrequencyMethod:
    """Counts the text nodes of a site, and keeps the rare ones.

    `top_ranks` is the 2 of the paper's k-2, `dropped` the elements that it removes before it counts.
    """

    def __init__(self, *, top_ranks: int = TOP_RANKS, dropped: tuple[str, ...] = DROPPED) -> None:
        self.top_ranks, self.dropped = top_ranks, dropped
        self._counts: Counter[int] = Counter()
        self._limit: int | None = None

    def learn(self, url: Url, html: str) -> bytes:
        """Count the blocks of a page."""
        markup = parse_html(html, url)
        nodes = plain_nodes(html, self.dropped)
        self._counts.update(map(_key, nodes))
        self._limit = None
        return msgspec.msgpack.encode(_CountedPage(url, markup.title, markup.language, nodes))

    def read(self, prepared: bytes) -> Document:
        """The rare blocks of a page."""
        page = _decoder.decode(prepared)
        limit = self.limit
        kept = [node for node in page.nodes if self._counts[_key(node)] <= limit]
        return Document(
            url=page.url,
            title=page.title,
            text="\n".join(kept),
            language=page.language,
            blocks=tuple(Block(node, "") for node in kept),
        )

    def to_bytes(self) -> bytes:
        """The counts."""
        return msgspec.msgpack.encode(self._counts)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """A method with the counts that `to_bytes` gave; a new one if the bytes are damaged."""
        method = cls()
        with suppress(msgspec.DecodeError):
            method._counts.update(msgspec.msgpack.decode(data, type=dict[int, int]))
        return method

    @property
    def trouble(self) -> str:
        """Why no page of the site has a text, in a few words; nothing if the rule can be applied."""
        ranks = len(set(self._counts.values()))
        if ranks > self.top_ranks:
            return ""
        return (
            f"its texts have {ranks} different frequencies, and the {self.top_ranks} highest of them are no text;"
            " frequency needs more pages of one site"
        )

    @property
    def limit(self) -> int:
        """The highest frequency that a block of the text may have: that of rank k-2, or 0 if there is no such rank."""
        if self._limit is None:
            self._limit = frequency_limit(set(self._counts.values()), self.top_ranks)
        return self._limit


def counts_of(pages: Sequence[Sequence[TextNode]]) -> Counter[str]:
    """In how many blocks of all pages each text occurs."""
    return Counter(node.text for nodes in pages for node in nodes if node.is_plain)


def rare(pages: Sequence[Sequence[TextNode]]) -> list[list[bool]]:
    """Which blocks of pages that are counted together are text; those in dropped elements are not."""
    counts = counts_of(pages)
    limit = frequency_limit(set(counts.values()))
    return [[node.is_plain and counts[node.text] <= limit for node in nodes] for nodes in pages]


def frequency_limit(frequencies: set[int], top_ranks: int = TOP_RANKS) -> int:
    """The frequency of rank k-2 among k different ones, counted from the rarest; 0 if k is less than 3.

    >>> frequency_limit({1, 2, 15, 100})
    2
    """
    ranked = sorted(frequencies)
    return ranked[-1 - top_ranks] if len(ranked) > top_ranks else 0


def _key(text: str) -> int:
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"))
