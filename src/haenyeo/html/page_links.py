"""The links of a page, each described when somebody asks for it: most are asked for by nobody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from haenyeo.html.surroundings import PageText
from haenyeo.model.pages import Link, Markup, Outlink, Url


class PageLinks(Sequence[Link]):
    """Some links of a page, in the order given; their addresses and paths are known without describing them."""

    def __init__(self, markup: Markup, outlinks: Sequence[Outlink]) -> None:
        blocks = markup.blocks
        self.urls: list[Url] = [outlink.url for outlink in outlinks]
        self.paths: list[str] = [blocks[outlink.block].path if outlink.block >= 0 else "" for outlink in outlinks]
        self._page, self._outlinks = PageText(markup), outlinks
        self._described: list[Link | None] = [None] * len(outlinks)

    @property
    def page_text(self) -> str:
        """The text of the page they stand on."""
        return self._page.text

    def __len__(self) -> int:
        return len(self._outlinks)

    @overload
    def __getitem__(self, place: int) -> Link: ...
    @overload
    def __getitem__(self, place: slice) -> list[Link]: ...
    def __getitem__(self, place: int | slice) -> Link | list[Link]:
        if isinstance(place, slice):
            return self.some(range(len(self))[place])
        return self.some([range(len(self))[place]])[0]

    def __iter__(self) -> Iterator[Link]:
        return iter(self.some(range(len(self))))

    def some(self, places: Iterable[int]) -> list[Link]:
        """The links at these places: all at once take less than one by one."""
        asked = list(places)
        known = self._described
        new = [place for place in asked if known[place] is None]
        if new:
            found = self._page.links([self._outlinks[place] for place in new])
            for place, described in zip(new, found, strict=True):
                known[place] = described
        return [link for place in asked if (link := known[place]) is not None]
