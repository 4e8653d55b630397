"""Links with the words around them: what is said before, in and after a link tells where it leads.

The words before and after are taken in page order, across the borders of blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from haenyeo.model.pages import Link, Markup, Outlink, Url

WORDS = 10
"""Words taken on each side of a link."""

_CHARACTERS_PER_WORD = 16  # more than most words have; where it is too few, more text is looked at


def surroundings(markup: Markup, outlink: Outlink, words: int = WORDS, source: Url | None = None) -> Link:
    """A link of the page with its anchor, the words before and after it, and the paragraph it stands in.

    `source` is the page's address. For many links of one page `all_surroundings` takes less.
    """
    return _Page(markup, words, source).link(outlink)


def all_surroundings(markup: Markup, words: int = WORDS, source: Url | None = None) -> list[Link]:
    """Every link of the page, in page order, with what is around it; `source` is the page's address."""
    page = _Page(markup, words, source)
    return [page.link(outlink) for outlink in markup.links]


def some_surroundings(
    markup: Markup, outlinks: Sequence[Outlink], words: int = WORDS, source: Url | None = None
) -> list[Link]:
    """Some links of the page, in the order given, with what is around them."""
    page = _Page(markup, words, source)
    return [page.link(outlink) for outlink in outlinks]


class _Page:
    """The text of a page in one piece, and where its blocks begin in it."""

    def __init__(self, markup: Markup, words: int, source: Url | None) -> None:
        self._markup = markup
        self._source = source
        self._words = words
        self._text = markup.text
        self._starts = [0, *accumulate(len(block.text) + 1 for block in markup.blocks)]

    def link(self, outlink: Outlink) -> Link:
        if outlink.block < 0:
            return Link(url=outlink.url, source=self._source, anchor=outlink.label, rel=outlink.rel)
        block = self._markup.blocks[outlink.block]
        start = self._starts[outlink.block]
        return Link(
            url=outlink.url,
            source=self._source,
            anchor=block.text[outlink.start : outlink.end],
            before=self._before(start + outlink.start),
            after=self._after(start + outlink.end),
            paragraph=block.text,
            path=block.path,
            rel=outlink.rel,
        )

    def _before(self, end: int) -> str:
        reach = _CHARACTERS_PER_WORD * (self._words + 1)
        while True:
            start = max(end - reach, 0)
            words = self._text[start:end].rsplit(None, self._words)
            # The first word may be cut; with one more than asked for it does not count.
            if len(words) > self._words or start == 0:
                return " ".join(words[max(len(words) - self._words, 0) :])
            reach *= 4

    def _after(self, start: int) -> str:
        reach = _CHARACTERS_PER_WORD * (self._words + 1)
        while True:
            words = self._text[start : start + reach].split(None, self._words)
            if len(words) > self._words or start + reach >= len(self._text):
                return " ".join(words[: self._words])
            reach *= 4
