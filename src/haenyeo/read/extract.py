"""Reads pages of one site together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, Self

import msgspec
import numpy as np
from xxhash import xxh3_64_digest

from haenyeo.html.parse import parse_text
from haenyeo.model.pages import Document, Markup, Url
from haenyeo.model.registry import NO_OPTIONS, Options, configured_part
from haenyeo.read.documents import document_of
from haenyeo.read.facts import Facts, facts_of
from haenyeo.read.page.judge import JudgedPage, PageJudgement
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.site.reader import SiteReader
from haenyeo.read.site.reading import SiteReading

Prepared = bytes
"""A page after the first look, small enough to be put aside until all pages of its site have been seen."""

USUAL = "container"
"""The name of the way to read that is meant if none is named."""

MOST_PREPARED = 64 << 20
"""Bytes of pages that are put aside while all pages given are learned; further ones are looked at twice."""


class Method(Protocol):
    """Reads the pages of one site in two passes: first every page is learned, then every page is read."""

    def learn(self, url: Url, html: str) -> Prepared:
        """Learn from a page of the site; returns what `read` needs to read it."""
        ...

    def read(self, prepared: Prepared) -> Document:
        """The document of a page; called after all pages have been learned."""
        ...

    def to_bytes(self) -> bytes:
        """All that has been learned."""
        ...

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """A method with the state that `to_bytes` gave; a new one if the bytes are damaged."""
        ...


class _LearnedPage(msgspec.Struct, array_like=True):
    """A page that has been learned; `alone` is how it was read while it was the only page of its site."""

    url: Url
    markup: Markup
    facts: Facts
    duplicate: bool
    outline: bytes
    judged: tuple[bytes, str, float] | None
    alone: bytes | None


_decoder = msgspec.msgpack.Decoder(_LearnedPage)
_ONLY_PAGE, _DIGEST_BYTES = b"page:", 8


def _judgement(packed: tuple[bytes, str, float] | None) -> PageJudgement | None:
    return PageJudgement(np.frombuffer(packed[0], np.float32), *packed[1:]) if packed else None


def _judged_page(written: _LearnedPage) -> JudgedPage:
    outline = PageOutline.from_bytes(written.markup.blocks, written.outline)
    return JudgedPage.of(written.markup, outline, _judgement(written.judged))


def _packed(judgement: PageJudgement) -> tuple[bytes, str, float]:
    return judgement.likely.tobytes(), judgement.kind, judgement.thread


class ContainerMethod:
    """Finds the container of the site's texts; see `site.lessons`."""

    def __init__(self, reader: SiteReader | None = None, only_page: bytes = b"") -> None:
        self._known = reader or SiteReader()
        self._only_page = only_page  # packed: most sites of which a page is met have no other, and need nothing else
        self._prepared: Callable[[], Prepared] | None = None  # the same, where others have put it aside
        self._first: tuple[bytes, _LearnedPage] | None = (
            None  # the page that is held anyway, by the digest of its bytes
        )

    @property
    def _reader(self) -> SiteReader:
        """What is known of the site, with its first page if that has been put aside."""
        packed, self._only_page = self._only_page, b""
        prepared, self._prepared = self._prepared, None
        if packed:
            self._known.learn(JudgedPage.from_bytes(packed))
        elif prepared:
            self._known.learn(_judged_page(_decoder.decode(prepared())))
        return self._known

    def learn(self, url: Url, html: str) -> Prepared:
        """Learn from a page of the site."""
        markup = parse_text(html, url)
        page = JudgedPage.of(markup)
        is_new = self._reader.learn(page)
        alone = self._reader.read(page).to_bytes() if self._reader.pages == 1 else None
        judged = _packed(page.judgement) if page.is_judged else None
        learned = _LearnedPage(url, markup, facts_of(html), not is_new, page.outline.to_bytes(), judged, alone)
        prepared = msgspec.msgpack.encode(learned)
        self._first = (xxh3_64_digest(prepared), learned) if self._reader.first is page else None
        return prepared

    def read(self, prepared: Prepared) -> Document:
        """What the page says."""
        is_first = self._first is not None and self._first[0] == xxh3_64_digest(prepared)
        written = self._first[1] if self._first and is_first else _decoder.decode(prepared)
        judged = _judgement(written.judged)
        if written.alone and (self._only_page or self._prepared or self._reader.pages == 1):
            reading = SiteReading.from_bytes(written.alone)
        else:
            page = _judged_page(written)
            reading = self._reader.read(page)
            judged = page.judgement if page.is_judged else None
        kind = (
            judged.kind
            if judged
            else self._reader.kind_of(written.markup.blocks, np.flatnonzero(reading.kept).tolist())
        )
        return document_of(written.url, written.markup, reading, written.facts, duplicate=written.duplicate, kind=kind)

    def to_bytes(self) -> bytes:
        """All that has been learned of the site."""
        if self._prepared:
            self._only_page, self._prepared = _judged_page(_decoder.decode(self._prepared())).to_bytes(), None
        first = None if self._only_page else self._known.first
        packed = first.to_bytes() if first else self._only_page
        return _ONLY_PAGE + xxh3_64_digest(packed) + packed if packed else self._known.to_bytes()

    @classmethod
    def of_page(cls, prepared: Callable[[], Prepared]) -> Self:
        """A method that has learned one page; what `learn` returned of it is asked for when it is needed."""
        method = cls()
        method._prepared = prepared
        return method

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """A method with the state that `to_bytes` gave."""
        if not data.startswith(_ONLY_PAGE):
            return cls(SiteReader.from_bytes(data))
        start = len(_ONLY_PAGE) + _DIGEST_BYTES
        digest, packed = data[len(_ONLY_PAGE) : start], data[start:]
        return cls(only_page=packed if xxh3_64_digest(packed) == digest else b"")


