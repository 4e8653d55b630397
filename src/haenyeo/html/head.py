"""What a page says about itself: title, language, addresses, and what robots may do with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from haenyeo.html.charset import UTF8, query_written
from haenyeo.html.guard.signs import Sign, behind_signs, count_signs
from haenyeo.html.refresh import meta_refresh
from haenyeo.html.urls import resolve, tidied
from haenyeo.model.pages import Block, Markup, Outlink, Url

Attributes = Mapping[str, str | None]

MOST_TYPES = 60
"""Of each way to say it, how many are looked at."""

_Page = TypeVar("_Page", str, bytes)


class _Named(NamedTuple):
    """A sign behind which a type is named, and how."""

    sign: Sign
    pattern: re.Pattern[bytes]


class _Graph(NamedTuple, Generic[_Page]):
    """The sign of OpenGraph's types, and the ways to name one around it, for pages of one kind of string."""

    sign: _Page
    patterns: tuple[re.Pattern[_Page], ...]


_NAMED = r'\s{0,9}:\s{0,9}(?:\[\s{0,9})?"(?:https?://schema\.org/)?([A-Za-z]{1,40})"'
_LETTERS = "([A-Za-z]{1,40})"
_GRAPH = (
    r"""og:type["']?\s{1,9}content\s{0,9}=\s{0,9}["']?([A-Za-z]{1,40})""",
    r"""content\s{0,9}=\s{0,9}["']?([A-Za-z]{1,40})[^<>]{0,80}og:type""",
)
_SCHEMA_SIGN = Sign(b"schema.org", len("schema"))  # without which nothing names a type of it
_SCHEMA_WAYS = (
    _Named(Sign(b'"@type"', len('"')), re.compile(_NAMED.encode())),
    _Named(Sign(b"schema.org/", len("schema")), re.compile(_LETTERS.encode())),
)
_GRAPH_SIGN = "og:type"
_GRAPH_SIGN_IN_BYTES = Sign(_GRAPH_SIGN.encode(), len("og"))
_GRAPH_IN_TEXT = _Graph(_GRAPH_SIGN, tuple(re.compile(pattern, re.ASCII) for pattern in _GRAPH))
_GRAPH_IN_BYTES = _Graph(_GRAPH_SIGN.encode(), tuple(re.compile(pattern.encode()) for pattern in _GRAPH))
_HEAD = 1 << 16  # characters
_BEHIND = 128  # bytes behind a sign, of which no type takes more
_BESIDE = 200  # characters around the type of OpenGraph
_FEEDS = frozenset({"application/atom+xml", "application/rss+xml"})
_WORDS = re.compile(r"[^\s,]+")
_ORDERS = frozenset({"noindex", "nofollow", "none"})  # by which a meta tag for one crawler is told from all others
_LONGEST_ORDER = 200  # characters


