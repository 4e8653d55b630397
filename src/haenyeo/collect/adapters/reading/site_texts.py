"""One site in a crawl: its pages are read as they come, with as little work as will do.

The first pages are judged one by one and read provisionally; once enough have come to know the site's template they
are *settled*: read again. They wait packed, or, where that would take too much room, as addresses of pages that the
archive has. From then on pages are skimmed (`read.site.skim`), and fewer and fewer pages are learned from. A page that
fits no known template is read in full as long as that tells more than a quick look; those read while it told much are
read once more when all is known that the site has taught.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol, Self

from haenyeo.model.pages import Block, Markup, Url
from haenyeo.read.documents import cleaned_text_of
from haenyeo.read.extract import Method
from haenyeo.read.page.expected import best_cut
from haenyeo.read.page.judge import JudgedPage
from haenyeo.read.site.reader import SiteReader
from haenyeo.read.site.reading import FEW_PAGES

MOST_WAITING = 8
"""Pages of a site that wait to be settled."""
MOST_HELD = 250_000
"""Bytes of memory that a site may take while pages wait."""
_SITE_BYTES = 3_000  # of a site of which nothing is known yet
FIRST_SAVED = 3
"""Pages that must have been learned for it to be worth storing."""

_JUDGED, _GROWTH = 4, 1.0  # the judge sees the first pages, then only as many again each time their number has doubled
_EVERY = 5  # pages that are all learned from; of the later ones fewer and fewer
_WORTH = 0.05  # of a page's text: what must be at stake on pages of unknown templates for one to be read in full
_MOST_DOUBTED = 300  # pages of a site that are read once more in the end
_LATELY = 0.3  # how much the last such reading says of what is at stake on the next page


class Settled(NamedTuple):
    """A page that was read before, and its text as it is read now."""

    url: Url
    text: str


Again = Callable[[Url], Markup | None]
"""Gives a page that was read before once more, if it is still there."""


class SiteTexts(Protocol):
    """Reads the pages of one site as they come; `kind` is that of the page read last, as far as it is known."""

    kind: str

    def read(self, url: Url, markup: Markup, html: Callable[[], str]) -> str:
        """The text of a page; what it teaches is kept."""
        ...

    def again(self, url: Url, pages: Sequence[Markup], html: Sequence[str]) -> list[str]:
        """The texts of versions of one page, all read in the same way; nothing is learned."""
        ...

    def settle(self, again: Again) -> Iterator[Settled]:
        """The pages that can be read better now than they were."""
        ...

    def reconsider(self, again: Again) -> Iterator[Settled]:
        """The pages that were read when little was known, as they are read when no more will come."""
        ...

    def names_in(self, title: str, blocks: Sequence[Block]) -> frozenset[str]:
        """The parts of a title element that most pages of the site have."""
        ...

    def fold(self) -> int:
        """Take as little room as will do until the next page; returns how many bytes that are, nearly."""
        ...

    def to_bytes(self) -> bytes | None:
        """All that was learned, if it is worth storing."""
        ...


class ContainerTexts:
    """Reads with the site's container, as `read.extract.ContainerMethod` does, but page by page."""

    def __init__(self, reader: SiteReader | None = None) -> None:
        self._reader = reader or SiteReader(judged=_JUDGED, growth=_GROWTH)
        self._met = self._reader.pages
        self._due = self._met + 1
        self._stake, self._at_stake = 1.0, 0.0  # share of a page that is read otherwise in full; of all since the last
        self.kind = ""
        self._doubted: dict[Url, None] = {}
        self._waiting: dict[Url, bytes] = {}  # packed, or empty where there is no room for the page

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """One that goes on where another has been written."""
        return cls(SiteReader.from_bytes(data, judged=_JUDGED, growth=_GROWTH))

    def read(self, url: Url, markup: Markup, html: Callable[[], str]) -> str:
        """The text of a page; what it teaches is kept."""
        del html
        self._met += 1
        page = JudgedPage.of(markup) if self._met >= self._due else None
        if page is not None:
            will_wait = self._reader.pages + 1 < FEW_PAGES
            self._reader.learn(page.judged() if will_wait else page)
            self._due = self._met + 1 + max(0, self._met - _EVERY) // 2
        if self._reader.pages < FEW_PAGES:
            page = page or JudgedPage.of(markup)
            self.kind = page.kind
            return self._provisional(url, markup, page)
        kept = self._kept(url, markup, page)
        is_judged = page is not None and page.is_judged
        self.kind = page.kind if page and is_judged else self._reader.kind_of(markup.blocks, kept)
        return cleaned_text_of([markup.blocks[number] for number in kept])

    def again(self, url: Url, pages: Sequence[Markup], html: Sequence[str]) -> list[str]:
        """The texts of versions of one page, all read in the same way; nothing is learned."""
        del url, html
        if self._reader.pages < FEW_PAGES:
            return [_cut(page, JudgedPage.of(page)) for page in pages]
        skimmed = [self._reader.skim(page.blocks) for page in pages]
        if all(kept is not None for kept in skimmed):
            kept_blocks = zip(pages, skimmed, strict=True)
            return [cleaned_text_of([page.blocks[number] for number in kept or ()]) for page, kept in kept_blocks]
        return [self._read_again(page) for page in pages]

    def _read_again(self, markup: Markup) -> str:
        return self._text_of(JudgedPage.of(markup))

    def _text_of(self, page: JudgedPage) -> str:
        """The text of a page, of whose blocks its outline may not have all."""
        kept = zip(page.outline.blocks, self._reader.read(page).kept, strict=True)
        return cleaned_text_of([block for block, keep in kept if keep])

    def _kept(self, url: Url, markup: Markup, page: JudgedPage | None) -> list[int]:
        kept = self._reader.skim(markup.blocks)
        if kept is not None:
            return kept
        if self._stake >= _WORTH and len(self._doubted) < _MOST_DOUBTED:
            self._doubted[url] = None
        self._at_stake += self._stake
        if page is None and self._at_stake < _WORTH:
            return self._reader.skim_any(markup.blocks)
        self._at_stake = 0.0
        return self._in_full(markup, page)

    def settle(self, again: Again) -> Iterator[Settled]:
        """The first pages, once more is known of the site than each of them has taught."""
        waiting, self._waiting = self._waiting, {}
        for url, packed in waiting.items():
            page = JudgedPage.from_bytes(packed) if packed else _judged(again(url))
            if page is not None:
                yield Settled(url, self._text_of(page))

    def reconsider(self, again: Again) -> Iterator[Settled]:
        """The pages that fitted no template when little was known of these."""
        doubted, self._doubted = self._doubted, {}
        for url in doubted:
            markup = again(url)
            if markup is not None and (text := self._read_again(markup)):
                yield Settled(url, text)

    @property
    def waiting(self) -> tuple[Url, ...]:
        """The pages that wait to be settled."""
        return tuple(self._waiting)

    @property
    def containers(self) -> tuple[str, ...]:
        """The paths to the elements that hold the site's texts, as far as they are known."""
        return self._reader.containers

    @property
    def may_settle(self) -> bool:
        """Do pages wait that can be read for good?"""
        return bool(self._waiting) and self._reader.pages >= FEW_PAGES

    @property
    def learned(self) -> int:
        """How many pages have been learned from."""
        return self._reader.pages

    def names_in(self, title: str, blocks: Sequence[Block]) -> frozenset[str]:
        """The parts of a title element that most pages of the site have."""
        return self._reader.names_in(title, blocks)

    def fold(self) -> int:
        """Take as little room as will do until the next page; returns how many bytes that are, nearly."""
        return _SITE_BYTES + self._reader.fold() + sum(map(len, self._waiting.values()))

    def to_bytes(self) -> bytes | None:
        """All that was learned, if it is worth storing."""
        return self._reader.to_bytes() if self._reader.pages >= FIRST_SAVED else None

    def _provisional(self, url: Url, markup: Markup, page: JudgedPage) -> str:
        if len(self._waiting) < MOST_WAITING:
            self._waiting[url] = page.to_bytes()
        self._make_room()
        return _cut(markup, page)

    def _make_room(self) -> None:
        """Of waiting pages that take too much keep no more than the address, of the longest first."""
        while self._reader.held + sum(map(len, self._waiting.values())) > MOST_HELD and any(self._waiting.values()):
            longest = max(self._waiting, key=lambda url: len(self._waiting[url]))
            self._waiting[longest] = b""

    def _in_full(self, markup: Markup, page: JudgedPage | None) -> list[int]:
        """Read a page that fits no known template, learn from it, and note what a quick look would have missed."""
        quick = self._reader.skim_any(markup.blocks)
        if page is None:
            page = JudgedPage.of(markup)
            self._reader.learn(page)
        kept = [number for number, keep in enumerate(self._reader.read(page).kept) if keep]
        self._stake += _LATELY * (_difference(markup, quick, kept) - self._stake)
        return kept