def method_named(name: str, parts: Options = NO_OPTIONS) -> type[Method]:
    """The way to read of this name, built in or installed, with its options in `parts` if there are any.

    Raises `UnknownPartError` that lists the known ones. The usual one is not looked for: that takes longer than a page.
    """
    if name == USUAL and not parts.get(name):
        return ContainerMethod
    method: type[Method] = configured_part("extractors", name, parts)
    return method


def extract_site(pages: Sequence[tuple[str, str]], method: str = USUAL) -> list[Document]:
    """What each page of a site says, from addresses and HTML; the pages teach the reader where the site's text stands.

    >>> page = "<title>Reefs</title><p>Divers know the tides, and they know every reef by its name."
    >>> extract_site([("https://example.org/", page)])[0].text
    'Divers know the tides, and they know every reef by its name.'
    """
    from haenyeo.read.markdown import with_markdown

    documents = _read_together(pages, method_named(method))
    return [with_markdown(document, html) for document, (_, html) in zip(documents, pages, strict=True)]


def extract_texts(pages: Sequence[tuple[str, str]], method: str = USUAL) -> list[str]:
    """The text of each page of a site; quicker than `extract_site`, because nothing else is computed."""
    return [document.text for document in _read_together(pages, method_named(method))]


def _read_together(pages: Sequence[tuple[str, str]], kind: type[Method]) -> Iterator[Document]:
    """The document of each page, after all were learned; pages for which there is no room are learned again."""
    way, room = kind(), MOST_PREPARED
    held: list[Prepared] = []
    learned_of_held = b""
    for url, html in pages:
        prepared = way.learn(Url(url), html)
        if room > 0:
            held.append(prepared)
            room -= len(prepared)
            learned_of_held = way.to_bytes() if room <= 0 else b""
    yield from map(way.read, held)
    rest = pages[len(held) :]
    held.clear()
    again = kind.from_bytes(learned_of_held) if rest else way
    for url, html in rest:
        yield way.read(again.learn(Url(url), html))
