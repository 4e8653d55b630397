"""The quick way to read a page: one pass over its characters by a compiled scanner, without a tree.

The scanner is built with the package where there is a compiler. It declines pages whose tags are so nested that the
standard's rules would move content about; those, and all pages where there is no scanner, go the long way over a tree
(`parse`), which gives the same for every page of which it need not cut anything off. Pages that show their text only to
readers without scripts are read once more with their `noscript` elements opened.
"""

from __future__ import annotations

import functools
import html.entities
import re
from collections.abc import Callable
from types import ModuleType
from typing import Protocol, TypeVar, cast

from selectolax.lexbor import LexborHTMLParser

from haenyeo import native
from haenyeo.html.blocks import MAX_CLASSES, MAX_SIGNS, first_classes, path_to, signs_to
from haenyeo.html.charset import UTF8
from haenyeo.html.guard import MAX_CHARACTERS, OPTIONS
from haenyeo.html.head import NOTES, Attributes, PageHead
from haenyeo.html.links import Resolver
from haenyeo.model.pages import Block, Markup, Outlink, Url

_Found = tuple[tuple[Block, ...], tuple[Outlink, ...], bytes]
_Told = list[tuple[str, Attributes | str]]
"""What the elements of the head say, in page order."""
_Start = tuple[str, str, Callable[[str], Url | None]]
"""Where links start: the page's origin and folder, and who resolves an address that is not plain."""

LITTLE_TEXT = 2_000
"""Characters: a page that has more outside of `noscript` elements is read as it is."""

_Page = TypeVar("_Page", str, bytes)

_TAG = re.compile(r"<(/?)noscript(?=[\s/>])", re.IGNORECASE)
_TAG_IN_BYTES = re.compile(rb"<(/?)noscript(?=[\s/>])", re.IGNORECASE)
_TITLE = re.compile(r"<title(?=[\s/>])[^>]*+>[^<\n]*+", re.IGNORECASE)
_TITLE_END = re.compile(r"</title[\s/>]", re.IGNORECASE)
_TITLE_IN_BYTES = re.compile(_TITLE.pattern.encode(), re.IGNORECASE)
_TITLE_END_IN_BYTES = re.compile(_TITLE_END.pattern.encode(), re.IGNORECASE)
_LONGEST_CHARACTER = 4  # bytes of UTF-8
_TIMES = 2  # as much text as before: a notice that scripts are needed is less


class _Scanner(Protocol):
    def characters(self, page: bytes) -> int: ...

    def scan(self, page: str | bytes, read_head: Callable[[_Told], _Start | None]) -> _Found | None: ...


def _path_inside(path: str, name: str, classes: str) -> str:
    return path_to(path, name, first_classes(classes) if len(classes) > MAX_CLASSES else classes)


@functools.lru_cache(maxsize=1 << 10)
def _known_signs(outer: str, name: str, role: str, prop: str, style: str, hidden: bool) -> str:  # noqa: FBT001
    return signs_to(outer, name, role, prop, style, hidden)


def _signs_inside(outer: str, name: str, role: str, prop: str, style: str, hidden: bool) -> str:  # noqa: FBT001
    """The same as `signs_to`; most elements say what others said before."""
    is_short = len(name) + len(role) + len(prop) + len(style) <= MAX_SIGNS
    return (_known_signs if is_short else signs_to)(outer, name, role, prop, style, hidden)


def noscript_links(content: str) -> list[tuple[str | None, str | None, str | None]]:
    """Address, relation and text of each link in the content of a noscript element."""
    anchors = LexborHTMLParser(content, options=OPTIONS).css("a[href]")
    return [(anchor.attributes["href"], anchor.attributes.get("rel"), anchor.text()) for anchor in anchors]


def _lower_words(text: str) -> str:
    return " ".join(text.lower().split())


def configured(scanner: ModuleType) -> _Scanner:
    """The compiled scanner, told what to make and whom to ask."""
    scanner.configure(Block, Outlink, _path_inside, _signs_inside, noscript_links, _lower_words, html.entities.html5)
    return cast("_Scanner", scanner)


_loaded = native.load("scanner")
COMPILED = None if _loaded is None else configured(_loaded)


def characters(page: bytes) -> int:
    """How many characters these bytes of UTF-8 are; -1 if they are not UTF-8, or there is no scanner to tell."""
    return COMPILED.characters(page) if COMPILED else -1


def scanned(page: str | bytes, url: Url, *, linked: bool = True, codec: str = UTF8) -> Markup | None:
    """All that one pass over a page yields, with its links if they are wanted; None if it is for the long way.

    A page in bytes is in UTF-8; a text may have been written in the charset of another `codec`.
    """
    if COMPILED is None or len(page) > MAX_CHARACTERS:
        return None
    head, base = PageHead(codec), url

    def read_head(told: _Told) -> _Start | None:
        nonlocal base
        for element, what in told:
            NOTES[element](head, what)
        base = head.base(url)
        return Resolver(base, codec).start if linked else None

    found = COMPILED.scan(page, read_head)
    return head.markup(base, *found) if found else None


def opened(html: _Page) -> _Page:
    """The page with a plain element for each `noscript` element.

    >>> opened("<NoScript class=a>Tides</noscript>")
    '<div class=a>Tides</div>'
    """
    if isinstance(html, str):
        return _TAG.sub(r"<\1div", html)
    return _TAG_IN_BYTES.sub(rb"<\1div", html)


def mended(html: _Page) -> _Page:
    """The page with an end of its title, if that has none and so holds the rest of the page.

    >>> mended("<title>Low<p>Tides")
    '<title>Low</title><p>Tides'
    """
    if isinstance(html, str):
        return _ended(html, _TITLE, _TITLE_END, "</title>")
    return _ended(html, _TITLE_IN_BYTES, _TITLE_END_IN_BYTES, b"</title>")


def _ended(html: _Page, title: re.Pattern[_Page], end: re.Pattern[_Page], tag: _Page) -> _Page:
    found = title.search(html)
    return html[: found.end()] + tag + html[found.end() :] if found and not end.search(html, found.end()) else html


def with_hidden_text(found: Markup, html: _Page, parse: Callable[[_Page], Markup]) -> Markup:
    """What was found of a page; or of the page with its `noscript` elements opened, if nearly all its text is in them.

    Such are forums that build their pages with scripts. A page without any text is read as if its title ended. `parse`
    reads the page once more.
    """
    if not found.blocks and mended(html) != html:
        html = mended(html)
        found = parse(html)
    if len(found.utf8) - len(found.blocks) > _LONGEST_CHARACTER * LITTLE_TEXT:
        return found
    size = _characters_in(found)
    if size > LITTLE_TEXT or opened(html) == html:
        return found
    other = parse(opened(html))
    return other if _characters_in(other) > _TIMES * size + LITTLE_TEXT // 10 else found


def _characters_in(found: Markup) -> int:
    return sum([len(block.text) for block in found.blocks])