class PageHead:
    """Collects what the head elements of one page say; where only one value is allowed, the first counts.

    Addresses are kept as written until all is read, because the base may come last. Their queries are in the charset
    of the `codec`, as the page is.
    """

    def __init__(self, codec: str = UTF8) -> None:
        self._codec = codec
        self.title = ""
        self.language = ""
        self.robots: set[str] = set()
        self.robots_for: dict[str, frozenset[str]] = {}
        self._base: str | None = None
        self._canonical: str | None = None
        self._refresh: str | None = None
        self._feeds: list[str] = []

    def note_title(self, text: str) -> None:
        """Note the text of a title element."""
        self.title = self.title or " ".join(text.split())

    def note_html(self, attributes: Attributes) -> None:
        """Note the attributes of the html element."""
        self.language = (attributes.get("lang") or attributes.get("xml:lang") or "").strip()

    def note_base(self, attributes: Attributes) -> None:
        """Note the attributes of a base element."""
        if self._base is None:
            self._base = attributes.get("href")

    def note_link(self, attributes: Attributes) -> None:
        """Note the attributes of a link element."""
        href = attributes.get("href")
        if href is None:
            return
        relations = _word(attributes, "rel").split()
        if "canonical" in relations and self._canonical is None:
            self._canonical = href
        elif "alternate" in relations and _word(attributes, "type").partition(";")[0].strip() in _FEEDS:
            self._feeds.append(href)

    def note_meta(self, attributes: Attributes) -> None:
        """Note the attributes of a meta element."""
        content = attributes.get("content") or ""
        name = _word(attributes, "name")
        if name == "robots":
            self.robots.update(_WORDS.findall(content.lower()))
        elif self._refresh is None and _word(attributes, "http-equiv") == "refresh":
            self._refresh = content
        elif (
            name and len(content) <= _LONGEST_ORDER and not _ORDERS.isdisjoint(words := _WORDS.findall(content.lower()))
        ):
            self.robots_for[name] = self.robots_for.get(name, frozenset()).union(words)

    def base(self, url: Url) -> Url:
        """The address that the page's links start from; a base that is no http(s) address counts for nothing."""
        return (_without_fragment(self._resolved(url, self._base)) or url) if self._base is not None else url

    def canonical(self, base: Url) -> Url | None:
        """The address that the page asks to be known by."""
        return _page(self._resolved(base, self._canonical)) if self._canonical else None

    def refresh(self, base: Url) -> Url | None:
        """Where the page sends its readers on to."""
        found = (
            meta_refresh(self._refresh if self._codec == UTF8 else query_written(self._refresh, self._codec), base)
            if self._refresh is not None
            else None
        )
        return _page(found[1]) if found else None

    def feeds(self, base: Url) -> tuple[Url, ...]:
        """The addresses of the page's feeds, each once."""
        if not self._feeds:
            return ()
        found = (_page(self._resolved(base, href)) for href in self._feeds)
        return tuple(dict.fromkeys(url for url in found if url))

    def _resolved(self, base: Url, href: str) -> Url | None:
        return resolve(base, href if self._codec == UTF8 else query_written(href, self._codec))

    def markup(
        self, base: Url, blocks: tuple[Block, ...], links: tuple[Outlink, ...], utf8: bytes, cut: str = ""
    ) -> Markup:
        """The page with this head, this base and these blocks and links; `utf8` is the text of the blocks."""
        return Markup(
            title=self.title,
            language=self.language,
            canonical=self.canonical(base),
            base=base,
            robots=frozenset(self.robots),
            robots_for=self.robots_for,
            refresh=self.refresh(base),
            feeds=self.feeds(base),
            blocks=blocks,
            links=links,
            utf8=utf8,
            cut=cut,
        )


NOTES: Mapping[str, Callable[[PageHead, Any], None]] = {
    "base": PageHead.note_base,
    "html": PageHead.note_html,
    "link": PageHead.note_link,
    "meta": PageHead.note_meta,
    "title": PageHead.note_title,
}
"""Takes in the attributes of an element of this name, or the text of a title."""


def _word(attributes: Attributes, name: str) -> str:
    value = attributes.get(name)
    return value.strip().lower() if value else ""


def _without_fragment(url: Url | None) -> Url | None:
    return Url(url.partition("#")[0]) if url else None


def _page(url: Url | None) -> Url | None:
    """The address without its fragment and what else can never change the page."""
    return tidied(Url(url.partition("#")[0])) if url else None


def said_types(page: str | bytes) -> frozenset[str]:
    """The types that a page names, in lower case: those of schema.org wherever they stand, OpenGraph's near its top.

    >>> graph = '<meta property="og:type" content="article">'
    >>> linked = '<script>{"@context": "https://schema.org", "@type": "NewsArticle"}</script>'
    >>> sorted(said_types(graph + linked))
    ['newsarticle', 'og:article']
    """
    if isinstance(page, str):
        return _schema_types(page) | _graph_type(page, _GRAPH_IN_TEXT)
    types = _schema_types(page)
    if not count_signs(page, _GRAPH_SIGN_IN_BYTES, end=_HEAD, most=1):  # in a third of the time that `find` takes
        return types
    return types | _graph_type(page, _GRAPH_IN_BYTES)


def _schema_types(page: str | bytes) -> frozenset[str]:
    if not behind_signs(page, _SCHEMA_SIGN, 1, 0):
        return frozenset()
    pieces = [
        (way.pattern, piece) for way in _SCHEMA_WAYS for piece in behind_signs(page, way.sign, MOST_TYPES, _BEHIND)
    ]
    found = [pattern.match(piece) for pattern, piece in pieces]
    return frozenset([match[1].decode().lower() for match in found if match])


def _graph_type(page: _Page, ways: _Graph[_Page]) -> frozenset[str]:
    place = page.find(ways.sign, 0, _HEAD)
    if place < 0:
        return frozenset()
    beside = page[max(0, place - _BESIDE) : place + _BESIDE]
    match = next(filter(None, (pattern.search(beside) for pattern in ways.patterns)), None)
    return frozenset([f"og:{_string(match[1]).lower()}"] if match else [])


def _string(name: str | bytes) -> str:
    return name if isinstance(name, str) else name.decode()
