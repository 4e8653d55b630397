"""The links of a page, each described only when it is asked for; most never are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import overload

from haenyeo.html.surroundings import WORDS, PageText
from haenyeo.model.pages import Block, Link, Markup, Outlink, Url


class PageLinks(Sequence[Link]):
    """Some links of a page, in the order given; where they lead and stand is known without describing them.

    So many `words` on each side describe a link.
    """

    def __init__(self, markup: Markup, outlinks: Sequence[Outlink], words: int = WORDS) -> None:
        self.blocks: tuple[Block, ...] = markup.blocks
        self.outlinks = list(outlinks)
        self._page = PageText(markup, words)
        self._described: dict[int, Link] = {}

    @property
    def page_text(self) -> str:
        """The text of the page they stand on."""
        return self._page.text

    @cached_property
    def urls(self) -> list[Url]:
        """Where each of them leads."""
        return [outlink.url for outlink in self.outlinks]

    @property
    def paths(self) -> list[str]:
        """The path of the block each of them stands in."""
        blocks = self.blocks
        return [blocks[outlink.block].path if outlink.block >= 0 else "" for outlink in self.outlinks]

    def __len__(self) -> int:
        return len(self.outlinks)

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
        """The links at these places; quicker than asking for them one by one."""
        asked = list(places)
        known = self._described
        new = [place for place in asked if place not in known]
        if new:
            known.update(zip(new, self._page.links([self.outlinks[place] for place in new]), strict=True))
        return [known[place] for place in asked]

    def spans(self, places: Iterable[int]) -> bytes | None:
        """Where in the page's text the links at these places stand (see `PageText.spans`)."""
        return self._page.spans([self.outlinks[place] for place in places])