def _difference(markup: Markup, one: Sequence[int], other: Sequence[int]) -> float:
    """How much two readings differ: 1 less the F of one against the other, in letters."""
    first, second, both = (
        sum(len(markup.blocks[number].text) for number in some) for some in (one, other, set(one).intersection(other))
    )
    return 1 - 2 * both / (first + second) if first + second else 0.0


def _cut(markup: Markup, page: JudgedPage) -> str:
    """The text of a page of whose site little is known."""
    kept, _ = best_cut(page.likely, page.outline.weight)
    return cleaned_text_of([markup.blocks[number] for number in kept.nonzero()[0].tolist()])


def _judged(markup: Markup | None) -> JudgedPage | None:
    return JudgedPage.of(markup) if markup is not None else None


class MethodTexts:
    """Reads with any other method; each page is read at once, with what the pages before it have taught."""

    def __init__(self, method: Method) -> None:
        self._method = method
        self.kind = ""

    def read(self, url: Url, markup: Markup, html: Callable[[], str]) -> str:
        """The text of a page."""
        del markup
        document = self._method.read(self._method.learn(url, html()))
        self.kind = document.kind
        return document.text

    def again(self, url: Url, pages: Sequence[Markup], html: Sequence[str]) -> list[str]:
        """The texts of versions of one page, with what the site has taught; nothing is learned."""
        del pages
        looking = type(self._method)()
        return [self._method.read(looking.learn(url, each)).text for each in html]

    def settle(self, again: Again) -> Iterator[Settled]:
        """None: only `haenyeo read` gives such a method a second look."""
        del again
        return iter(())

    def reconsider(self, again: Again) -> Iterator[Settled]:
        """None, for the same reason."""
        return self.settle(again)

    @property
    def waiting(self) -> tuple[Url, ...]:
        """No page."""
        return ()

    @property
    def may_settle(self) -> bool:
        """Never."""
        return False

    @property
    def learned(self) -> int:
        """Unknown."""
        return 0

    def names_in(self, title: str, blocks: Sequence[Block]) -> frozenset[str]:
        """None: a method does not tell."""
        del title, blocks
        return frozenset()

    def fold(self) -> int:
        """Nothing can be folded; what a method takes is not known, but no more than what a site may take."""
        return MOST_HELD

    def to_bytes(self) -> bytes | None:
        """All that was learned."""
        return self._method.to_bytes() or None
