"""Links with the words around them: what is said before, in and after a link tells where it leads.

The words before and after are taken in page order, across the borders of blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from haenyeo import native
from haenyeo.model.pages import Link, Markup, Outlink, Url

WORDS = 10
"""Words taken on each side of a link."""

COMPILED = native.load("surroundings")

_CHARACTERS_PER_WORD = 16  # more than most words have; where it is too few, more text is looked at
_FARTHEST = 11_264  # characters, on each side


def surroundings(markup: Markup, outlink: Outlink, words: int = WORDS, source: Url | None = None) -> Link:
    """A link of the page with its anchor, the words before and after it, and the paragraph it stands in.

    `source` is the page's address. For many links of one page `all_surroundings` is quicker.
    """
    return PageText(markup, words, source).links([outlink])[0]


def all_surroundings(markup: Markup, words: int = WORDS, source: Url | None = None) -> list[Link]:
    """Every link of the page, in page order, with what is around it; `source` is the page's address."""
    return PageText(markup, words, source).links(markup.links)


def some_surroundings(
    markup: Markup, outlinks: Sequence[Outlink], words: int = WORDS, source: Url | None = None
) -> list[Link]:
    """Some links of the page, in the order given, with what is around them."""
    return PageText(markup, words, source).links(outlinks)


class PageText:
    """The text of a page in one piece, and where its blocks begin in it."""

    def __init__(self, markup: Markup, words: int = WORDS, source: Url | None = None) -> None:
        self._markup = markup
        self._source = source
        self._words = words
        self.text = markup.text
        self._starts: list[int] = []

    def links(self, outlinks: Sequence[Outlink]) -> list[Link]:
        """Some links of the page, in the order given, with what is around them."""
        if not self._starts:
            self._starts = [0, *accumulate([len(block.text) + 1 for block in self._markup.blocks])]
        starts = self._starts
        bounds = [
            (starts[outlink.block] + outlink.start, starts[outlink.block] + outlink.end)
            for outlink in outlinks
            if outlink.block >= 0
        ]
        windows = iter(windows_of(self.text, bounds, self._words))
        return [self._link(outlink, *(next(windows) if outlink.block >= 0 else ("", ""))) for outlink in outlinks]

    def spans(self, outlinks: list[Outlink]) -> bytes | None:
        """Where in the text links and the words before and after each begin and end; None without compiled code.

        Six numbers of 32 bits a link, all of them -1 for one that stands outside of the text.
        """
        if COMPILED is None:
            return None
        found: bytes = COMPILED.spans(self.text, self._markup.blocks, outlinks, self._words)
        return found

    def _link(self, outlink: Outlink, before: str, after: str) -> Link:
        if outlink.block < 0:
            return Link(url=outlink.url, source=self._source, anchor=outlink.label, rel=outlink.rel)
        block = self._markup.blocks[outlink.block]
        return Link(
            url=outlink.url,
            source=self._source,
            anchor=block.text[outlink.start : outlink.end],
            before=before,
            after=after,
            paragraph=block.text,
            path=block.path,
            rel=outlink.rel,
        )


def windows_of(text: str, bounds: list[tuple[int, int]], words: int) -> list[tuple[str, str]]:
    """The words before and after each link of a text; a link is given by its start and its end."""
    if COMPILED is None:
        return windows_in_python(text, bounds, words)
    windows: list[tuple[str, str]] = COMPILED.windows(text, bounds, words)
    return windows


def windows_in_python(text: str, bounds: list[tuple[int, int]], words: int) -> list[tuple[str, str]]:
    """The same without compiled code."""
    return [(_before(text, start, words), _after(text, end, words)) for start, end in bounds]


def _before(text: str, end: int, most: int) -> str:
    reach = _CHARACTERS_PER_WORD * (most + 1)
    while True:
        start = max(end - min(reach, _FARTHEST), 0)
        words = text[start:end].rsplit(None, most)
        # The first word may be cut; with one more than asked for it does not count.
        if len(words) > most or start == 0 or reach >= _FARTHEST:
            return " ".join(words[max(len(words) - most, 0) :])
        reach *= 4


def _after(text: str, start: int, most: int) -> str:
    reach = _CHARACTERS_PER_WORD * (most + 1)
    while True:
        words = text[start : start + min(reach, _FARTHEST)].split(None, most)
        if len(words) > most or start + reach >= len(text) or reach >= _FARTHEST:
            return " ".join(words[:most])
        reach *= 4
