"""Reads the pages of a crawl: of the sites, those met last are in memory, the others wait in the store.

A crawl over many sites comes back to each of them after hundreds of pages of others. So those in memory are folded
first, to a tenth of their size or less, and leave it only when all of them together take too much room: a site of which
one page was read has taught too little to be stored, and would be as unknown when its second page comes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from haenyeo.collect.adapters.archive import archived_html
from haenyeo.collect.adapters.reading.site_texts import ContainerTexts, MethodTexts, Settled
from haenyeo.collect.adapters.reading.unsettled import Unsettled
from haenyeo.html.charset import decode
from haenyeo.html.parse import parse_text
from haenyeo.html.urls import site_of
from haenyeo.model.pages import Document, Markup, Url
from haenyeo.model.registry import NO_OPTIONS, Options
from haenyeo.model.visits import Answer
from haenyeo.read.extract import ContainerMethod, method_named
from haenyeo.read.language import language_of
from haenyeo.read.title import naming_host, title_of
from haenyeo.store import PartState, Store

PART = "read"
"""The part under whose name the store has what sites have taught; the key is the site."""
EARLIER = "read-earlier"
"""The part that has what sites taught before their last redesign."""
MOST_OPEN = 48
"""Sites in memory unfolded, about a quarter of a megabyte each at most."""
MOST_FOLDED_BYTES = 20 << 20
"""Of sites in memory folded; some kilobytes each at first."""
BOILERPLATE = "only boilerplate"
"""The mark of a page on which nothing is its own; all of its text is kept then."""


def state_part(extractor: str) -> str:
    """The part under whose name the store has what a way to read has learned."""
    return PART if method_named(extractor) is ContainerMethod else f"{PART}-{extractor}"


class ReadPage(msgspec.Struct, frozen=True):
    """A page that was read, what is to be stored of its site, and earlier pages that can be read better now."""

    document: Document
    states: Sequence[PartState] = ()
    settled: Sequence[Settled] = ()
    mark: str = ""


class ReadVersion(NamedTuple):
    """A version of a page: what it says, and all the texts that are in it."""

    text: str
    page: str


class CrawlReader:
    """Gives every page of a crawl its text; `extractor` is the name of the way to read, `parts` has its options."""

    def __init__(self, store: Store, extractor: str, parts: Options = NO_OPTIONS) -> None:
        self._store = store
        self._method = method_named(extractor, parts)
        self._part = state_part(extractor)
        self._sites: OrderedDict[str, ContainerTexts | MethodTexts] = OrderedDict()
        self._open: OrderedDict[str, None] = OrderedDict()
        self._folded: dict[str, int] = {}
        self._folded_bytes = 0
        self._saved: dict[str, int] = {}
        self._unsettled = Unsettled(store)

    def read(self, answer: Answer, markup: Markup) -> ReadPage:
        """What a page says, and what it has taught about its site."""
        url = answer.final_url
        site = site_of(url)
        texts = self._texts_of(site)
        waiting = texts.waiting
        text = texts.read(url, markup, lambda: decode(answer.body, answer.content_type or None))
        mark = BOILERPLATE if not text and markup.blocks else ""
        document = Document(
            url=url,
            title=_title(url, markup, texts),
            text=markup.text if mark else text,
            language=language_of(markup.language, text),
            kind="" if mark else texts.kind,
        )
        settled = list(texts.settle(self._again)) if texts.may_settle else ()
        states = self._states(site, texts)
        if texts.waiting != waiting:
            states = (*states, *self._unsettled.states(site, texts.waiting))
        return ReadPage(document, states, settled, mark)

    def versions(self, url: Url, old: str, new: str) -> tuple[ReadVersion, ReadVersion]:
        """What two versions of a page say, both read with what its site has taught by now; nothing is learned."""
        pages = [parse_text(html, url) for html in (old, new)]
        first, second = self._texts_of(site_of(url)).again(url, pages, (old, new))
        return ReadVersion(first, pages[0].text), ReadVersion(second, pages[1].text)

    def begin_anew(self, site: str, markup: Markup | None, url: Url) -> tuple[str, ...]:
        """Forget how a site is read, since it was redesigned, and return the containers its texts were in.

        What was known is kept under another name. The page at `url` was the first of the new design; it is learned
        from, and settled with those that follow.
        """
        texts = self._texts_of(site)
        if not isinstance(texts, ContainerTexts):
            return ()
        value = texts.to_bytes()
        if value is not None:
            self._store.put_state(EARLIER, site, value)
        self._store.put_state(self._part, site, b"")
        self._sites[site] = anew = ContainerTexts()
        self._saved[site] = 0
        if markup is not None:
            anew.read(url, markup, str)
        return texts.containers

    def remember(self) -> Iterator[Settled]:
        """Store what was learned; the pages that waited for more of their site are read with what there is."""
        for site in tuple(self._unsettled.left):
            self._texts_of(site)
        while self._sites:
            yield from self._put_aside()
        self._open.clear()

    def _texts_of(self, site: str) -> ContainerTexts | MethodTexts:
        texts = self._sites.get(site)
        if texts is None:
            texts = self._sites[site] = self._made(self._store.state(self._part, site))
            self._saved[site] = texts.learned
            self._go_on(site, texts)
        self._sites.move_to_end(site)
        self._open[site] = None
        self._open.move_to_end(site)
        self._folded_bytes -= self._folded.pop(site, 0)
        self._make_room()
        return texts

    def _make_room(self) -> None:
        """Fold the sites not met lately, and put those of them aside that were not met for the longest time."""
        while len(self._open) > MOST_OPEN:
            site, _ = self._open.popitem(last=False)
            size = self._folded[site] = self._sites[site].fold()
            self._folded_bytes += size
        while self._folded_bytes > MOST_FOLDED_BYTES:
            for page in self._put_aside():
                self._store.put_text(page.url, page.text)

    def _go_on(self, site: str, texts: ContainerTexts | MethodTexts) -> None:
        """Read again what a crawl that died had read of a site, as if it came now."""
        for url in self._unsettled.left.pop(site, ()):
            html = archived_html(self._store, url)
            if html:
                text = texts.read(url, parse_text(html, url), partial(str, html))
                if text and url not in texts.waiting:
                    self._store.put_text(url, text)

    def _again(self, url: Url) -> Markup | None:
        """A page that waits without its content, as the archive has it."""
        html = archived_html(self._store, url)
        return parse_text(html, url) if html else None

    def _made(self, state: bytes | None) -> ContainerTexts | MethodTexts:
        if self._method is ContainerMethod:
            return ContainerTexts() if state is None else ContainerTexts.from_bytes(state)
        return MethodTexts(self._method() if state is None else self._method.from_bytes(state))

    def _states(self, site: str, texts: ContainerTexts | MethodTexts) -> Sequence[PartState]:
        """What is stored with the page: not all that it taught, but each time there is twice as much."""
        if texts.learned < 2 * max(2, self._saved[site]):
            return ()
        self._saved[site] = texts.learned
        value = texts.to_bytes()
        return () if value is None else (PartState(part=self._part, key=site, value=value),)

    def _put_aside(self) -> Iterator[Settled]:
        site, texts = self._sites.popitem(last=False)
        self._folded_bytes -= self._folded.pop(site, 0)
        yield from texts.settle(self._again)
        yield from texts.reconsider(self._again)
        for state in self._unsettled.states(site, ()):
            self._store.put_state(state.part, state.key, state.value)
        if texts.learned != self._saved.pop(site, 0) or isinstance(texts, MethodTexts):
            value = texts.to_bytes()
            if value is not None:
                self._store.put_state(self._part, site, value)


def _title(url: Url, markup: Markup, texts: ContainerTexts | MethodTexts) -> str:
    """The title of a page by all that its site has taught."""
    names = texts.names_in(markup.title, markup.blocks)
    return title_of(markup.title, markup.blocks, repeated=names, host=naming_host(url))
